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

// target returns the target of a link in results, with a slash if it is a directory. It returns ""
// if the link is dangling, escapes the roots, or passes through another link to a location that its
// text does not determine. dir is the directory of the link, relative to a root and free of links.
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

// describe writes the section about an entry that is not a directory: its type, size and time.
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

// linkText returns the target of the link at p, or "" if there is no link or its target is unknown.
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

// kindText returns the type and the size of a target.
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
	head, err := readHead(file)
	if err != nil {
		return "a file, " + bytes + ", " + shared.PathErrorText(err)
	}
	return contentOf(head).name + ", " + bytes
}
