package native

import (
	"fmt"
	"strconv"
	"unicode/utf8"

	"gander/internal/tools/shared"
	"gander/tool"
)

// A size is that of text: in bytes, and in characters as [Settings.MaxChars] counts them.
type size struct{ bytes, chars int }

func sizeOf[T ~string | ~[]byte](s T) size {
	n := size{bytes: len(s)}
	for i := 0; i < len(s); {
		if s[i] < utf8.RuneSelf {
			i++
			n.chars++
			continue
		}
		r, width := utf8.DecodeRuneInString(string(s[i:min(len(s), i+utf8.UTFMax)]))
		i += width
		n.chars++
		if r > 0xffff {
			n.chars++
		}
	}
	return n
}

func (s size) plus(other size) size { return size{s.bytes + other.bytes, s.chars + other.chars} }

// A budget is the most that the text of an answer may have. 0 sets no limit.
type budget struct {
	size
	given tool.Budget
}

// budget returns the budget of a call. The error is [shared.TooSmall].
func (f *files) budget(b tool.Budget) (budget, error) {
	limit, limited := b.Limit()
	if limited && limit == 0 {
		return budget{}, shared.TooSmall(b)
	}
	return budget{size{limit, f.settings.MaxChars}, b}, nil
}

// fits reports whether text of a size is within the budget.
func (b budget) fits(s size) bool {
	return (b.bytes == 0 || s.bytes <= b.bytes) && (b.chars == 0 || s.chars <= b.chars)
}

// tooSmall returns the error of a call whose budget has no room for an answer.
func (b budget) tooSmall() error {
	if b.bytes > 0 && (b.chars == 0 || b.bytes < b.chars) {
		return shared.TooSmall(b.given)
	}
	return &tool.Error{Kind: tool.Failed, Message: fmt.Sprintf("the output limit of %d characters is too small for any answer; raise it", b.chars)}
}

// answer returns an answer that is a text alone.
func (b budget) answer(text string) (tool.Result, error) {
	if !b.fits(sizeOf(text)) {
		return tool.Result{}, b.tooSmall()
	}
	return tool.Result{Parts: tool.Text(text), Exact: true}, nil
}

// largest returns the largest number from least to most for which a text fits, given that all smaller ones fit as well. It returns
// less than least if there is none.
func largest(least, most int, fits func(n int) bool) int {
	for n := most; least <= most; n = (least + most + 1) / 2 {
		if fits(n) {
			least = n + 1
		} else {
			most = n - 1
		}
	}
	return most
}

// least returns the number of bytes that are within the budget whatever they are, or 0 if there is no limit.
func (b budget) least() int {
	if b.chars > 0 && (b.bytes == 0 || b.chars < b.bytes) {
		return b.chars
	}
	return b.bytes
}

// An answer is the text of an answer while it is written: a heading, items, and an end. Each is one or more whole lines. The
// heading and the end depend on how many items there are, so they are written last; items are dropped from the end until
// all of it is within the budget.
type answer struct {
	budget budget
	text   []byte
	sizes  []size // of the items up to each one
	full   bool
}

// add adds an item, which is its parts joined. It reports false, and adds nothing, if the items alone exceed the budget.
func (a *answer) add(parts ...[]byte) bool {
	if a.full {
		return false
	}
	total := a.total()
	start := len(a.text)
	for _, p := range parts {
		a.text = append(a.text, p...)
	}
	a.text = append(a.text, '\n')
	total = total.plus(sizeOf(a.text[start:]))
	if !a.budget.fits(total) {
		a.text, a.full = a.text[:start], true
		return false
	}
	a.sizes = append(a.sizes, total)
	return true
}

// total returns the size of all items.
func (a *answer) total() size {
	if len(a.sizes) == 0 {
		return size{}
	}
	return a.sizes[len(a.sizes)-1]
}

// finish returns the answer. frame returns the heading and the end of an answer that shows so many items; "" is none. It may
// be called several times. The error is [shared.TooSmall], if there is no room for the frame and one of the items.
func (a *answer) finish(frame func(shown int) (heading, end string)) (tool.Result, error) {
	if a.full && len(a.sizes) == 0 {
		return tool.Result{}, a.budget.tooSmall()
	}
	for shown := len(a.sizes); ; shown-- {
		heading, end := frame(shown)
		total := size{}
		if shown > 0 {
			total = a.sizes[shown-1]
		}
		body := a.text[:total.bytes]
		if end == "" && shown > 0 {
			body, total = body[:len(body)-1], total.plus(size{-1, -1}) // an answer ends without a line feed
		}
		if heading != "" && (shown > 0 || end != "") {
			heading += "\n"
		}
		total = total.plus(sizeOf(heading)).plus(sizeOf(end))
		if a.budget.fits(total) {
			text := make([]byte, 0, total.bytes)
			text = append(append(append(text, heading...), body...), end...)
			return tool.Result{Parts: tool.Text(string(text)), Exact: true, Truncated: a.full || shown < len(a.sizes)}, nil
		}
		if shown <= 1 {
			return tool.Result{}, a.budget.tooSmall()
		}
	}
}

// number writes a number with commas between thousands.
func number[T ~int | ~int64](n T) string {
	digits := strconv.FormatInt(int64(n), 10)
	start := 0
	if n < 0 {
		start = 1
	}
	for i := len(digits) - 3; i > start; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}
