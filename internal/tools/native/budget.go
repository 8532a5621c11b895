package native

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"gander/internal/tools/shared"
	"gander/tool"
)

// A size is a size in bytes and in characters, which are counted as in [Settings.MaxChars].
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
	size  size
	data  int64 // the maximum size of all images
	given tool.Budget
}

// newBudget returns the budget of a call. The error is [shared.TooSmall].
func (f *files) newBudget(b tool.Budget) (budget, error) {
	limit, limited := b.Limit()
	if limited && limit == 0 {
		return budget{}, shared.TooSmall(b)
	}
	data := int64(maxImageBytes)
	if limit := b.MaxDataBytes; limit != nil {
		data = min(data, int64(max(*limit, 0)))
	}
	return budget{size{limit, f.settings.MaxChars}, data, b}, nil
}

// fits reports whether a text of size s is within the budget.
func (b budget) fits(s size) bool {
	return (b.size.bytes == 0 || s.bytes <= b.size.bytes) &&
		(b.size.chars == 0 || s.chars <= b.size.chars)
}

// tooSmall returns the error about a budget that is too small for any result.
func (b budget) tooSmall() error {
	if b.size.bytes > 0 && (b.size.chars == 0 || b.size.bytes < b.size.chars) {
		return shared.TooSmall(b.given)
	}
	message := "the output limit of %d characters is too small for any answer; raise it"
	return &tool.Error{Kind: tool.Failed, Message: fmt.Sprintf(message, b.size.chars)}
}

// least returns the number of bytes that fit in any case, or 0 if there is no limit.
func (b budget) least() int {
	if b.size.chars > 0 && (b.size.bytes == 0 || b.size.chars < b.size.bytes) {
		return b.size.chars
	}
	return b.size.bytes
}

// share returns the size of each of n sections.
func (b budget) share(n int) size {
	const apart = len("\n\n")
	return b.limited(size{max(b.size.bytes/n-apart, 1), max(b.size.chars/n-apart, 1)})
}

// limited returns s without the limits that b does not have.
func (b budget) limited(s size) size {
	if b.size.bytes == 0 {
		s.bytes = 0
	}
	if b.size.chars == 0 {
		s.chars = 0
	}
	return s
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

// count returns n with a noun.
func count(n int, noun string) string {
	if n != 1 {
		noun = plural(noun)
	}
	return number(n) + " " + noun
}

func plural(noun string) string {
	if stem, ok := strings.CutSuffix(noun, "y"); ok {
		return stem + "ies"
	}
	if strings.HasSuffix(noun, "ch") {
		return noun + "es"
	}
	return noun + "s"
}
