package native

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"gander/internal/tools/shared"
	"gander/tool"
)

// A size is a size in bytes and in characters, counted as in [Settings.MaxChars].
type size struct{ bytes, chars int }

func sizeOf[T ~string | ~[]byte](s T) size {
	n := size{bytes: len(s)}
	for i := 0; i < len(s); n.chars++ {
		if s[i] < utf8.RuneSelf {
			i++
			continue
		}
		r, width := utf8.DecodeRuneInString(string(s[i:min(len(s), i+utf8.UTFMax)]))
		i += width
		if r > 0xffff {
			n.chars++
		}
	}
	return n
}

func (s size) plus(other size) size { return size{s.bytes + other.bytes, s.chars + other.chars} }

// A budget is the maximum size of a result, or of a section of it. math.MaxInt means no limit.
type budget struct {
	size  size
	data  int64 // the maximum size of all images
	given tool.Budget
}

// newBudget returns the budget of a call. The error is [shared.TooSmall].
func (f *files) newBudget(given tool.Budget) (budget, error) {
	limit, limited := given.Limit()
	if limited && limit == 0 {
		return budget{}, shared.TooSmall(given)
	}
	b := budget{size{math.MaxInt, math.MaxInt}, maxImageBytes, given}
	if limited {
		b.size.bytes = limit
	}
	if f.settings.MaxChars > 0 {
		b.size.chars = f.settings.MaxChars
	}
	if limit := given.MaxDataBytes; limit != nil {
		b.data = min(b.data, int64(max(*limit, 0)))
	}
	return b, nil
}

// fits reports whether s is within the budget.
func (b budget) fits(s size) bool { return s.bytes <= b.size.bytes && s.chars <= b.size.chars }

// tooSmall returns the error about a budget that is too small for any result.
func (b budget) tooSmall() error {
	if b.size.bytes < b.size.chars {
		return shared.TooSmall(b.given)
	}
	message := "the output limit of %d characters is too small for any answer; raise it"
	return &tool.Error{Kind: tool.Failed, Message: fmt.Sprintf(message, b.size.chars)}
}

// minimum returns the number of bytes that fit whatever characters they encode.
func (b budget) minimum() int { return min(b.size.bytes, b.size.chars) }

// share returns the budget of each of n sections.
func (b budget) share(n int) budget {
	const apart = len("\n\n")
	b.size = size{max(b.size.bytes/n-apart, 1), max(b.size.chars/n-apart, 1)}
	return b
}

// number formats n with commas between thousands.
func number[T ~int | ~int64](n T) string {
	digits := strconv.FormatInt(int64(n), 10)
	for i := len(digits) - 3; i > 0 && digits[i-1] != '-'; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// atLeast returns a number that is exact or a lower bound.
func atLeast(n int, exact bool) string {
	if !exact {
		return "at least " + number(n)
	}
	return number(n)
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
