package native

import (
	"errors"
	"io/fs"
	"net/url"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"gander/internal/files/text"
	"gander/internal/files/workspace"
	"gander/internal/tools/toolerror"
)

// A target is the file or directory that a path argument names.
type target struct {
	location workspace.Location
	info     workspace.Info // its kind is Symlink only if linkErr is not nil
	linkErr  error          // why a link cannot be resolved
	span     span           // that the path ends in
}

// A span is the line or lines at the end of a path argument, as in main.go:12, main.go:12:5,
// main.go:12-20 and main.go#L12-L20.
type span struct {
	line   int // the first line, or 0. A negative line counts from the end
	column int // or 0
	last   int // the last line, or 0

	mark markName // or of a document, as in report.pdf#page=12
}

// wrongSpan matches a path that ends in something like a span.
var wrongSpan = regexp.MustCompile(`^(.+?)(?::|#)L?\d*[-,:+L\d]*$`)

type reading struct {
	path string
	span span
}

// find resolves a path argument, or returns an error for the caller. "" is the first root.
//
// A relative path is relative to the first root. ".." is resolved lexically. find uses the first of
// [files.readings] that exists. What a result shows, which [text.EscapePath] has escaped, is
// unescaped first, so that it always names the same file.
func (c *call) find(given string) (target, error) {
	var rejected error
	var last target
	for _, r := range c.readings(given) {
		t, err := c.lookUp(r.path)
		if err == nil {
			t.span = r.span
			return t, nil
		}
		last = t
		absent := errors.Is(err, fs.ErrNotExist) || errors.Is(err, workspace.ErrNotDirectory)
		if rejected == nil && !absent {
			rejected = err
		}
	}
	if rejected != nil {
		return target{}, c.pathError(given, rejected)
	}
	m := wrongSpan.FindStringSubmatch(given)
	if m != nil {
		found, err := c.lookUp(m[1])
		if err == nil {
			return target{}, toolerror.BadArguments("%s is no range of lines; lines 10 to 20 are %s:10-20, "+
				"and %[2]s:10 begins with line 10", quoted(given), c.show(found.location))
		}
	}
	return target{}, c.missing(given, last.location) // without a span
}

// follow is [call.find] for an entry that must not be a broken link.
func (c *call) follow(given string) (target, error) {
	found, err := c.find(given)
	if err == nil && found.linkErr != nil {
		err = c.pathError(given, found.linkErr)
	}
	return found, err
}

// lookUp returns the target of a path. If there is none, it returns the location alone.
func (c *call) lookUp(p string) (t target, err error) {
	t.location, err = c.locate(p)
	if err != nil {
		return t, err
	}
	t.info, err = t.location.Stat()
	if err == nil {
		return t, nil
	}
	info, lstatErr := t.location.Lstat()
	if lstatErr == nil && info.Kind == workspace.Symlink {
		t.info, t.linkErr = info, err
		return t, nil
	}
	return t, err
}

// locate returns the location of a path, which is first made absolute and cleaned.
func (c *call) locate(p string) (workspace.Location, error) {
	if workspace.IsRelative(p) {
		p = filepath.Join(c.workspace.Roots()[0], p)
	}
	return c.workspace.Find(c.ctx, filepath.Clean(p))
}

