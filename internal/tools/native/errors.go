package native

import (
	"context"
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

// pathError returns the error about a path that is given and cannot be used, for an error of the engine.
func (f *files) pathError(given string, err error) error {
	shown := excerpt(given)
	switch {
	case errors.Is(err, workspace.ErrOutside):
		return shared.NewError(err, fmt.Sprintf("%s is outside the workspace; give a path relative to %s", shown, f.rootsText())+f.insideText(given))
	case errors.Is(err, workspace.ErrBadPath):
		return shared.NewError(err, "a path must not contain a NUL character")
	case errors.Is(err, workspace.ErrLoop):
		return shared.NewError(err, shown+" leads through too many symbolic links, or through a loop of them")
	default:
		return shared.NewError(err, shown+": "+shared.PathErrorText(err))
	}
}

// excerpt returns a path that the caller wrote in the form in which a message repeats it.
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
	t, err := f.look(reading{path: strings.TrimLeft(slashed, "/")})
	if err != nil || t.place.Path() == "." {
		return ""
	}
	return "; did you mean " + f.show(t.place) + "?"
}

// missing returns the error about a path at which there is nothing under any of its readings. It names the last directory on
// the way that exists, and what is there of a similar name.
func (f *files) missing(given string, readings []reading) error {
	wanted := readings[len(readings)-1] // the one with the least at its end
	place, err := f.place(wanted.path)
	if err != nil {
		return f.pathError(given, err)
	}
	message := "there is no " + excerpt(given)
	missing := place.Path()
	for dir := path.Dir(missing); ; missing, dir = dir, path.Dir(dir) {
		parent, err := f.at(place.Root(), dir)
		if err != nil {
			break
		}
		info, err := parent.Stat()
		switch {
		case err != nil && dir != ".":
			continue
		case err == nil && info.Kind != workspace.Directory:
			message += fmt.Sprintf("; %s is a file", f.show(parent))
		case err == nil:
			if missing != place.Path() {
				message += fmt.Sprintf(", because there is no %s", below(f.show(parent), path.Base(missing)))
			}
			message += f.similarText(parent, path.Base(missing))
		}
		break
	}
	return shared.NewError(fs.ErrNotExist, message)
}

// similarText says what a directory has of a name similar to a missing one.
func (f *files) similarText(parent workspace.Location, missing string) string {
	const most = 5
	shown := f.show(parent)
	dir, err := parent.Dir()
	if err != nil {
		return fmt.Sprintf("; %s: %s", shown, shared.PathErrorText(err))
	}
	defer dir.Close()
	near := similar(missing, func(yield func(string) bool) {
		_ = dir.Names(context.Background(), func(name []byte, _ workspace.EntryKind) bool { return yield(string(name)) })
	}, most)
	if len(near) == 0 {
		return fmt.Sprintf(`; list_dir path="%s" shows what is there, find_files pattern="%s" looks everywhere`, shown, shared.Excerpt(missing))
	}
	for i, name := range near {
		near[i] = below(shown, name)
	}
	return "; did you mean " + strings.Join(near, ", ") + "?"
}
