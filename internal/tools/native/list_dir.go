package native

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"strconv"
	"time"

	"gander/internal/files/workspace"
	"gander/internal/tools/shared"
)

// A listRequest has the checked arguments of a call of list_dir.
type listRequest struct {
	depth            int
	details, ignored bool
	offset, limit    int
}

// parseList is the parser of list_dir.
func parseList(_ context.Context, _ *files, a *arguments) (writer, error) {
	a.getPath()
	r := listRequest{
		depth:   a.get("depth max_depth levels").Int(1, 1, math.MaxInt),
		details: a.get("details long").Bool(false),
		ignored: a.getIgnored(),
		offset:  a.get("offset").Int(1, 1, math.MaxInt),
		limit:   a.get("limit max_entries max_results").Int(math.MaxInt, 1, math.MaxInt),
	}
	if a.alias("recursive").Bool(false) && r.depth == 1 {
		r.depth = math.MaxInt
	}
	return r.write, a.err()
}

// write is the [writer] of list_dir.
func (r listRequest) write(c *call, path string) (section, error) {
	found, err := c.find(path)
	if err != nil {
		return section{}, err
	}
	if found.info.Kind != workspace.Directory {
		return c.writeDescription(found)
	}
	return c.writeListing(r, found.location)
}

// writeListing writes the section about a directory.
func (c *call) writeListing(r listRequest, at workspace.Location) (section, error) {
	l := &listing{call: c, request: r, location: at, left: r.limit}
	if err := l.read(); err != nil {
		return section{}, shared.NewError(err, c.show(at)+": "+shared.PathErrorText(err))
	}
	return l.write()
}

// writeDescription writes the section about an entry that is not a directory: its type, size and
// time.
func (c *call) writeDescription(t target) (section, error) {
	text := c.show(t.location)
	if t.linkErr != nil {
		text += "@: a link that cannot be followed: " + shared.PathErrorText(t.linkErr)
	} else {
		if to := c.linkText(t.location); to != "" {
			text += "@ -> " + to
		}
		text += fmt.Sprintf(": %s, modified %s UTC", c.kindText(t), timeText(t.info.ModTime))
	}
	return c.budget.largest(1, 1, func(int) (s section) {
		s.Body, s.hasBody = text, true
		return s
	})
}

// linkText returns the target of a link, or "" if l is not a link or its target is unknown.
func (f *files) linkText(l workspace.Location) string {
	if info, err := l.Lstat(); err != nil || info.Kind != workspace.Symlink {
		return ""
	}
	above, err := f.locate(filepath.Dir(l.Absolute()))
	if err != nil {
		return ""
	}
	parent, err := above.Dir()
	if err != nil {
		return ""
	}
	defer parent.Close()
	return f.linkTarget(l, parent.Root(), parent.Path())
}

// linkTarget returns the target of a link in results, with a slash if it is a directory. It returns
// "" if the link is dangling, escapes the roots, or passes through another link to a location that
// its text does not determine. dir is the directory of the link, relative to a root and without
// links.
func (f *files) linkTarget(link workspace.Location, root int, dir string) string {
	to, err := link.Readlink()
	if err != nil {
		return ""
	}
	if workspace.IsRelative(to) {
		to = filepath.Join(f.workspace.Resolved()[root], filepath.FromSlash(dir), to)
	}
	found, err := f.workspace.Find(filepath.Clean(to))
	if err != nil {
		return ""
	}
	info, err := found.Stat()
	if reached, errLink := link.Stat(); err != nil || errLink != nil || info != reached {
		return ""
	}
	shown := f.show(found)
	if info.Kind == workspace.Directory && shown != "/" {
		shown += "/"
	}
	return shown
}

// specialFile is the description of an entry that cannot be read.
const specialFile = "a FIFO, socket or device"

// kindText returns the type and the size of a target.
func (c *call) kindText(t target) string {
	if t.info.Kind != workspace.Regular {
		return specialFile
	}
	bytes := number(t.info.Size) + " bytes"
	file, err := t.location.File()
	if err == nil {
		defer file.Close()
		is, failed := contentOf(file)
		if failed == nil {
			return is.name + ", " + bytes
		}
		err = failed
	}
	return "a file, " + bytes + ", " + shared.PathErrorText(err)
}

// details returns the columns with the size and the modification time of an entry, each preceded by
// a tab.
func details(info workspace.Info, err error) string {
	if err != nil {
		return "\t?\t?"
	}
	bytes := "-"
	if info.Kind == workspace.Regular {
		bytes = strconv.FormatInt(info.Size, 10)
	}
	return "\t" + bytes + "\t" + timeText(info.ModTime)
}

// timeText returns a time in UTC, to the second.
func timeText(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05") }
