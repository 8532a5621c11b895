package native

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strings"

	"gander/internal/documents"
	"gander/internal/files/text"
	"gander/internal/files/workspace"
	"gander/internal/tools/toolerror"
	"gander/tool"
)

// A target is the file or directory that a path argument names.
type target struct {
	location workspace.Location
	info     workspace.Info // its kind is Symlink only if linkErr is not nil
	linkErr  error          // why a link cannot be resolved
	end      pathEnd
}

func (t target) isFile() bool { return t.info.Kind == workspace.Regular }

// find resolves a path argument, or returns an error for the caller. "" is the first root.
//
// A relative path is relative to the first root, and ".." is resolved lexically. find takes the first
// of [environment.readings] that exists. A path that a result shows always names the same file.
func (c *call) find(given string) (target, error) {
	readings := c.readings(given)
	var failure error // the first that is not about a missing file
	for _, r := range readings {
		found, err := c.lookUp(r.path)
		if err == nil {
			found.end = r.end
			return found, nil
		}
		isMissing := errors.Is(err, fs.ErrNotExist) || errors.Is(err, workspace.ErrNotDirectory)
		if failure == nil && !isMissing {
			failure = err
		}
	}
	if failure != nil {
		return target{}, c.pathError(given, failure)
	}
	if err := c.linesError(given); err != nil {
		return target{}, err
	}
	likely := readings[len(readings)-1] // without the end, if the path can have one
	if strings.HasSuffix(given, "?") {  // part of a glob, and not the mark of a special file
		likely = readings[0]
	}
	return target{}, c.missing(given, likely.path)
}

// linesError returns the error about a path argument that is an existing path with wrong lines at its
// end, or else nil.
func (c *call) linesError(given string) error {
	m := wrongLines.FindStringSubmatch(given)
	if m == nil {
		return nil
	}
	found, err := c.lookUp(m[1])
	if err != nil || !found.isFile() {
		return nil
	}
	return toolerror.BadArguments("%s is no range of lines; lines 10 to 20 are %s:10-20, "+
		"and %[2]s:10 begins with line 10", pathExcerpt(given), c.show(found.location))
}

// follow is [call.find] for an entry that must not be a broken link.
func (c *call) follow(given string) (target, error) {
	found, err := c.find(given)
	if err == nil && found.linkErr != nil {
		err = c.pathError(given, found.linkErr)
	}
	return found, err
}

// lookUp returns the target of a path.
func (c *call) lookUp(p string) (target, error) {
	location, err := c.locate(p)
	if err != nil {
		return target{}, err
	}
	info, err := location.Stat()
	if err == nil {
		return target{location: location, info: info}, nil
	}
	link, lstatErr := location.Lstat()
	if lstatErr != nil || link.Kind != workspace.Symlink {
		return target{}, err
	}
	return target{location: location, info: link, linkErr: err}, nil
}

// locate returns the location of a path, which is first made absolute and cleaned.
func (c *call) locate(p string) (workspace.Location, error) {
	if workspace.IsRelative(p) {
		p = filepath.Join(c.workspace.Roots()[0], p)
	}
	return c.workspace.Find(c.ctx, filepath.Clean(p))
}

// show returns the path of a location in results: relative to the first root or absolute, and
// escaped, so that it names the same file as an argument of any of the tools.
func (e *environment) show(l workspace.Location) string {
	return text.EscapePath(e.rawPath(l.Root(), l.Path()))
}

// rawPath is [environment.show] without escapes, for a clean path relative to a root.
func (e *environment) rawPath(root int, rel string) string {
	if root == 0 {
		return rel
	}
	first := strings.TrimSuffix(e.absolutePath(0, "."), "/") + "/"
	return strings.TrimPrefix(e.absolutePath(root, rel), first)
}

// absolutePath returns the absolute path, with slashes, for a clean path relative to a root.
func (e *environment) absolutePath(root int, rel string) string {
	abs := filepath.ToSlash(e.workspace.Roots()[root])
	if rel == "." {
		return abs
	}
	return strings.TrimSuffix(abs, "/") + "/" + rel // path.Join would break a share of Windows
}

func (e *environment) rootNames() []string {
	var names []string
	for _, r := range e.workspace.Roots() {
		names = append(names, text.EscapePath(filepath.ToSlash(r)))
	}
	return names
}

// below returns the path in results of rel, which is relative to a directory shown as dir.
func below(dir, rel string) string { return nameBelow(dir, text.EscapePath(rel)) }

// nameBelow returns the path of an entry below a directory, or dir itself if rel is "".
func nameBelow(dir, rel string) string {
	switch {
	case rel == "":
		return dir
	case dir == ".":
		return rel
	default:
		return strings.TrimSuffix(dir, "/") + "/" + rel
	}
}

// escapeMarker returns a line with its first character escaped if the line could pass for a marker. The
// line is a path, or begins with one.
func escapeMarker(line string) string {
	if strings.HasPrefix(line, "[") && strings.HasSuffix(line, "]") {
		return `\x5b` + line[1:]
	}
	return line
}

// pathExcerpt returns the beginning of a path, of at most 300 bytes, for a message.
func pathExcerpt(given string) string {
	return text.ExcerptOf(text.WellFormed(given), 300)
}

// pathError returns the tool error for a path argument that failed with err, as it was given. For a file
// that it has led to, [fileError] names the path in results.
func (c *call) pathError(given string, err error) error {
	message := pathExcerpt(given)
	switch toolerror.Cause(err) {
	case workspace.ErrOutside:
		message += c.outsideClause(given)
	case fs.ErrInvalid:
		message = "a path must not contain a NUL character"
	case workspace.ErrLoop:
		message += " leads through too many symbolic links, or through a loop of them"
	default:
		location, err2 := c.locate(given)
		if err2 == nil && location.Path() == "." {
			message = c.nameInError(location)
		}
		message += ": " + toolerror.PathText(err)
	}
	return toolerror.New(err, message)
}

// outsideClause returns the clause about a path outside the workspace.
func (c *call) outsideClause(given string) string {
	roots := c.rootNames()
	clause := " is outside the workspace; give a path relative to " + roots[0]
	if len(roots) > 1 {
		clause += ", or an absolute one in " + strings.Join(roots[1:], ", ")
	}
	// Models write a slash before a path relative to the root.
	rel, hasSlash := strings.CutPrefix(filepath.ToSlash(given), "/")
	if !hasSlash {
		return clause
	}
	for _, r := range c.readings(strings.TrimLeft(rel, "/")) {
		found, err := c.lookUp(r.path)
		if err == nil && found.location.Path() != "." {
			return clause + didYouMean([]string{c.show(found.location)})
		}
	}
	return clause
}

// nameInError returns the name of a location in an error: the absolute path of a root, or else the path
// in results.
func (c *call) nameInError(l workspace.Location) string {
	if l.Path() == "." {
		return c.rootNames()[l.Root()]
	}
	return c.show(l)
}

// fileError returns the tool error for a file in a result whose use failed with err. If err is nil or
// a tool error, fileError returns it.
func fileError(shown string, err error) error {
	if _, ok := errors.AsType[*tool.Error](err); ok || err == nil {
		return err
	}
	if unreadable, ok := errors.AsType[*documents.Error](err); ok {
		message := shown + " " + unreadable.Error()
		return &tool.Error{Kind: tool.Failed, Message: message, Err: err}
	}
	return toolerror.New(err, shown+": "+toolerror.PathText(err))
}
