package native

import (
	"fmt"
	"strings"

	"gander/internal/layout"
	"gander/internal/tools/shared"
)

// write returns the section with n entries.
func (l *listing) write(n int) (s section) {
	l.shown, l.lines, l.cut, l.unread = n, nil, false, ""
	start := l.folders[0]
	shown := l.shownOf(start)
	end := l.request.offset - 1 + shown
	l.writeFolder(start)
	var markers []string
	if left := start.total - end; shown > 0 && left > 0 {
		l.cut = true
		markers = append(markers, fmt.Sprintf("[%s more; continue with %s]", number(left), l.next(end)))
	}
	if l.unread != "" {
		list := l.listHint(l.unread)
		markers = append(markers, fmt.Sprintf("[... = not listed here; %s lists it]", list))
	}
	ignored := 0
	for _, f := range l.folders {
		ignored += f.ignored
	}
	if ignored > 0 {
		include := l.call.includeIgnored()
		markers = append(markers, fmt.Sprintf("[%s ignored; %s]", number(ignored), include))
	}
	s.Heading, s.truncated = l.heading(start, shown, end), l.cut
	s.Body, s.hasBody = strings.Join(l.lines, "\n"), len(l.lines) > 0
	s.Markers = strings.Join(markers, "\n")
	return s
}

// shownOf returns the number of shown entries of a folder.
func (l *listing) shownOf(f *folder) int { return min(max(l.shown-f.first, 0), len(f.entries)) }

// showBelow returns the path in results of a path relative to the listed directory.
func (l *listing) showBelow(rel string) string { return below(l.call.show(l.location), rel) }

// listHint returns the hint to list the directory that results show as path.
func (l *listing) listHint(path string, more ...layout.Argument) string {
	arguments := append([]layout.Argument{stringArgument("path", path)}, more...)
	return l.call.hint("list_dir", arguments...)
}

// next returns the hint to continue after entry n of the listed directory.
func (l *listing) next(n int) string { return l.call.next(l.location, intArgument("offset", n+1)) }

// heading returns the first line: what is shown of how much.
func (l *listing) heading(start *folder, shown, end int) string {
	h := l.name() + ": "
	switch {
	case start.total == 0 && start.ignored == 0:
		return h + start.emptyText()
	case shown == 0 && l.request.offset > 1:
		offset := l.call.hint("", intArgument("offset", l.request.offset))
		return h + count(start.total, "entry") + ", none from " + offset
	case shown == 0:
		return h + count(start.total, "entry")
	case shown == start.total:
		h += count(shown, "entry")
	default:
		h += fmt.Sprintf("entries %s-%s of %s",
			number(l.request.offset), number(end), number(start.total))
	}
	if below := l.shown - shown; below > 0 {
		h += fmt.Sprintf(" and %s below", number(below))
	}
	if l.request.details {
		h += " (bytes, time modified in UTC)"
	}
	if end < start.total {
		h += "; continue with " + l.next(end)
	} else if l.cut {
		h += "; what is left out is marked"
	}
	return h
}

// name returns the path of the listed directory in the heading.
func (l *listing) name() string {
	if shown := l.call.show(l.location); shown != "." {
		return strings.TrimSuffix(shown, "/") + "/"
	}
	roots := l.call.rootNames()
	name := ". is " + roots[0]
	if len(roots) > 1 {
		name += ", other roots are " + strings.Join(roots[1:], ", ")
	}
	return name
}

// writeFolder adds the shown entries of a folder, with those below them.
func (l *listing) writeFolder(f *folder) {
	shown := l.shownOf(f)
	for _, e := range f.entries[:shown] {
		l.lines = append(l.lines, e.line+l.state(f, e))
		if e.folder != nil {
			l.writeFolder(e.folder)
		}
	}
	if left := f.total - shown; f.depth > 0 && shown > 0 && left > 0 {
		indent := strings.Repeat("  ", f.depth)
		list := l.listHint(l.showBelow(f.path), intArgument("offset", shown+1))
		l.lines = append(l.lines, fmt.Sprintf("%s[%s more; %s]", indent, number(left), list))
		l.cut = true
	}
}

// state returns the last column of the line of a directory of f in a tree, if its entries are not
// shown, with the tab before it, or "".
func (l *listing) state(f *folder, e entry) string {
	sub, mark := e.folder, "\t..."
	switch {
	case !e.isDir || l.request.depth == 1:
		return ""
	case sub == nil:
	case sub.err != nil:
		return "\t" + shared.PathErrorText(sub.err)
	case !sub.read:
		l.cut = true
	case l.shownOf(sub) > 0:
		return ""
	case sub.total > 0:
		mark += " " + count(sub.total, "entry")
		l.cut = true
	case sub.ignored > 0:
		return "\t" + number(sub.ignored) + " ignored"
	default:
		return "\t" + sub.emptyText()
	}
	if l.unread == "" {
		l.unread = l.showBelow(f.join(e.name))
	}
	return mark
}

// emptyText returns the description of a folder without entries.
func (f *folder) emptyText() string {
	if f.git {
		return "empty but for .git"
	}
	return "empty"
}
