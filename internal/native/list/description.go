package list

import (
	"context"
	"strconv"
	"strings"

	"gander/internal/files/workspace"
	"gander/internal/native/filekind"
	"gander/internal/native/lookup"
	"gander/internal/native/section"
	"gander/internal/native/wording"
	"gander/internal/tools/toolerror"
)

// descriptionSection returns the section about an entry that is not a directory.
func descriptionSection(ctx context.Context, p *lookup.Paths, t lookup.Target) section.Section {
	line := p.Show(t.Location)
	if t.LinkErr != nil {
		return section.Section{Heading: line + "@: a link that cannot be followed: " +
			toolerror.PathText(t.LinkErr)}
	}
	info, err := t.Location.Lstat()
	if err == nil && info.Kind == workspace.Symlink {
		to := linkTarget(p, t.Location)
		if to != "" {
			line += "@ -> " + to
		}
	}
	modified := wording.LocalTime(ctx, t.Info.ModTime).Format(timeFormat + " MST")
	line += aside(t.AlikeClause()) + ": " + kindText(t) + ", modified " + modified
	return section.Section{Heading: line}
}

// kindText returns what an entry is: the type of a file and its size, or a special file.
func kindText(t lookup.Target) string {
	if t.Info.Kind != workspace.Regular {
		return lookup.SpecialFile
	}
	bytes := wording.Grouped(t.Info.Size) + " bytes"
	file, kind, err := filekind.Open(t.Location)
	if err != nil {
		return "a file, " + bytes + ", " + toolerror.PathText(err)
	}
	file.Close()
	return kind.Name + ", " + bytes
}

// linkTarget returns the path in results of a link's target, or "" if it cannot be followed.
func linkTarget(p *lookup.Paths, link workspace.Location) string {
	to, err := link.Resolve()
	if err != nil {
		return ""
	}
	info, err := to.Stat()
	if err != nil {
		return ""
	}
	shown := p.Show(to)
	if info.Kind == workspace.Directory {
		return strings.TrimSuffix(shown, "/") + "/"
	}
	return shown
}

// details returns the columns with the size and the modification time of an entry.
func details(ctx context.Context, dir *workspace.Dir, name string) string {
	info, err := dir.Lstat(name)
	if err != nil {
		return "\t?\t?"
	}
	bytes := "-"
	if info.Kind == workspace.Regular {
		bytes = strconv.FormatInt(info.Size, 10)
	}
	return "\t" + bytes + "\t" + wording.LocalTime(ctx, info.ModTime).Format(timeFormat)
}

const timeFormat = "2006-01-02 15:04:05"
