package native

import (
	"fmt"
	"strings"

	"gander/internal/files/text"
	"gander/internal/files/workspace"
	"gander/internal/layout"
	"gander/internal/tools/shared"
)

// write returns the section with as many entries as fit the budget, in reading order.
func (l *listing) write() (section, error) {
	s, _, err := l.call.budget.largest(min(1, l.count), l.count, l.writeFirst)
	return s, err
}

// A tree is the text of a section with the first entries of a listing.
type tree struct {
	listing *listing
	limit   int // of the entries shown
	text    []byte
	cut     bool   // entries are missing
	unread  string // the first directory marked as not listed, or ""
}

// writeFirst returns the section with the first n entries.
func (l *listing) writeFirst(n int) section {
	t := &tree{listing: l, limit: n, text: make([]byte, 0, 2*l.size.bytes)}
	start := l.folders[0]
	shown := t.shownOf(start)
	end := start.skipped + shown
	t.writeFolder(start)
	var s section
	if s.hasBody = len(t.text) > 0; s.hasBody {
		s.Body = string(t.text[:len(t.text)-1])
	}
	t.text = t.text[:0]
	s.Heading = t.heading(start, shown, end)
	if shown > 0 && end < start.total {
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
	s.truncated = t.cut
	return s
}

// listHint returns the hint to list the directory that results show as path.
func (t *tree) listHint(path string, more ...layout.Argument) string {
	arguments := append([]layout.Argument{stringArgument(pathArgument, path)}, more...)
	return t.listing.call.hint("list_dir", arguments...)
}

// next returns the hint to continue after entry n of the listed directory.
func (t *tree) next(n int) string {
	return t.listing.call.next(t.listing.location, intArgument(offsetArgument, n+1))
}

// below returns the path in results of rel, which is relative to the listed directory.
func (t *tree) below(rel string) string {
	return below(t.listing.call.show(t.listing.location), rel)
}

// note adds a marker.
func (t *tree) note(format string, args ...any) {
	t.text = append(fmt.Appendf(append(t.text, '['), format, args...), "]\n"...)
}

// shownOf returns the number of shown entries of a folder.
func (t *tree) shownOf(f *folder) int {
	if !f.read {
		return 0
	}
	return min(max(t.limit-f.first, 0), len(f.entries))
}

// heading returns the first line: what is shown of how much.
func (t *tree) heading(start *folder, shown, end int) string {
	h := t.name() + ": "
	switch {
	case start.total == 0 && start.ignored == 0:
		return h + start.emptyText()
	case shown == 0:
		h += count(start.total, "entry")
		if t.listing.request.offset > 1 {
			offset := intArgument(offsetArgument, t.listing.request.offset)
			h += ", none from " + t.listing.call.hint("", offset)
		}
		return h
	case shown == start.total:
		h += count(start.total, "entry")
	default:
		h += fmt.Sprintf("entries %s-%s of %s",
			number(start.skipped+1), number(end), number(start.total))
	}
	if below := t.limit - shown; below > 0 {
		h += fmt.Sprintf(" and %s below", number(below))
	}
	if t.listing.request.details {
		h += " (bytes, time modified in UTC)"
	}
	switch {
	case end < start.total:
		h += "; continue with " + t.next(end)
		t.cut = true
	case t.cut:
		h += "; what is left out is marked"
	}
	return h
}

// name returns the path of the listed directory in the heading.
func (t *tree) name() string {
	c := t.listing.call
	shown := c.show(t.listing.location)
	if shown != "." {
		return strings.TrimSuffix(shown, "/") + "/"
	}
	roots := c.rootNames()
	shown += " is " + roots[0]
	if len(roots) > 1 {
		shown += ", other roots are " + strings.Join(roots[1:], ", ")
	}
	return shown
}

// writeFolder adds the shown entries of a folder, with those below them.
func (t *tree) writeFolder(f *folder) {
	shown := t.shownOf(f)
	for _, e := range f.entries[:shown] {
		t.indent(f)
		name := text.EscapePath(e.name)
		if e.kind != workspace.Directory {
			name = notMarker(name)
		}
		t.text = append(t.text, name...)
		t.columns(f, e)
		t.text = append(t.text, '\n')
		if e.folder != nil {
			t.writeFolder(e.folder)
		}
	}
	if left := f.total - shown; f.depth > 0 && shown > 0 && left > 0 {
		t.indent(f)
		list := t.listHint(t.below(f.path), intArgument(offsetArgument, shown+1))
		t.note("%s more; %s", number(left), list)
		t.cut = true
	}
}

func (t *tree) indent(f *folder) {
	for range f.depth {
		t.text = append(t.text, "  "...)
	}
}

// columns adds the mark of an entry's kind after its name, and then its columns.
func (t *tree) columns(f *folder, e entry) {
	switch e.kind {
	case workspace.Directory:
		t.text = append(t.text, '/')
	case workspace.Symlink:
		t.text = append(t.text, '@')
	}
	t.text = append(t.text, e.details...)
	switch {
	case e.kind == workspace.Other:
		t.text = append(t.text, "\t"+specialFile...)
	case e.link != "":
		t.text = append(append(t.text, "\t-> "...), e.link...)
	case e.kind == workspace.Directory && t.listing.request.depth > 1:
		t.state(f, e)
	}
}

// state adds the column about a directory that is shown without its entries.
func (t *tree) state(f *folder, e entry) {
	sub := e.folder
	switch {
	case sub == nil:
		t.markUnread(f, e, "...")
	case sub.err != nil:
		t.text = append(append(t.text, '\t'), shared.PathErrorText(sub.err)...)
	case !sub.read:
		t.markUnread(f, e, "...")
		t.cut = true
	case sub.total == 0 && sub.ignored == 0:
		t.text = append(append(t.text, '\t'), sub.emptyText()...)
	case sub.total == 0:
		t.text = fmt.Appendf(t.text, "\t%s ignored", number(sub.ignored))
	case t.shownOf(sub) == 0:
		t.markUnread(f, e, "... "+count(sub.total, "entry"))
		t.cut = true
	}
}

// markUnread marks a directory as not listed.
func (t *tree) markUnread(f *folder, e entry, mark string) {
	t.text = append(append(t.text, '\t'), mark...)
	if t.unread == "" {
		t.unread = t.below(f.join(e.name))
	}
}
