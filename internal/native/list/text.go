package list

import (
	"context"
	"fmt"
	"path"
	"strconv"
	"strings"
	"time"

	"gander/internal/files/workspace"
	"gander/internal/native/filekind"
	"gander/internal/native/lookup"
	"gander/internal/native/results"
	"gander/internal/native/section"
	"gander/internal/native/wording"
	"gander/internal/tools/toolerror"
)

// A listingText is the text of the first entries of a listing.
type listingText struct {
	*listing
	count    int // the number of entries shown
	top      int // the number of them in the listed directory
	end      int // the number of the last of these in the directory, from 1
	left     int // the number of entries in the directory after end, or 0 if none is shown
	lines    []string
	cut      bool   // entries are missing
	unlisted string // the first directory marked as not listed, or ""
}

func (l *listing) text(ctx context.Context, n int) *listingText {
	t := &listingText{listing: l, count: n}
	listed := l.folders[0]
	t.top = t.countOf(listed)
	t.end = l.request.Offset - 1 + t.top
	if t.top > 0 {
		t.left = listed.total - t.end
	}
	t.cut = t.left > 0
	t.addFolder(ctx, listed)
	return t
}

// countOf returns the number of entries of a folder that are shown.
func (t *listingText) countOf(f *folder) int {
	return min(max(t.count-f.before, 0), len(f.entries))
}

// listHint returns the call that lists a directory with the same kinds of entries as here. Its path
// is relative to the listed directory, which is "".
func (l *listing) listHint(ctx context.Context, rel string) string {
	hint := wording.Tool(ctx, "list_dir") + " " +
		wording.StringArgument(ctx, "path", lookup.Below(l.shown, rel))
	if l.request.details {
		hint += " " + wording.TrueArgument(ctx, "details")
	}
	if l.request.ignored {
		hint += " " + wording.TrueArgument(ctx, "ignored")
	}
	return hint
}

func (t *listingText) continueHint(ctx context.Context) string {
	return t.call.ContinueAt(ctx, t.shown, t.end+1)
}

func (t *listingText) heading(ctx context.Context) string {
	listed := t.folders[0]
	h := t.title() + ": "
	switch {
	case listed.total == 0 && listed.ignored == 0:
		return h + listed.empty
	case t.top == 0 && t.request.Offset > 1:
		offset := wording.IntArgument(ctx, "offset", t.request.Offset)
		return h + wording.Counted(listed.total, "entry") + ", none from " + offset
	case t.top == 0:
		return h + wording.Counted(listed.total, "entry")
	case t.top == listed.total:
		h += wording.Counted(t.top, "entry")
	default:
		h += fmt.Sprintf("entries %s-%s of %s",
			wording.Grouped(t.request.Offset), wording.Grouped(t.end), wording.Grouped(listed.total))
	}
	if below := t.count - t.top; below > 0 {
		h += fmt.Sprintf(" and %s below", wording.Grouped(below))
	}
	if t.request.details {
		h += " (bytes, time modified in " + wording.LocalTime(ctx, time.Now()).Format("MST)")
	}
	switch {
	case t.left > 0:
		h += "; " + t.continueHint(ctx)
	case t.cut:
		h += "; what is left out is marked"
	}
	return h
}

func (t *listingText) markers(ctx context.Context) (markers []string) {
	if t.left > 0 {
		markers = append(markers, "["+wording.Grouped(t.left)+" more; "+t.continueHint(ctx)+"]")
	}
	if t.unlisted != "" {
		markers = append(markers, "[... = not listed here; "+t.listHint(ctx, t.unlisted)+" lists it]")
	}
	ignored := 0
	for _, f := range t.folders {
		ignored += f.ignored
	}
	if n := t.unusedCount; n > 0 {
		markers = append(markers, "["+results.UnusedRules(t.unused, n)+"]")
	}
	if ignored > 0 {
		include := wording.IncludeIgnored(ctx)
		if t.call.Tool != "list_dir" { // read_file has no such argument
			include = t.listHint(ctx, "") + " " + wording.TrueArgument(ctx, "ignored") +
				" includes them"
		}
		markers = append(markers, "["+wording.Grouped(ignored)+" ignored; "+include+"]")
	}
	return markers
}

// title returns the beginning of the heading.
func (l *listing) title() string {
	if l.shown != "." {
		return strings.TrimSuffix(l.shown, "/") + "/" + aside(l.alike)
	}
	roots := l.call.Paths.RootNames()
	title := strings.TrimSuffix(roots[0], "/") + "/ (the root"
	isAlone := l.call.PathCount == 1
	if isAlone && len(roots) > 1 {
		title += "; other roots: " + strings.Join(roots[1:], ", ")
	}
	return title + ")"
}

// aside returns a clause in parentheses, or "".
func aside(clause string) string {
	if clause == "" {
		return ""
	}
	return " (" + clause + ")"
}

func (t *listingText) addFolder(ctx context.Context, f *folder) {
	count := t.countOf(f)
	for _, e := range f.entries[:count] {
		state, isListed := t.state(e)
		t.lines = append(t.lines, e.line+state)
		if !isListed && t.unlisted == "" {
			t.unlisted = path.Join(f.path, e.name)
		}
		if e.folder != nil {
			t.cut = t.cut || !isListed
			t.addFolder(ctx, e.folder)
		}
	}
	left := f.total - count
	isPart := count > 0 && left > 0
	if f.depth > 0 && isPart {
		indent := strings.Repeat("  ", f.depth)
		list := t.listHint(ctx, f.path) + " " + wording.IntArgument(ctx, "offset", count+1)
		t.lines = append(t.lines, fmt.Sprintf("%s[%s more; %s]", indent, wording.Grouped(left), list))
		t.cut = true
	}
}

// state returns the last column of the line of an entry, with the tab before it: what a directory
// of a tree has if its entries are not shown. isListed is false if it has entries or may have them.
func (t *listingText) state(e entry) (column string, isListed bool) {
	const unlisted = "\t..."
	sub := e.folder
	switch {
	case !e.isDir || t.request.depth == 1:
		return "", true
	case sub == nil:
		return unlisted, false
	case sub.err != nil:
		return "\t" + toolerror.PathText(sub.err), true
	case sub.dir == nil:
		return unlisted, false
	case t.countOf(sub) > 0:
		return "", true
	case sub.total > 0:
		return unlisted + " " + wording.Counted(sub.total, "entry"), false
	case sub.ignored > 0:
		return "\t" + wording.Grouped(sub.ignored) + " ignored", true
	default:
		return "\t" + sub.empty, true
	}
}

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
