package native

import (
	"errors"
	"io/fs"
	"net/url"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"gander/internal/files/text"
	"gander/internal/files/workspace"
	"gander/tool"
)

// A target is what a path argument means.
type target struct {
	place workspace.Location
	// info describes what is there. Its kind is Symlink only for a link that cannot be followed to its end; linkErr is the
	// reason.
	info    workspace.Info
	linkErr error
	// line and column are those that the path ends in, or 0. A negative line counts from the end.
	line, column int
}

// A reading is one way to understand a path argument.
type reading struct {
	path         string
	line, column int
}

// find returns what a path argument means, and an error that says what to do if there is nothing. "" is the first root.
//
// A relative path is relative to the first root. ".." is resolved lexically. The path is read in several ways, of which the
// first under which something is there counts, so that a path from an answer always means what it meant there: as
// [text.EscapePath] writes it, as it is, and then in the ways of [files.readings].
func (f *files) find(given string) (target, error) {
	var refused error
	readings := f.readings(given)
	for _, r := range readings {
		t, err := f.look(r)
		if err == nil {
			return t, nil
		}
		if refused == nil && !isAbsent(err) {
			refused = err
		}
	}
	if refused != nil {
		return target{}, f.pathError(given, refused)
	}
	return target{}, f.missing(given, readings)
}

// isAbsent reports whether an error of looking at a path means that another reading of it may be the right one.
func isAbsent(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, workspace.ErrNotDirectory)
}

// look returns the target of one reading.
func (f *files) look(r reading) (target, error) {
	t := target{line: r.line, column: r.column}
	var err error
	if t.place, err = f.place(r.path); err != nil {
		return t, err
	}
	if t.info, err = t.place.Stat(); err == nil {
		return t, nil
	}
	if info, linkErr := t.place.Lstat(); linkErr == nil && info.Kind == workspace.Symlink {
		t.info, t.linkErr = info, err
		return t, nil
	}
	return t, err
}

// begin returns what a call is about: what its path means, and its budget.
func (f *files) begin(given string, b tool.Budget) (t target, most budget, err error) {
	if t, err = f.find(given); err == nil {
		most, err = f.budget(b)
	}
	return t, most, err
}

// place returns the place of a path, which is made absolute and cleaned first.
func (f *files) place(p string) (workspace.Location, error) {
	if workspace.IsRelative(p) {
		p = filepath.Join(f.workspace.Roots()[0], p)
	}
	return f.workspace.Find(filepath.Clean(p))
}

// at returns the place of a path relative to a root.
func (f *files) at(root int, rel string) (workspace.Location, error) {
	return f.place(filepath.Join(f.workspace.Roots()[root], filepath.FromSlash(rel)))
}

// readings returns the ways in which a path can be understood: unescaped, as it is, as a file URI, with "~" for the home or
// for the first root, without the "@" that marks a link in a listing, with backslashes for slashes, and each of these
// without a line and a column at its end, as in main.go:12:5.
func (f *files) readings(given string) []reading {
	var paths []string
	if unescaped, ok := text.UnescapePath(given); ok && unescaped != given {
		paths = append(paths, unescaped)
	}
	paths = append(paths, given)
	if uri, ok := cutFileURI(given); ok {
		paths = append(paths, uri)
	}
	if rest, ok := strings.CutPrefix(given, "~"); ok && (rest == "" || rest[0] == '/' || rest[0] == filepath.Separator) {
		if f.settings.Home != "" {
			paths = append(paths, f.settings.Home+rest)
		}
		paths = append(paths, "."+rest)
	}
	if link, ok := strings.CutSuffix(given, "@"); ok {
		paths = append(paths, link)
	}
	if slashed := strings.ReplaceAll(given, `\`, "/"); slashed != given {
		paths = append(paths, slashed)
	}
	var readings, positions []reading
	for _, p := range paths {
		readings = append(readings, reading{path: p})
		if rest, line, ok := cutNumber(p); ok {
			positions = append(positions, reading{path: rest, line: line})
			if shorter, above, ok := cutNumber(rest); ok && line > 0 {
				positions = append(positions, reading{path: shorter, line: above, column: line})
			}
		}
	}
	return append(readings, positions...)
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

// cutNumber removes a colon and the number that follows it, which is not 0, from the end of a path.
func cutNumber(p string) (rest string, n int, ok bool) {
	i := strings.LastIndexByte(p, ':')
	if i <= 0 {
		return "", 0, false
	}
	n, err := strconv.Atoi(p[i+1:])
	return p[:i], n, err == nil && n != 0 && p[i+1] != '+'
}

// show returns the path of a place as answers show it: relative to the first root if it lies there, absolute otherwise, and
// escaped, so that it means the same file as an argument of any of the tools.
func (f *files) show(p workspace.Location) string { return f.showPath(p.Root(), p.Path()) }

// showPath is [files.show] for a path relative to a root. It must be clean.
func (f *files) showPath(root int, rel string) string {
	if root == 0 {
		return text.EscapePath(rel)
	}
	roots := f.workspace.Roots()
	abs := filepath.ToSlash(roots[root])
	if rel != "." {
		abs = path.Join(abs, rel)
	}
	first := strings.TrimSuffix(filepath.ToSlash(roots[0]), "/") + "/"
	if inner, ok := strings.CutPrefix(abs, first); ok && inner != "" {
		return text.EscapePath(inner)
	}
	return text.EscapePath(abs)
}

// rootNames returns the roots as answers show them.
func (f *files) rootNames() []string {
	var names []string
	for _, r := range f.workspace.Roots() {
		names = append(names, text.EscapePath(filepath.ToSlash(r)))
	}
	return names
}

// WritePath implements [dialect.PathWriter].
func (f *files) WritePath(path string) string { return text.EscapePath(filepath.ToSlash(path)) }

// below returns the path, as answers show it, of what is at rel below a directory that is shown as dir.
func below(dir, rel string) string {
	if dir == "." {
		return text.EscapePath(rel)
	}
	return strings.TrimSuffix(dir, "/") + "/" + text.EscapePath(rel)
}

// notNote returns a path with its first character escaped if a line with it could pass for one that is about the answer.
func notNote(path string) string {
	if strings.HasPrefix(path, "[") && strings.HasSuffix(path, "]") {
		return `\x5b` + path[1:]
	}
	return path
}
