package native

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"gander/internal/files/workspace"
	"gander/internal/tools/toolerror"
)

const specialFile = "a FIFO, socket or device"

// descriptionSection returns the section about an entry that is not a directory.
func (c *call) descriptionSection(t target) section {
	line := c.show(t.location)
	if t.linkErr != nil {
		return section{heading: line + "@: a link that cannot be followed: " + toolerror.PathText(t.linkErr)}
	}
	info, err := t.location.Lstat()
	if err == nil && info.Kind == workspace.Symlink {
		to := c.linkTarget(t.location)
		if to != "" {
			line += "@ -> " + to
		}
	}
	line += fmt.Sprintf(": %s, modified %s UTC", kindText(t), timeText(t.info.ModTime))
	return section{heading: line}
}

// kindNoun returns what an entry that is not a directory is.
func kindNoun(kind workspace.EntryKind) string {
	if kind == workspace.Regular {
		return "a file"
	}
	return specialFile
}

// kindText returns what an entry is: the type of a file and its size, or a special file.
func kindText(t target) string {
	if t.info.Kind != workspace.Regular {
		return specialFile
	}
	bytes := grouped(t.info.Size) + " bytes"
	file, kind, err := openFile(t.location)
	if err != nil {
		return "a file, " + bytes + ", " + toolerror.PathText(err)
	}
	file.Close()
	return kind.name + ", " + bytes
}

// linkTarget returns the path in results of a link's target, or "" if it cannot be followed.
func (e *environment) linkTarget(link workspace.Location) string {
	to, err := link.Resolve()
	if err != nil {
		return ""
	}
	info, err := to.Stat()
	if err != nil {
		return ""
	}
	shown := e.show(to)
	if info.Kind == workspace.Directory {
		return strings.TrimSuffix(shown, "/") + "/"
	}
	return shown
}

// details returns the columns with the size and the modification time of an entry.
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

func timeText(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05") }
