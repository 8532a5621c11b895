package native

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"gander/internal/tools/page"
	"gander/internal/tools/toolerror"
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

// lineSize returns the size of a line with its line feed.
func lineSize[T ~string | ~[]byte](line T) size { return sizeOf(line).plus(size{1, 1}) }

func (s size) plus(other size) size { return size{s.bytes + other.bytes, s.chars + other.chars} }

func (s size) minus(other size) size { return size{s.bytes - other.bytes, s.chars - other.chars} }

// A budget is the maximum size of a result, or of a section of it. math.MaxInt means no limit.
type budget struct {
	size   size
	data   int64 // the maximum size of all images
	used   int64 // the size of the images above
	shared bool  // by several sections, which have the size each
	given  tool.Budget
}

// newBudget returns the budget of a call. The error is [toolerror.TooSmall].
func (f *files) newBudget(given tool.Budget) (budget, error) {
	limit, limited := given.Limit()
	if limited && limit == 0 {
		return budget{}, toolerror.TooSmall(given)
	}
	b := budget{size: size{math.MaxInt, math.MaxInt}, data: maxImageBytes, given: given}
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

func (b budget) fits(s size) bool { return s.bytes <= b.size.bytes && s.chars <= b.size.chars }

// tooSmall returns the error about a budget that is too small for any result.
func (b budget) tooSmall() error {
	if b.size.bytes < b.size.chars {
		return toolerror.TooSmall(b.given)
	}
	message := fmt.Sprintf("the output limit of %d characters is too small for any answer; raise it",
		b.size.chars)
	if b.shared {
		message = fmt.Sprintf("%d characters for each path are too few for any answer; give fewer paths",
			b.size.chars)
	}
	return &tool.Error{Kind: tool.Failed, Message: message}
}

// minimum returns the number of bytes that fit whatever characters they encode.
func (b budget) minimum() int { return min(b.size.bytes, b.size.chars) }

// share returns the budget of each of n sections.
func (b budget) share(n int) budget {
	const apart = len("\n\n")
	b.size = size{max(b.size.bytes/n-apart, 1), max(b.size.chars/n-apart, 1)}
	b.shared = true
	return b
}

// A section is the part of a result about one path.
type section struct {
	heading string // the first line, which describes the range shown

	body      string // the entries: lines of a file, paths or matches
	markers   string // the lines after the entries, about omitted entries and how to get them
	items     int    // of the body; without any, it is no line
	bodySize  size   // if known
	truncated bool
	nothing   bool // a search found nothing
	// unreadable says that files or directories below the path could not be read.
	unreadable bool
	data       []tool.Part // images
}

func (s section) text() string {
	text := s.heading
	if s.items > 0 && text != "" {
		text += "\n"
	}
	return joinLines(text+s.body, s.markers)
}

func (s section) size() size {
	frame := joinLines(s.heading, s.markers)
	total := sizeOf(frame)
	if s.items > 0 && frame != "" {
		total = lineSize(frame)
	}
	if s.bodySize == (size{}) {
		s.bodySize = sizeOf(s.body)
	}
	return total.plus(s.bodySize)
}

// endWith ends the heading with a hint, and the section with a marker: what is left, and the hint.
func (s *section) endWith(left, hint string) {
	s.heading += "; " + hint
	s.markers = "[" + left + "; " + hint + "]"
}

// joinLines joins lines, which may be empty.
func joinLines(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "\n" + b
}

// heading returns a section that is a single line.
func (b budget) heading(line string) (section, error) {
	s := section{heading: line}
	if !b.fits(s.size()) {
		return section{}, b.tooSmall()
	}
	return s, nil
}

// largest returns the section with the largest number of items up to most that fits. If there are
// items, it has at least one.
func (b budget) largest(most int, write func(n int) section) (best section, err error) {
	least := min(1, most)
	n := page.Largest(least, most, func(n int) bool {
		s := write(n)
		fits := b.fits(s.size())
		if fits {
			best = s
		}
		return fits
	})
	if n < least {
		return section{}, b.tooSmall()
	}
	return best, nil
}

func number[T ~int | ~int64](n T) string {
	digits := strconv.FormatInt(int64(n), 10)
	for i := len(digits) - 3; i > 0 && digits[i-1] != '-'; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

func atLeast(n int, exact bool) string {
	if !exact {
		return "at least " + number(n)
	}
	return number(n)
}

func count(n int, noun string) string {
	if n != 1 {
		noun = plural(noun)
	}
	return number(n) + " " + noun
}

func plural(noun string) string {
	if stem, ok := strings.CutSuffix(noun, "y"); ok {
		return stem + "ies"
	} else if strings.HasSuffix(noun, "ch") {
		return noun + "es"
	}
	return noun + "s"
}
