package native

import (
	"fmt"
	"math"
	"slices"
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

// A section is the part of a result about one path.
type section struct {
	heading   string // the first line, which describes the range shown
	failure   string // of a path that failed; the other texts are empty
	body      string // the entries: lines of a file, paths or matches
	markers   string // the lines after the entries, about omitted entries and how to get them
	hasBody   bool
	bodySize  size // if known
	truncated bool
	nothing   bool // a search found nothing
	// unreadable says that files or directories below the path could not be read.
	unreadable bool
	data       []tool.Part // images
}

func (s section) text() string {
	if s.failure != "" {
		return "error: " + s.failure
	}
	text := s.heading
	if s.hasBody && text != "" {
		text += "\n"
	}
	return joinLines(text+s.body, s.markers)
}

func (s section) size() size {
	total := sizeOf(joinLines(s.heading, s.markers))
	if s.bodySize == (size{}) {
		s.bodySize = sizeOf(s.body)
	}
	if s.hasBody && total != (size{}) {
		total = total.plus(size{1, 1})
	}
	return total.plus(s.bodySize)
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
	return b.only(section{heading: line})
}

func (b budget) only(s section) (section, error) {
	if !b.fits(s.size()) {
		return section{}, b.tooSmall()
	}
	return s, nil
}

// largest returns the section with the largest number of items, from lo to hi, that fits.
func (b budget) largest(lo, hi int, write func(n int) section) (best section, err error) {
	n := shared.Largest(lo, hi, func(n int) bool {
		s := write(n)
		fits := b.fits(s.size())
		if fits {
			best = s
		}
		return fits
	})
	if n < lo {
		return section{}, b.tooSmall()
	}
	return best, nil
}

// items collects the items of a section. An item is one or more whole lines. The heading and the
// markers depend on the number of items shown, so they are written last, and items are dropped from
// the end until the section fits the budget.
type items struct {
	budget budget
	text   strings.Builder
	sizes  []size // of the text up to the end of each item, with a line feed
	full   bool
	path   string // above the last item, or ""
	files  int    // the number of paths above items
}

// addBelow is [items.add] for an item below a path, unless the previous item has the same path.
func (a *items) addBelow(path string, item []byte) bool {
	if path != a.path {
		if item = slices.Concat([]byte(path+"\n"), item); a.files > 0 {
			item = slices.Concat([]byte("\n"), item)
		}
		a.path = path
		a.files++
	}
	return a.add(item)
}

// add adds an item. It adds nothing and reports false if the items alone exceed the budget.
func (a *items) add(item []byte) bool {
	total := sizeOf(item).plus(size{1, 1})
	if n := len(a.sizes); n > 0 {
		total = total.plus(a.sizes[n-1])
	}
	if a.full = a.full || !a.budget.fits(total); a.full {
		return false
	}
	a.text.Write(item)
	a.text.WriteByte('\n')
	a.sizes = append(a.sizes, total)
	return true
}

// extend adds a line to the last item. It drops the item if the line does not fit.
func (a *items) extend(line []byte) {
	if last := len(a.sizes) - 1; a.full {
		return
	} else if a.add(line) {
		a.sizes = slices.Delete(a.sizes, last, last+1)
	} else {
		a.sizes = a.sizes[:last]
	}
}

// finish returns the section with as many items as fit, at least one if there are items. frame
// returns the section of n items without its body.
func (a *items) finish(frame func(n int) section) (section, error) {
	if a.full && len(a.sizes) == 0 {
		return section{}, a.budget.tooSmall()
	}
	text := a.text.String()
	return a.budget.largest(min(1, len(a.sizes)), len(a.sizes), func(n int) section {
		s := frame(n)
		s.truncated = s.truncated || a.full || n < len(a.sizes)
		if s.hasBody = n > 0; s.hasBody {
			s.bodySize = a.sizes[n-1].plus(size{-1, -1})
			s.body = text[:s.bodySize.bytes]
		}
		return s
	})
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
