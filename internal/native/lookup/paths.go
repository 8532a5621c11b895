// Package lookup finds the files that models' paths mean. For a path that does not exist, it says
// what may have been meant.
package lookup

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"strings"

	"gander/internal/documents"
	"gander/internal/files/text"
	"gander/internal/files/workspace"
	"gander/internal/native/wording"
	"gander/internal/tools/toolerror"
	"gander/tool"
)

// Paths finds the files that the paths of one call mean. It is not safe for concurrent use.
type Paths struct {
	Workspace *workspace.Workspace
	Home      string     // the directory that "~" expands to at the beginning of a path, or ""
	Tool      string     // the name of the called tool
	Terse     bool       // errors suggest nothing
	Surveyed  surveyWork // by all surveys of the call
}

// A Target is the file or directory that a path argument names.
type Target struct {
	Location workspace.Location
	Info     workspace.Info // its kind is Symlink only if LinkErr is not nil
	LinkErr  error          // why a link cannot be resolved
	End      PathEnd
	Spelled  string // the path as it was written, if its names are only like those of the target
}

// IsFile reports whether the target is a regular file, or a link to one.
func (t Target) IsFile() bool { return t.Info.Kind == workspace.Regular }

// Find resolves a path argument. "" is the first root. A broken link is a target; see
// [Paths.Follow]. Any error is a tool error.
//
// A relative path is relative to the first root, and ".." is resolved lexically. Find takes the
// first of [Paths.readings] that exists. A path that a result shows always names the same file.
func (l *Paths) Find(ctx context.Context, given string) (Target, error) {
	readings := l.readings(given)
	var failure error // the first that is not about a missing file
	for _, r := range readings {
		found, err := l.LookUp(ctx, r.path)
		if err == nil {
			found.End = r.end
			return found, nil
		}
		isMissing := errors.Is(err, fs.ErrNotExist) || errors.Is(err, workspace.ErrNotDirectory)
		if failure == nil && !isMissing {
			failure = err
		}
	}
	if failure != nil {
		return Target{}, l.PathError(ctx, given, failure)
	}
	for _, r := range readings {
		found, ok := l.lookUpAlike(ctx, r.path)
		if ok {
			found.End, found.Spelled = r.end, r.path
			return found, nil
		}
	}
	if err := l.linesError(ctx, given); err != nil {
		return Target{}, err
	}
	likely := readings[len(readings)-1] // without the end, if the path can have one
	if strings.HasSuffix(given, "?") {  // part of a glob, and not the mark of a special file
		likely = readings[0]
	}
	return Target{}, l.missing(ctx, given, likely.path)
}

// linesError returns the error about a path argument that is an existing path with wrong lines at
// its end, or else nil.
func (l *Paths) linesError(ctx context.Context, given string) error {
	m := wrongLines.FindStringSubmatch(given)
	if m == nil {
		return nil
	}
	found, err := l.LookUp(ctx, m[1])
	if err != nil || !found.IsFile() {
		return nil
	}
	return toolerror.BadArguments("%s is no range of lines; lines 10 to 20 are %s:10-20, "+
		"and %[2]s:10 begins with line 10", Excerpt(given), l.Show(found.Location))
}

// Follow is [Paths.Find] for an entry that must not be a broken link.
func (l *Paths) Follow(ctx context.Context, given string) (Target, error) {
	found, err := l.Find(ctx, given)
	if err == nil && found.LinkErr != nil {
		err = l.PathError(ctx, given, found.LinkErr)
	}
	return found, err
}

// LookUp returns the target of a path as it is, without other readings. A broken link is a target.
func (l *Paths) LookUp(ctx context.Context, p string) (Target, error) {
	location, err := l.Locate(ctx, p)
	if err != nil {
		return Target{}, err
	}
	info, err := location.Stat()
	if err == nil {
		return Target{Location: location, Info: info}, nil
	}
	link, lstatErr := location.Lstat()
	if lstatErr != nil || link.Kind != workspace.Symlink {
		return Target{}, err
	}
	return Target{Location: location, Info: link, LinkErr: err}, nil
}

// lookUpAlike returns the target of a path whose names are each like exactly one that exists.
func (l *Paths) lookUpAlike(ctx context.Context, p string) (t Target, ok bool) {
	m, err := l.newMissingPath(ctx, p)
	if err != nil {
		return t, false
	}
	at := m.parent
	for _, name := range m.names {
		dir, err := at.Dir()
		if err != nil {
			return t, false
		}
		wanted := text.Alike(name)
		var alike []string
		err = dir.Names(ctx, func(found []byte, _ workspace.EntryKind) bool {
			if text.Alike(string(found)) == wanted {
				alike = append(alike, string(found))
			}
			return len(alike) < 2
		})
		dir.Close()
		if err != nil || len(alike) != 1 {
			return t, false
		}
		at = at.Join(alike[0])
	}
	info, err := at.Stat()
	return Target{Location: at, Info: info}, err == nil
}

// AlikeClause returns the clause about the path that a target was found for, or "" if its names are
// those of the target.
func (t Target) AlikeClause() string {
	if t.Spelled == "" {
		return ""
	}
	return "the only name like " + text.EscapePath(Excerpt(t.Spelled))
}