// readings returns the possible interpretations of a path, in order: the [literals], as a file URI,
// with "~" for the home or for the first root, without the "@" or "?" that marks a link or a
// special file in a listing, with backslashes for slashes, and each of these without a span.
func (f *files) readings(given string) (all []reading) {
	paths := literals(given, filepath.Separator == '\\')
	if uri, ok := cutFileURI(given); ok {
		paths = append(paths, uri)
	}
	rest, ok := strings.CutPrefix(given, "~")
	isHome := rest == "" || rest[0] == '/' || rest[0] == filepath.Separator
	if ok && isHome {
		if f.settings.Home != "" {
			paths = append(paths, f.settings.Home+rest)
		}
		paths = append(paths, "."+rest)
	}
	for _, mark := range []string{"@", "?"} {
		unmarked, ok := strings.CutSuffix(given, mark)
		if ok && !strings.HasSuffix(unmarked, "/") {
			paths = append(paths, literals(unmarked, filepath.Separator == '\\')...)
		}
	}
	slashed := strings.ReplaceAll(given, `\`, "/")
	if slashed != given {
		paths = append(paths, slashed)
	}
	for _, p := range paths {
		all = append(all, reading{path: p})
	}
	for _, p := range paths {
		all = append(all, cutSpan(p)...)
		all = append(all, cutMark(p)...)
	}
	return all
}

func cutSpan(p string) (all []reading) {
	if rest, n, ok := cutNumber(p, ":"); ok {
		all = append(all, reading{rest, span{line: n}})
		if rest, line, ok := cutNumber(rest, ":"); ok && n > 0 {
			all = append(all, reading{rest, span{line: line, column: n}})
		}
	}
	if rest, line, ok := cutNumber(p, "#L"); ok && line > 0 {
		all = append(all, reading{rest, span{line: line}})
	}
	for _, separators := range [][2]string{{":", "-"}, {"#L", "-L"}, {"#L", "-"}} {
		rest, last, hasLast := cutNumber(p, separators[1])
		rest, line, hasFirst := cutNumber(rest, separators[0])
		isRange := hasFirst && hasLast
		if isRange && 0 < line && line <= last {
			all = append(all, reading{rest, span{line: line, last: last}})
		}
	}
	return all
}

// cutNumber cuts a number, which is not 0, from the end of a path, and the separator before it.
func cutNumber(p, separator string) (rest string, n int, ok bool) {
	i := strings.LastIndex(p, separator)
	if i <= 0 {
		return "", 0, false
	}
	digits := p[i+len(separator):]
	n, err := strconv.Atoi(digits)
	return p[:i], n, err == nil && n != 0 && digits[0] != '+'
}

// literals returns given and, if it has escapes, the unescaped path. That comes first if a result
// would show it as given, but not on Windows, where a backslash is a separator: src\x41.txt is a
// file in src.
func literals(given string, windows bool) []string {
	unescaped, ok := text.UnescapePath(given)
	isShown := notMarker(text.EscapePath(unescaped)) == given
	switch {
	case !ok || unescaped == given:
		return []string{given}
	case windows || !isShown:
		return []string{given, unescaped}
	default:
		return []string{unescaped, given}
	}
}

// cutFileURI returns the path of a URI such as file:///a%20b.
func cutFileURI(given string) (string, bool) {
	rest, ok := strings.CutPrefix(given, "file://")
	if !ok {
		return "", false
	}
	p, err := url.PathUnescape(strings.TrimPrefix(rest, "localhost"))
	if filepath.Separator == '\\' {
		p = strings.TrimPrefix(p, "/") // before the drive
	}
	return p, err == nil && p != ""
}

// show returns the path of a location in results: relative to the first root or absolute, and
// escaped, so that it names the same file as an argument of any of the tools.
func (f *files) show(l workspace.Location) string {
	return text.EscapePath(f.rawPath(l.Root(), l.Path()))
}

// rawPath is [files.show] without escapes, for a clean path relative to a root.
func (f *files) rawPath(root int, rel string) string {
	if root == 0 {
		return rel
	}
	roots := f.workspace.Roots()
	abs := filepath.ToSlash(roots[root])
	if rel != "." {
		abs = strings.TrimSuffix(abs, "/") + "/" + rel // path.Join would break a share of Windows
	}
	first := strings.TrimSuffix(filepath.ToSlash(roots[0]), "/") + "/"
	if inner, ok := strings.CutPrefix(abs, first); ok && inner != "" {
		return inner
	}
	return abs
}

func (f *files) rootNames() []string {
	var names []string
	for _, r := range f.workspace.Roots() {
		names = append(names, text.EscapePath(filepath.ToSlash(r)))
	}
	return names
}

// below returns the path in results of rel, which is relative to a directory shown as dir.
func below(dir, rel string) string { return nameBelow(dir, text.EscapePath(rel)) }

// notMarker returns a path with its first character escaped if it could pass for a marker.
func notMarker(path string) string {
	if strings.HasPrefix(path, "[") && strings.HasSuffix(path, "]") {
		return `\x5b` + path[1:]
	}
	return path
}

// quoted returns the beginning of a path, of at most 300 bytes, for a message.
func quoted(given string) string {
	return text.ExcerptOf(text.WellFormed(given[:min(len(given), 308)]), 300)
}

// pathError returns the tool error for a requested path that failed with err.
func (c *call) pathError(given string, err error) error {
	message := quoted(given)
	switch toolerror.Cause(err) {
	case workspace.ErrOutside:
		roots := c.rootNames()
		message += " is outside the workspace; give a path relative to " + roots[0]
		if len(roots) > 1 {
			message += ", or an absolute one in " + strings.Join(roots[1:], ", ")
		}
		// Models write a slash before a path relative to the root.
		rel := strings.TrimLeft(filepath.ToSlash(given), "/")
		found, err := c.lookUp(rel)
		if err == nil && len(rel) < len(given) && found.location.Path() != "." {
			message += didYouMean([]string{c.show(found.location)})
		}
	case fs.ErrInvalid:
		message = "a path must not contain a NUL character"
	case workspace.ErrLoop:
		message += " leads through too many symbolic links, or through a loop of them"
	default:
		location, err2 := c.locate(given)
		if err2 == nil {
			message = c.named(location, message)
		}
		message += ": " + toolerror.PathText(err)
	}
	return toolerror.New(err, message)
}

// named returns the name of a location in an error: the absolute path of a root, or else shown.
func (c *call) named(l workspace.Location, shown string) string {
	if l.Path() == "." {
		return c.rootNames()[l.Root()]
	}
	return shown
}

// fileError returns the tool error for a file in a result whose use failed with err.
func fileError(shown string, err error) error {
	return toolerror.New(err, shown+": "+toolerror.PathText(err))
}
