package native

import (
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"sort"
	"strings"

	"gander/internal/files/text"
	"gander/internal/files/workspace"
	"gander/internal/tools/shared"
)

// maxQuoted is the maximum number of bytes of a path that a message repeats.
const maxQuoted = 300

// quoted returns a requested path as messages quote it.
func quoted(given string) string {
	return shared.ExcerptOf(text.WellFormed(given[:min(len(given), maxQuoted+8)]), maxQuoted)
}

// pathError returns the tool error for a requested path that failed with err.
func (f *files) pathError(given string, err error) error {
	message := quoted(given)
	switch shared.Cause(err) {
	case workspace.ErrOutside:
		roots := f.rootNames()
		message += " is outside the workspace; give a path relative to " + roots[0]
		if len(roots) > 1 {
			message += ", or an absolute one in " + strings.Join(roots[1:], ", ")
		}
		message += f.insideText(given)
	case fs.ErrInvalid:
		message = "a path must not contain a NUL character"
	case workspace.ErrLoop:
		message += " leads through too many symbolic links, or through a loop of them"
	default:
		message += ": " + shared.PathErrorText(err)
	}
	return shared.NewError(err, message)
}

// fileError returns the tool error for a file in a result whose use failed with err.
func fileError(shown string, err error) error {
	return shared.NewError(err, shown+": "+shared.PathErrorText(err))
}

// insideText suggests the path without its leading slash if that exists.
func (f *files) insideText(given string) string {
	slashed := filepath.ToSlash(given)
	if !strings.HasPrefix(slashed, "/") {
		return ""
	}
	t, err := f.lookUp(strings.TrimLeft(slashed, "/"))
	if err != nil || t.location.Path() == "." {
		return ""
	}
	return "; did you mean " + f.show(t.location) + "?"
}

// missing returns the error for a path if none of its readings exists. It names the deepest
// existing directory of the path, and similar names in it.
func (c *call) missing(given string, readings []reading) error {
	wanted := readings[len(readings)-1] // its span is cut off
	location, err := c.locate(wanted.path)
	if err != nil {
		return c.pathError(given, err)
	}
	root, err := c.locate(c.workspace.Roots()[location.Root()])
	if err != nil {
		return c.pathError(given, err)
	}
	message := "there is no " + quoted(given)
	names := strings.Split(location.Path(), "/")
	above := func(n int) workspace.Location { return root.Join(path.Join(names[:n]...)) }
	existing := sort.Search(len(names)-1, func(i int) bool {
		_, err := above(i + 1).Stat()
		return err != nil
	})
	parent, absent := above(existing), names[existing]
	info, err := parent.Stat()
	switch {
	case err != nil:
	case info.Kind != workspace.Directory:
		message += fmt.Sprintf("; %s is a file", c.show(parent))
	default:
		if existing < len(names)-1 {
			message += ", because there is no " + below(c.show(parent), absent)
		}
		message += c.similarText(parent, absent)
	}
	return shared.NewError(fs.ErrNotExist, message)
}

// similarText returns the clause about names in a directory that are similar to a missing one.
func (c *call) similarText(parent workspace.Location, missing string) string {
	const limit = 5
	if c.terse {
		return ""
	}
	shown := c.show(parent)
	dir, err := parent.Dir()
	if err != nil {
		return fmt.Sprintf("; %s: %s", shown, shared.PathErrorText(err))
	}
	defer dir.Close()
	near := shared.Similar(c.ctx, missing, func(yield func(string) bool) {
		_ = dir.Names(c.ctx, func(name []byte, _ workspace.EntryKind) bool {
			return yield(string(name))
		})
	}, limit)
	if len(near) == 0 {
		list := c.hint("list_dir", stringArgument("path", shown))
		find := c.hint("find_files", stringArgument("pattern", shared.Excerpt(missing)))
		return fmt.Sprintf(`; %s shows what is there, %s looks everywhere`, list, find)
	}
	for i, name := range near {
		near[i] = below(shown, name)
	}
	return "; did you mean " + strings.Join(near, ", ") + "?"
}