// Locate returns the location of a path, which is first made absolute and cleaned.
func (l *Paths) Locate(ctx context.Context, p string) (workspace.Location, error) {
	if workspace.IsRelative(p) {
		p = filepath.Join(l.Workspace.Roots()[0], p)
	}
	return l.Workspace.Find(ctx, filepath.Clean(p))
}

// Show returns the path of a location in results: relative to the first root or absolute, and
// escaped, so that it names the same file as an argument of any of the tools.
func (l *Paths) Show(at workspace.Location) string {
	return text.EscapePath(l.RawPath(at.Root(), at.Path()))
}

// RawPath is [Paths.Show] without escapes, for a clean path relative to a root.
func (l *Paths) RawPath(root int, rel string) string {
	if root == 0 {
		return rel
	}
	first := strings.TrimSuffix(l.AbsolutePath(0, "."), "/") + "/"
	return strings.TrimPrefix(l.AbsolutePath(root, rel), first)
}

// AbsolutePath returns the absolute path, with slashes, for a clean path relative to a root.
func (l *Paths) AbsolutePath(root int, rel string) string {
	abs := filepath.ToSlash(l.Workspace.Roots()[root])
	if rel == "." {
		return abs
	}
	return strings.TrimSuffix(abs, "/") + "/" + rel // path.Join would break a share of Windows
}

// RootNames returns the absolute paths of the roots, escaped as in results.
func (l *Paths) RootNames() []string {
	var names []string
	for _, r := range l.Workspace.Roots() {
		names = append(names, text.EscapePath(filepath.ToSlash(r)))
	}
	return names
}

// Below returns the path in results of rel, which is relative to a directory shown as dir.
func Below(dir, rel string) string { return NameBelow(dir, text.EscapePath(rel)) }

// NameBelow is [Below] without escaping. If rel is "", it returns dir itself.
func NameBelow(dir, rel string) string {
	switch {
	case rel == "":
		return dir
	case dir == ".":
		return rel
	default:
		return strings.TrimSuffix(dir, "/") + "/" + rel
	}
}

// EscapeMarker returns a line with its first character escaped if the line could pass for a marker.
// The line is a path, or begins with one.
func EscapeMarker(line string) string {
	if strings.HasPrefix(line, "[") && strings.HasSuffix(line, "]") {
		return `\x5b` + line[1:]
	}
	return line
}

// Excerpt returns the beginning of a path, of at most 300 bytes, for a message.
func Excerpt(given string) string {
	return text.ExcerptOf(text.Lossy(given), 300)
}

// PathError returns the tool error for a path argument that failed with err, as it was given. For a
// file that it has led to, [FileError] names the path in results.
func (l *Paths) PathError(ctx context.Context, given string, err error) error {
	message := Excerpt(given)
	switch toolerror.Cause(err) {
	case workspace.ErrOutside:
		message += l.outsideClause(ctx, given)
	case fs.ErrInvalid:
		message = "a path must not contain a NUL character"
	case workspace.ErrLoop:
		message += " leads through too many symbolic links, or through a loop of them"
	default:
		location, err2 := l.Locate(ctx, given)
		if err2 == nil && location.Path() == "." {
			message = l.NameInError(location)
		}
		message += ": " + toolerror.PathText(err)
	}
	return toolerror.New(err, message)
}

// outsideClause returns the clause about a path outside the workspace.
func (l *Paths) outsideClause(ctx context.Context, given string) string {
	roots := l.RootNames()
	clause := " is outside the workspace; give a path relative to " + roots[0]
	if len(roots) > 1 {
		clause += ", or an absolute one in " + strings.Join(roots[1:], ", ")
	}
	// Models write a slash before a path relative to the root.
	rel, hasSlash := strings.CutPrefix(filepath.ToSlash(given), "/")
	if !hasSlash {
		return clause
	}
	for _, r := range l.readings(strings.TrimLeft(rel, "/")) {
		found, err := l.LookUp(ctx, r.path)
		if err == nil && found.Location.Path() != "." {
			return clause + wording.DidYouMean([]string{l.Show(found.Location)})
		}
	}
	return clause
}

// NameInError returns the name of a location in an error: the absolute path of a root, or else the
// path in results.
func (l *Paths) NameInError(at workspace.Location) string {
	if at.Path() == "." {
		return l.RootNames()[at.Root()]
	}
	return l.Show(at)
}

// FileError returns the tool error for a file in a result whose use failed with err. If err is nil
// or a tool error, it is returned as it is.
func FileError(shown string, err error) error {
	if _, ok := errors.AsType[*tool.Error](err); ok || err == nil {
		return err
	}
	if unreadable, ok := errors.AsType[*documents.Error](err); ok {
		return toolerror.New(err, shown+" "+unreadable.Error())
	}
	return toolerror.New(err, shown+": "+toolerror.PathText(err))
}

// SpecialFile is what an error calls an entry that is no file, directory or link.
const SpecialFile = "a FIFO, socket or device"

// KindNoun returns what an entry that is not a directory is.
func KindNoun(kind workspace.EntryKind) string {
	if kind == workspace.Regular {
		return "a file"
	}
	return SpecialFile
}

// NotRegular returns the tool error for an entry that would have to be a regular file.
func NotRegular(shown string) error {
	message := shown + " is " + SpecialFile + ", which cannot be read"
	return toolerror.New(workspace.ErrNotRegular, message)
}
