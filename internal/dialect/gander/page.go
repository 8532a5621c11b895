package gander

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"gander/internal/dialect"
	"gander/internal/engine/search"
	"gander/internal/engine/text"
	"gander/tool"
)

// An extent is the part of what is found that an answer shows.
type extent struct {
	what  string // one of what is found
	first int    // the number of the first that is shown, from 1
	shown int
	seen  int  // how many are known
	more  bool // there are more, or may be
	order string
}

// continues reports whether there is more to show after the page.
func (e extent) continues() bool { return e.more || e.next() <= e.seen }

// partial reports whether the page does not show everything.
func (e extent) partial() bool { return e.first > 1 || e.continues() }

// next returns the number of the first that follows the page.
func (e extent) next() int { return e.first + e.shown }

// heading says how many of how many are shown, and how to go on.
func (e extent) heading() string {
	if !e.partial() {
		return count(e.shown, e.what) + e.order
	}
	atLeast := ""
	if e.more {
		atLeast = "at least "
	}
	heading := fmt.Sprintf("%s %s-%s of %s%s%s", plurals(e.what), number(e.first), number(e.next()-1), atLeast, number(e.seen), e.order)
	if e.continues() {
		heading += fmt.Sprintf("; continue with offset=%d", e.next())
	}
	return heading
}

// end is the last line, which says how to go on.
func (e extent) end() string {
	if !e.continues() {
		return ""
	}
	return fmt.Sprintf("[continue with offset=%d]", e.next())
}

// finish finishes an answer that has a page. The error is [dialect.TooSmall], also if there is no room for any item.
func (e extent) finish(a *answer, frame func(extent) (heading, end string)) (tool.Result, error) {
	if len(a.sizes) == 0 {
		return tool.Result{}, dialect.TooSmall(a.budget.given)
	}
	partial := false
	result, err := a.finish(func(shown int) (heading, end string) {
		e.shown = shown
		partial = e.continues()
		return frame(e)
	})
	result.Truncated = partial
	return result, err
}

// nothingMore is the answer to an offset beyond the last.
func nothingMore(what string, seen, offset int) string {
	return fmt.Sprintf("no more %s: there are %s, and offset is %s", plurals(what), number(seen), number(offset))
}

// count returns a number with the word for what it counts.
func count(n int, what string) string {
	if n != 1 {
		what = plurals(what)
	}
	return number(n) + " " + what
}

func plurals(what string) string {
	if stem, ok := strings.CutSuffix(what, "y"); ok {
		return stem + "ies"
	}
	return what + "s"
}

// Notes say what an answer leaves out.
type notes struct {
	totals     *search.Totals
	unreadable []string // paths with the reasons
	otherRoots []string
	continued  bool // there is more to come, so that nobody knows the totals
}

// mostNamed is how many of a kind are named.
const mostNamed = 3

// String returns the notes as clauses that follow a heading.
func (n notes) String() string {
	var b strings.Builder
	soFar := ""
	if n.continued {
		soFar = " so far"
	}
	if binary := n.totals.Binary.Load(); binary > 0 {
		fmt.Fprintf(&b, "; %s binary skipped%s", number(binary), soFar)
	}
	denied := n.totals.Denied()
	var clauses []string
	for _, pattern := range slices.Sorted(maps.Keys(denied)) {
		clauses = append(clauses, fmt.Sprintf("%s denied by pattern %s", number(denied[pattern]), dialect.Excerpt(pattern)))
	}
	b.WriteString(mention("; ", clauses, "deny patterns apply"))
	if len(n.unreadable) > 0 {
		b.WriteString("; unreadable: " + strings.TrimPrefix(mention(", ", n.unreadable, "files and directories"), ", "))
	}
	if len(n.otherRoots) > 0 {
		roots := make([]string, len(n.otherRoots))
		for i, r := range n.otherRoots {
			roots[i] = text.EscapePath(r)
		}
		b.WriteString("; other roots are not included: " + strings.Join(roots, ", "))
	}
	if ignored := n.totals.Ignored.Load(); ignored > 0 {
		fmt.Fprintf(&b, "; %s ignored%s; include them with ignored=true", number(ignored), soFar)
	}
	return b.String()
}

// mention names the first of some things, each after a separator, and counts the others.
func mention(separator string, things []string, what string) string {
	var b strings.Builder
	for _, t := range things[:min(mostNamed, len(things))] {
		b.WriteString(separator + t)
	}
	if others := len(things) - mostNamed; others > 0 {
		fmt.Fprintf(&b, "%s%s more %s", separator, number(others), what)
	}
	return b.String()
}
