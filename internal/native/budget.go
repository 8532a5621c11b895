package native

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"gander/internal/files/text"
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

// maxImageBytes is the maximum size of all images in a result, whatever limit the caller sets.
const maxImageBytes = 32 << 20

// A budget is the maximum size of a result, or of a section of it. math.MaxInt means no limit.
type budget struct {
	size   size
	data   int64 // the maximum size of all images of the call
	shared bool  // by several sections, which have the size each
}

// unlimited is the budget of what is printed for another program, which has no limit.
var unlimited = budget{size: size{math.MaxInt, math.MaxInt}}

// newBudget returns the budget of a call. The error is [toolerror.TooSmall].
func (e *environment) newBudget(given tool.Budget) (budget, error) {
	limit, limited := given.Limit()
	if limited && limit == 0 {
		return budget{}, toolerror.TooSmall(given)
	}
	b := unlimited
	b.data = maxImageBytes
	if limited {
		b.size.bytes = limit
	}
	if e.settings.MaxChars > 0 {
		b.size.chars = e.settings.MaxChars
	}
	if given.MaxDataBytes != nil {
		b.data = min(b.data, int64(max(*given.MaxDataBytes, 0)))
	}
	return b, nil
}

func (b budget) fits(s size) bool { return s.bytes <= b.size.bytes && s.chars <= b.size.chars }

// tooSmall returns the error about a budget that is too small for any result.
func (b budget) tooSmall() error {
	limit, unit := b.size.chars, "characters"
	if b.size.bytes < b.size.chars {
		limit, unit = b.size.bytes, "bytes"
	}
	message := "the output limit of %d %s is too small for any answer; raise it"
	if b.shared {
		message = "%d %s for each path are too few for any answer; give fewer paths"
	}
	return &tool.Error{Kind: tool.Failed, Message: fmt.Sprintf(message, limit, unit)}
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

func (b budget) result(sections []section) (tool.Result, error) {
	result := tool.Result{Exact: true, NothingFound: true}
	var texts []string
	for _, s := range sections {
		texts = append(texts, s.text())
		result.Truncated = result.Truncated || s.truncated
		result.NothingFound = result.NothingFound && s.nothing
		result.Unreadable = result.Unreadable || s.unreadable
		result.Parts = append(result.Parts, s.data...)
	}
	all := strings.Join(texts, "\n\n")
	if !b.fits(sizeOf(all)) {
		return tool.Result{}, b.tooSmall()
	}
	result.Parts = append(tool.Text(all), result.Parts...)
	return result, nil
}

// largest returns the section with the largest number of items up to most that fits. If there are
// items, it has at least one, even if that does not fit.
func (b budget) largest(most int, write func(n int) section) (best section) {
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
		return write(least)
	}
	return best
}

// minFailure is the number of bytes up to which the section about a failed path says too little.
const minFailure = 40

// failure returns the section about one of several paths that failed, which is cut to the budget.
func (b budget) failure(err error) section {
	return section{heading: text.Cut("error: "+err.Error(), b.minimum()), unreadable: true}
}

// joined returns the error about several paths, which all failed. Its message has a line for each
// different failure, as many as fit, but at least one.
func (b budget) joined(failures []error) error {
	var messages []string
	used := 0
	for i, err := range failures {
		message := err.Error()
		if slices.Contains(messages, message) {
			continue
		}
		rest := "and " + counted(len(failures)-i, "more path")
		used += len(message) + len("\n")
		if i > 0 && used+len(rest) > b.minimum() {
			messages = append(messages, rest)
			break
		}
		messages = append(messages, message)
	}
	return toolerror.New(failures[0], strings.Join(messages, "\n"))
}
