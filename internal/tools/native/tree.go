package native

import (
	"fmt"
	"strings"

	"gander/internal/files/text"
	"gander/internal/files/workspace"
	"gander/internal/layout"
	"gander/internal/tools/shared"
)

// A tree is the text of a section with the first entries of a listing, in reading order.
type tree struct {
	listing *listing
	limit   int // of the entries shown
	text    []byte
	cut     bool   // entries are missing
	unread  string // the first directory marked as not listed, or ""
}

// write returns the section with as many entries as fit the budget.
func (l *listing) write() (section, error) {
	return l.call.budget.largest(min(1, l.count), l.count, func(n int) section {
		t := &tree{listing: l, limit: n, text: make([]byte, 0, 2*l.size.bytes)}
		return t.write()
	})
}

func (t *tree) write() (s section) {
	l := t.listing
	start := l.folders[0]
	shown := t.shownOf(start)
	end := start.skipped + shown
	t.writeFolder(start)
	s.Body, s.hasBody = strings.TrimSuffix(string(t.text), "\n"), len(t.text) > 0
	t.text = t.text[:0]
	if shown > 0 && end < start.total {
		t.cut = true
		t.note("%s more; continue with %s", number(start.total-end), t.next(end))
	}
	if t.unread != "" {
		t.note("... = not listed here; %s lists it", t.listHint(t.unread))
	}
	ignored := 0
	for _, f := range l.folders {
		ignored += f.ignored
	}
	if ignored > 0 {
		t.note("%s ignored; %s", number(ignored), l.call.includeIgnored())
	}
	s.Markers = strings.TrimSuffix(string(t.text), "\n")
	s.Heading, s.truncated = t.heading(start, shown, end), t.cut
	return s
}

// shownOf returns the number of shown entries of a folder.
func (t *tree) shownOf(f *folder) int { return min(max(t.limit-f.first, 0), len(f.entries)) }

// below returns the path in results of rel, which is relative to the listed directory.
func (t *tree) below(rel string) string {
	return below(t.listing.call.show(t.listing.location), rel)
}

// listHint returns the hint to list the directory that results show as path.
func (t *tree) listHint(path string, more ...layout.Argument) string {
	arguments := append([]layout.Argument{stringArgument("path", path)}, more...)
	return t.listing.call.hint("list_dir", arguments...)
}

// next returns the hint to continue after entry n of the listed directory.
func (t *tree) next(n int) string {
	return t.listing.call.next(t.listing.location, intArgument("offset", n+1))
}

// note adds a marker.
func (t *tree) note(format string, args ...any) {
	t.text = append(fmt.Appendf(append(t.text, '['), format, args...), "]\n"...)
}

// heading returns the first line: what is shown of how much.
func (t *tree) heading(start *folder, shown, end int) string {
	l := t.listing
	h := t.name() + ": "
	switch {
	case start.total == 0 && start.ignored == 0:
		return h + start.emptyText()
	case shown == 0 && l.request.offset > 1:
		offset := l.call.hint("", intArgument("offset", l.request.offset))
		return h + count(start.total, "entry") + ", none from " + offset
	case shown == 0, shown == start.total:
		h += count(start.total, "entry")
	default:
		h += fmt.Sprintf("entries %s-%s of %s",
			number(start.skipped+1), number(end), number(start.total))
	}
	if shown == 0 {
		return h
	}
	if below := t.limit - shown; below > 0 {
		h += fmt.Sprintf(" and %s below", number(below))
	}
	if l.request.details {
		h += " (bytes, time modified in UTC)"
	}
	if end < start.total {
		h += "; continue with " + t.next(end)
	} else if t.cut {
		h += "; what is left out is marked"
	}
	return h
}

// name returns the path of the listed directory in the heading.
func (t *tree) name() string {
	c := t.listing.call
	if shown := c.show(t.listing.location); shown != "." {
		return strings.TrimSuffix(shown, "/") + "/"
	}
	roots := c.rootNames()
	name := ". is " + roots[0]
	if len(roots) > 1 {
		name += ", other roots are " + strings.Join(roots[1:], ", ")
	}
	return name
}

// writeFolder adds the shown entries of a folder, with those below them.
func (t *tree) writeFolder(f *folder) {
	shown := t.shownOf(f)
	indent := strings.Repeat("  ", f.depth)
	for _, e := range f.entries[:shown] {
		name := text.EscapePath(e.name)
		if e.kind != workspace.Directory {
			name = notMarker(name)
		}
		t.text = append(append(t.text, indent...), name...)
		t.text = append(t.text, t.columns(f, e)...)
		t.text = append(t.text, '\n')
		if e.folder != nil {
			t.writeFolder(e.folder)
		}
	}
	if left := f.total - shown; f.depth > 0 && shown > 0 && left > 0 {
		t.text = append(t.text, indent...)
		list := t.listHint(t.below(f.path), intArgument("offset", shown+1))
		t.note("%s more; %s", number(left), list)
		t.cut = true
	}
}

// columns returns the mark of an entry's kind after its name, and its columns.
func (t *tree) columns(f *folder, e entry) string {
	switch {
	case e.kind == workspace.Symlink && e.link != "":
		return "@" + e.details + "\t-> " + e.link
	case e.kind == workspace.Symlink:
		return "@" + e.details
	case e.kind == workspace.Other:
		return e.details + "\t" + specialFile
	case e.kind != workspace.Directory:
		return e.details
	}
	state := ""
	if t.listing.request.depth > 1 {
		state = t.state(f, e)
	}
	if state != "" {
		state = "\t" + state
	}
	return "/" + e.details + state
}

// state returns the column for a directory whose entries are not shown, or "".
func (t *tree) state(f *folder, e entry) string {
	sub := e.folder
	mark := "..."
	switch {
	case sub == nil:
	case sub.err != nil:
		return shared.PathErrorText(sub.err)
	case !sub.read:
		t.cut = true
	case sub.total == 0 && sub.ignored == 0:
		return sub.emptyText()
	case sub.total == 0:
		return number(sub.ignored) + " ignored"
	case t.shownOf(sub) > 0:
		return ""
	default:
		mark += " " + count(sub.total, "entry")
		t.cut = true
	}
	if t.unread == "" {
		t.unread = t.below(f.join(e.name))
	}
	return mark
}
