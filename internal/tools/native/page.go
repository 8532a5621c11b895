package native

import (
	"fmt"
	"strings"

	"gander/internal/tools/shared"
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

// finish finishes an answer that has a page. The error is [shared.TooSmall], also if there is no room for any item.
func (e extent) finish(a *answer, frame func(extent) (heading, end string)) (tool.Result, error) {
	if len(a.sizes) == 0 {
		return tool.Result{}, shared.TooSmall(a.budget.given)
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
