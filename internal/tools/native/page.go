package native

import (
	"fmt"
	"strings"
)

// An extent is the part of what a search found that a section shows.
type extent struct {
	call  *call
	start target
	what  string // singular of what is found
	first int    // number of the first one shown, from 1
	shown int
	seen  int  // number of those known
	more  bool // there are more, or may be
	order string
}

// continues reports whether there are more after the page.
func (e extent) continues() bool { return e.more || e.next() <= e.seen }

// partial reports whether the page does not show everything.
func (e extent) partial() bool { return e.first > 1 || e.continues() }

// next returns the number of the first one after the page.
func (e extent) next() int { return e.first + e.shown }

// nextHint returns the hint to continue after the page.
func (e extent) nextHint() string {
	return "continue with " + e.call.next(e.start.place, intArgument(offsetArgument, e.next()))
}

// heading returns the clause that says how many of how many are shown, and how to continue.
func (e extent) heading() string {
	if !e.partial() {
		return count(e.shown, e.what) + e.order
	}
	atLeast := ""
	if e.more {
		atLeast = "at least "
	}
	heading := fmt.Sprintf("%s %s-%s of %s%s%s", plural(e.what), number(e.first), number(e.next()-1),
		atLeast, number(e.seen), e.order)
	if e.continues() {
		heading += "; " + e.nextHint()
	}
	return heading
}

// marker returns the last line, which says how to continue, or "".
func (e extent) marker() string {
	if !e.continues() {
		return ""
	}
	return "[" + e.nextHint() + "]"
}

// finish finishes the section of a page. The error is [budget.tooSmall], also if no item fits.
func (e extent) finish(a *answer, frame func(extent) (heading, marker string)) (section, error) {
	if len(a.sizes) == 0 {
		return section{}, a.budget.tooSmall()
	}
	s, err := a.finish(func(shown int) (heading, markers string) {
		e.shown = shown
		return frame(e)
	})
	s.truncated = err == nil && e.continues()
	return s, err
}

// nothingMore returns the heading for an offset beyond the last one.
func nothingMore(what string, seen, offset int) string {
	return fmt.Sprintf("no more %s: there are %s, and offset is %s",
		plural(what), number(seen), number(offset))
}

// count returns n with the word for what it counts.
func count(n int, what string) string {
	if n != 1 {
		what = plural(what)
	}
	return number(n) + " " + what
}

func plural(what string) string {
	if stem, ok := strings.CutSuffix(what, "y"); ok {
		return stem + "ies"
	}
	if strings.HasSuffix(what, "ch") {
		return what + "es"
	}
	return what + "s"
}
