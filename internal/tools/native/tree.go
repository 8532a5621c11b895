package native

import (
	"fmt"
	"strings"

	"gander/internal/files/text"
	"gander/internal/files/workspace"
	"gander/internal/tools/shared"
	"gander/tool"
)

// answer writes as many entries as the budget has room for, in the order in which they were read.
func (l *listing) answer() (tool.Result, error) {
	var best *tree
	largest(min(1, l.count), l.count, func(n int) bool {
		t := l.write(n)
		fits := l.budget.fits(sizeOf(t.text))
		if fits {
			best = t
		}
		return fits
	})
	if best == nil {
		return tool.Result{}, l.budget.tooSmall()
	}
	l.shown = best.most
	return tool.Result{Parts: tool.Text(string(best.text)), Exact: true, Truncated: best.cut}, nil
}

// A tree is the text of an answer with the first entries of a listing.
type tree struct {
	*listing
	most    int // entries shown
	text    []byte
	cut     bool   // entries are missing
	unread  string // the first directory that is marked as not listed; "" if there is none
	ignored int
}

func (l *listing) write(most int) *tree {
	t := &tree{listing: l, most: most, text: make([]byte, 0, 2*l.size.bytes)}
	start := l.folders[0]
	shown := t.shownOf(start)
	end := start.skipped + shown
	t.folder(start)
	body := t.text
	t.text = []byte(t.heading(start, shown, end) + "\n")
	t.text = append(t.text, body...)
	if shown > 0 && end < start.total {
		t.note("%s more; continue with offset=%d", number(start.total-end), end+1)
	}
	if t.unread != "" {
		t.note(`... = not listed here; list_dir path="%s" lists it`, t.unread)
	}
	for _, f := range l.folders {
		t.ignored += f.ignored
	}
	if t.ignored > 0 {
		t.note("%s ignored; include them with ignored=true", number(t.ignored))
	}
	t.text = t.text[:len(t.text)-1]
	return t
}

// note adds a line that is about the answer.
func (t *tree) note(format string, args ...any) {
	t.text = append(fmt.Appendf(append(t.text, '['), format, args...), "]\n"...)
}

// shownOf returns how many of a folder's entries are shown.
func (t *tree) shownOf(f *folder) int {
	if !f.read {
		return 0
	}
	return min(max(t.most-f.first, 0), len(f.entries))
}

// heading returns the first line: what is listed, and how much of it.
func (t *tree) heading(start *folder, shown, end int) string {
	h := t.name() + ": "
	switch {
	case start.total == 0 && start.ignored == 0:
		return h + "empty"
	case shown == 0:
		h += count(start.total, "entry")
		if t.offset > 1 {
			h += fmt.Sprintf(", none from offset=%d", t.offset)
		}
		return h
	case shown == start.total:
		h += count(start.total, "entry")
	default:
		h += fmt.Sprintf("entries %s-%s of %s", number(start.skipped+1), number(end), number(start.total))
	}
	if below := t.most - shown; below > 0 {
		h += fmt.Sprintf(" and %s below", number(below))
	}
	if t.details {
		h += " (bytes, time modified in UTC)"
	}
	switch {
	case end < start.total:
		h += fmt.Sprintf("; continue with offset=%d", end+1)
		t.cut = true
	case t.cut:
		h += "; what is left out is marked"
	}
	return h
}

// name returns the path of the listed directory as the heading shows it.
func (t *tree) name() string {
	shown := t.show(t.place)
	if shown != "." {
		return strings.TrimSuffix(shown, "/") + "/"
	}
	roots := t.rootNames()
	shown += " is " + roots[0]
	if len(roots) > 1 {
		shown += ", other roots are " + strings.Join(roots[1:], ", ")
	}
	return shown
}

// folder adds the entries of a folder that are shown, with what is below them.
func (t *tree) folder(f *folder) {
	shown := t.shownOf(f)
	for _, e := range f.entries[:shown] {
		t.indent(f)
		name := text.EscapePath(e.name)
		if e.kind != workspace.Directory {
			name = notNote(name)
		}
		t.text = append(t.text, name...)
		t.marks(f, e)
		t.text = append(t.text, '\n')
		if e.folder != nil {
			t.folder(e.folder)
		}
	}
	if left := f.total - shown; f.depth > 0 && shown > 0 && left > 0 {
		t.indent(f)
		t.note(`%s more; list_dir path="%s" offset=%d`, number(left), below(t.show(t.place), f.path), shown+1)
		t.cut = true
	}
}

func (t *tree) indent(f *folder) {
	for range f.depth {
		t.text = append(t.text, "  "...)
	}
}

// marks adds what follows the name of an entry: the mark of its kind, then what is said about it after tabs.
func (t *tree) marks(f *folder, e entry) {
	switch e.kind {
	case workspace.Directory:
		t.text = append(t.text, '/')
	case workspace.Symlink:
		t.text = append(t.text, '@')
	}
	t.text = append(t.text, e.details...)
	switch {
	case e.kind == workspace.Other:
		t.text = append(t.text, "\ta FIFO, socket or device"...)
	case e.target != "":
		t.text = append(append(t.text, "\t-> "...), e.target...)
	case e.kind == workspace.Directory && t.depth > 1:
		t.state(f, e)
	}
}

// state says of a directory in a tree what its entries below do not show.
func (t *tree) state(f *folder, e entry) {
	sub := e.folder
	switch {
	case sub != nil && sub.err != nil:
		t.text = append(append(t.text, '\t'), shared.PathErrorText(sub.err)...)
	case sub != nil && sub.read && sub.total == 0 && sub.ignored == 0:
		t.text = append(t.text, "\tempty"...)
	case sub != nil && sub.read && sub.total == 0:
		t.text = fmt.Appendf(t.text, "\t%s ignored", number(sub.ignored))
	case sub != nil && sub.read && t.shownOf(sub) > 0:
	case sub != nil && sub.read:
		t.text = fmt.Appendf(t.text, "\t... %s", count(sub.total, "entry"))
		t.leaveOut(f, e)
		t.cut = true
	default:
		t.text = append(t.text, "\t..."...)
		t.leaveOut(f, e)
		t.cut = t.cut || sub != nil
	}
}

// leaveOut notes that a directory is marked as not listed.
func (t *tree) leaveOut(f *folder, e entry) {
	if t.unread == "" {
		t.unread = below(t.show(t.place), f.join(e.name))
	}
}
