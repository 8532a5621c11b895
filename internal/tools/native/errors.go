package native

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"strings"

	"gander/internal/files/text"
	"gander/internal/files/workspace"
	"gander/internal/tools/shared"
)

// pathError returns the error about a given path that cannot be used because of err.
func (f *files) pathError(given string, err error) error {
	shown := excerpt(given)
	switch {
	case errors.Is(err, workspace.ErrOutside):
		message := "%s is outside the workspace; give a path relative to %s"
		message = fmt.Sprintf(message, shown, f.rootsText()) + f.insideText(given)
		return shared.NewError(err, message)
	case errors.Is(err, workspace.ErrBadPath):
		return shared.NewError(err, "a path must not contain a NUL character")
	case errors.Is(err, workspace.ErrLoop):
		shown += " leads through too many symbolic links, or through a loop of them"
		return shared.NewError(err, shown)
	default:
		return shared.NewError(err, shown+": "+shared.PathErrorText(err))
	}
}

// excerpt returns a given path as messages repeat it.
func excerpt(given string) string {
	const most = 300
	shown := text.Cut(text.WellFormed(given), most)
	if len(shown) < len(given) {
		shown += "..."
	}
	return text.Escape(shown)
}

// rootsText names the roots.
func (f *files) rootsText() string {
	roots := f.rootNames()
	if len(roots) == 1 {
		return roots[0]
	}
	return roots[0] + ", or an absolute one in " + strings.Join(roots[1:], ", ")
}

// insideText suggests the path without its leading slash if something is there.
func (f *files) insideText(given string) string {
	slashed := filepath.ToSlash(given)
	if !strings.HasPrefix(slashed, "/") {
		return ""
	}
	t, err := f.lookUp(reading{path: strings.TrimLeft(slashed, "/")})
	if err != nil || t.place.Path() == "." {
		return ""
	}
	return "; did you mean " + f.show(t.place) + "?"
}

// missing returns the error about a path that names nothing under any of its readings. It names the
// deepest existing directory of the path, and similar names in it.
func (c *call) missing(given string, readings []reading) error {
	wanted := readings[len(readings)-1] // without a span
	place, err := c.place(wanted.path)
	if err != nil {
		return c.pathError(given, err)
	}
	message := "there is no " + excerpt(given)
	missing := place.Path()
	for dir := path.Dir(missing); ; missing, dir = dir, path.Dir(dir) {
		parent, err := c.at(place.Root(), dir)
		if err != nil {
			break
		}
		info, err := parent.Stat()
		switch {
		case err != nil && dir != ".":
			continue
		case err == nil && info.Kind != workspace.Directory:
			message += fmt.Sprintf("; %s is a file", c.show(parent))
		case err == nil:
			if missing != place.Path() {
				absent := below(c.show(parent), path.Base(missing))
				message += fmt.Sprintf(", because there is no %s", absent)
			}
			message += c.similarText(parent, path.Base(missing))
		}
		break
	}
	return shared.NewError(fs.ErrNotExist, message)
}

// similarText returns the clause about names in a directory that are similar to a missing one.
func (c *call) similarText(parent workspace.Location, missing string) string {
	const most = 5
	shown := c.show(parent)
	dir, err := parent.Dir()
	if err != nil {
		return fmt.Sprintf("; %s: %s", shown, shared.PathErrorText(err))
	}
	defer dir.Close()
	near := shared.Similar(c.ctx, missing, func(yield func(string) bool) {
		_ = dir.Names(c.ctx, func(name []byte, _ workspace.EntryKind) bool { return yield(string(name)) })
	}, most)
	if len(near) == 0 {
		list := c.hint("list_dir", stringArgument(pathArgument, shown))
		find := c.hint("find_files", stringArgument("pattern", shared.Excerpt(missing)))
		return fmt.Sprintf(`; %s shows what is there, %s looks everywhere`, list, find)
	}
	for i, name := range near {
		near[i] = below(shown, name)
	}
	return "; did you mean " + strings.Join(near, ", ") + "?"
}
