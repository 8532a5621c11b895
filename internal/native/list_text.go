package native

import (
	"fmt"
	"path"
	"strings"

	"gander/internal/tools/toolerror"
)

// A listingText is the text of the first entries of a listing.
type listingText struct {
	*listing
	shown    int // the number of entries
	lines    []string
	cut      bool   // entries are missing
	unlisted string // the first directory marked as not listed, or ""
}

func (t *listingText) shownOf(f *folder) int { return min(max(t.shown-f.first, 0), len(f.entries)) }

// listHint returns the hint to list a directory, whose path is relative to the listed one.
func (l *listing) listHint(rel string) string {
	return "list_dir " + stringArgument("path", below(l.call.show(l.location), rel))
}

// continueAfter returns how to continue after the first n entries.
func (l *listing) continueAfter(n int) string { return l.call.continueAt(l.location, n+1) }

func (t *listingText) heading(start *folder, shown, end int) string {
	h := t.name() + ": "
	switch {
	case start.total == 0 && start.ignored == 0:
		return h + start.empty
	case shown == 0 && t.request.offset > 1:
		offset := intArgument("offset", t.request.offset)
		return h + count(start.total, "entry") + ", none from " + offset
	case shown == 0:
		return h + count(start.total, "entry")
	case shown == start.total:
		h += count(shown, "entry")
	default:
		h += fmt.Sprintf("entries %s-%s of %s",
			number(t.request.offset), number(end), number(start.total))
	}
	if below := t.shown - shown; below > 0 {
		h += fmt.Sprintf(" and %s below", number(below))
	}
	if t.request.details {
		h += " (bytes, time modified in UTC)"
	}
	if end < start.total {
		h += "; " + t.continueAfter(end)
	} else if t.cut {
		h += "; what is left out is marked"
	}
	return h
}

func (l *listing) name() string {
	shown := l.call.show(l.location)
	if shown != "." {
		return strings.TrimSuffix(shown, "/") + "/"
	}
	roots := l.call.rootNames()
	name := strings.TrimSuffix(roots[0], "/") + "/ (the root"
	if len(roots) > 1 {
		name += "; other roots: " + strings.Join(roots[1:], ", ")
	}
	return name + ")"
}

func (t *listingText) addFolder(f *folder) {
	shown := t.shownOf(f)
	for _, e := range f.entries[:shown] {
		t.lines = append(t.lines, e.line+t.state(f, e))
		if e.folder != nil {
			t.addFolder(e.folder)
		}
	}
	if left := f.total - shown; f.depth > 0 && shown > 0 && left > 0 {
		indent := strings.Repeat("  ", f.depth)
		list := t.listHint(f.path) + " " + intArgument("offset", shown+1)
		t.lines = append(t.lines, fmt.Sprintf("%s[%s more; %s]", indent, number(left), list))
		t.cut = true
	}
}

// state returns the last column of the line of a directory of f in a tree, if its entries are not
// shown, with the tab before it, or "".
func (t *listingText) state(f *folder, e entry) string {
	sub, mark := e.folder, "\t..."
	switch {
	case !e.isDir || t.request.depth == 1:
		return ""
	case sub == nil:
	case sub.err != nil:
		return "\t" + toolerror.PathText(sub.err)
	case !sub.read:
		t.cut = true
	case t.shownOf(sub) > 0:
		return ""
	case sub.total > 0:
		mark += " " + count(sub.total, "entry")
		t.cut = true
	case sub.ignored > 0:
		return "\t" + number(sub.ignored) + " ignored"
	default:
		return "\t" + sub.empty
	}
	if t.unlisted == "" {
		t.unlisted = path.Join(f.path, e.name)
	}
	return mark
}
