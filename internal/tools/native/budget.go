package native

import (
	"fmt"
	"strconv"
	"unicode/utf8"

	"gander/internal/tools/shared"
	"gander/tool"
)

// A size is the size of a text in bytes, and in characters as [Settings.MaxChars] counts them.
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

// A budget is the maximum size of a result, or of a section of it. 0 means no limit.
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

// fits reports whether a text of size s is within the budget.
func (b budget) fits(s size) bool {
	return (b.bytes == 0 || s.bytes <= b.bytes) && (b.chars == 0 || s.chars <= b.chars)
}

// tooSmall returns the error of a call whose budget is too small for any result.
func (b budget) tooSmall() error {
	if b.bytes > 0 && (b.chars == 0 || b.bytes < b.chars) {
		return shared.TooSmall(b.given)
	}
	message := "the output limit of %d characters is too small for any answer; raise it"
	return &tool.Error{Kind: tool.Failed, Message: fmt.Sprintf(message, b.chars)}
}

// least returns the number of bytes that are within the budget whatever they are, or 0 if there is
// no limit.
func (b budget) least() int {
	if b.chars > 0 && (b.bytes == 0 || b.chars < b.bytes) {
		return b.chars
	}
	return b.bytes
}

// number formats n with commas between thousands.
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
