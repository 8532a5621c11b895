package native

import (
	"fmt"
	"path"
	"path/filepath"
	"strconv"
	"time"

	"gander/internal/files/workspace"
	"gander/internal/tools/shared"
)

// details returns the columns with the size and the modification time of an entry, each after a tab.
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

// target returns where a link leads, as an answer shows it, with a slash if that is a directory. It returns "" if the link
// leads to nothing, outside, or through another link to a place that its text does not tell. The link lies in the directory at
// dir, a path free of links relative to a root.
func (f *files) target(link workspace.Location, root int, dir string) string {
	to, err := link.Readlink()
	if err != nil {
		return ""
	}
	if workspace.IsRelative(to) {
		to = filepath.Join(f.workspace.Resolved()[root], filepath.FromSlash(dir), to)
	}
	found, err := f.workspace.Locate(filepath.Clean(to))
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

// describe answers about what is not a directory: what it is, how large, and when it was changed.
func (c *call) describe(t target) (section, error) {
	text := c.show(t.place)
	if t.linkErr != nil {
		text += "@: a link that cannot be followed: " + shared.PathErrorText(t.linkErr)
	} else {
		if to := c.linkText(t.place); to != "" {
			text += "@ -> " + to
		}
		text += ": " + c.kindText(t) + fmt.Sprintf(", modified %s UTC", timeText(t.info.ModTime))
	}
	return c.budget.entry(text)
}

// linkText returns the target of the link at a place, or "" if there is no link or its target is not told.
func (f *files) linkText(p workspace.Location) string {
	if info, err := p.Lstat(); err != nil || info.Kind != workspace.Symlink {
		return ""
	}
	above, err := f.at(p.Root(), path.Dir(p.Path()))
	if err != nil {
		return ""
	}
	parent, err := above.Dir()
	if err != nil {
		return ""
	}
	defer parent.Close()
	return f.target(p, parent.Root(), parent.Path())
}

// specialFile is the description of an entry that cannot be read.
const specialFile = "a FIFO, socket or device"

// kindText says what is at a target, and how large it is.
func (c *call) kindText(t target) string {
	if t.info.Kind != workspace.Regular {
		return specialFile
	}
	bytes := number(t.info.Size) + " bytes"
	file, err := t.place.File()
	if err != nil {
		return "a file, " + bytes + ", " + shared.PathErrorText(err)
	}
	defer file.Close()
	file.Count(c.ctx)
	head, err := readHead(file)
	if err != nil {
		return "a file, " + bytes + ", " + shared.PathErrorText(err)
	}
	return contentOf(head).name + ", " + bytes
}
