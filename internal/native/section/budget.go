// Package section fits the sections of a result to its budget. A section is about one path and has
// a page of items.
package section

import (
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"gander/internal/files/text"
	"gander/internal/native/wording"
	"gander/internal/tools/page"
	"gander/internal/tools/toolerror"
	"gander/tool"
)

// A Size is a size in bytes and in characters, counted as in [Settings.MaxChars].
type Size struct{ Bytes, Chars int }

func SizeOf[T ~string | ~[]byte](s T) Size {
	n := Size{Bytes: len(s)}
	for i := 0; i < len(s); n.Chars++ {
		if s[i] < utf8.RuneSelf {
			i++
			continue
		}
		r, width := utf8.DecodeRuneInString(string(s[i:min(len(s), i+utf8.UTFMax)]))
		i += width
		if r > 0xffff {
			n.Chars++
		}
	}
	return n
}

// LineSize returns the size of a line with its line feed.
func LineSize[T ~string | ~[]byte](line T) Size { return SizeOf(line).Plus(Size{1, 1}) }

func (s Size) Plus(other Size) Size { return Size{s.Bytes + other.Bytes, s.Chars + other.Chars} }

func (s Size) Minus(other Size) Size { return Size{s.Bytes - other.Bytes, s.Chars - other.Chars} }

// MaxImageBytes is the maximum size of all images in a result, whatever limit the caller sets.
const MaxImageBytes = 32 << 20

// A Budget is the maximum size of a result, or of a section of it. math.MaxInt means no limit.
type Budget struct {
	Size   Size
	Data   int64 // the maximum size of all images of the call
	shared bool  // by several sections, which have the size each
}

// Unlimited is the budget of what is printed for another program, which has no limit.
var Unlimited = Budget{Size: Size{math.MaxInt, math.MaxInt}}

// NewBudget returns the budget of a call, whose text has at most maxChars characters unless that is
// 0. The error is [toolerror.TooSmall].
func NewBudget(given tool.Budget, maxChars int) (Budget, error) {
	limit, limited := given.Limit()
	if limited && limit == 0 {
		return Budget{}, toolerror.TooSmall(given)
	}
	b := Unlimited
	b.Data = MaxImageBytes
	if limited {
		b.Size.Bytes = limit
	}
	if maxChars > 0 {
		b.Size.Chars = maxChars
	}
	if given.MaxDataBytes != nil {
		b.Data = min(b.Data, int64(max(*given.MaxDataBytes, 0)))
	}
	return b, nil
}

func (b Budget) Fits(s Size) bool { return s.Bytes <= b.Size.Bytes && s.Chars <= b.Size.Chars }

// TooSmall returns the error about a budget that is too small for any result.
func (b Budget) TooSmall() error {
	limit, unit := b.Size.Chars, "characters"
	if b.Size.Bytes < b.Size.Chars {
		limit, unit = b.Size.Bytes, "bytes"
	}
	message := "the output limit of %d %s is too small for any answer; raise it"
	if b.shared {
		message = "%d %s for each path are too few for any answer; give fewer paths"
	}
	return toolerror.Failed(message, limit, unit)
}

// Minimum returns how many bytes of any text fit: n bytes have at most n characters.
func (b Budget) Minimum() int { return min(b.Size.Bytes, b.Size.Chars) }

// Share returns the budget of each of n sections.
func (b Budget) Share(n int) Budget {
	const apart = len("\n\n")
	b.Size = Size{max(b.Size.Bytes/n-apart, 1), max(b.Size.Chars/n-apart, 1)}
	b.shared = true
	return b
}

func (b Budget) Result(sections []Section) (tool.Result, error) {
	result := tool.Result{Exact: true, NothingFound: true}
	var texts []string
	for _, s := range sections {
		texts = append(texts, s.text())
		result.Truncated = result.Truncated || s.Truncated
		result.NothingFound = result.NothingFound && s.Nothing
		result.Unreadable = result.Unreadable || s.Unreadable
		result.Parts = append(result.Parts, s.Data...)
	}
	all := strings.Join(texts, "\n\n")
	if !b.Fits(SizeOf(all)) {
		return tool.Result{}, b.TooSmall()
	}
	result.Parts = append(tool.Text(all), result.Parts...)
	return result, nil
}

// Largest returns the section with the largest number of items up to most that fits. If there are
// items, it has at least one, even if that does not fit.
func (b Budget) Largest(most int, write func(n int) Section) (best Section) {
	least := min(1, most)
	n := page.Largest(least, most, func(n int) bool {
		s := write(n)
		fits := b.Fits(s.Size())
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

// MinFailure is the number of bytes up to which the section about a failed path says too little.
const MinFailure = 40

// Failure returns the section about one of several paths that failed, which is cut to the budget.
func (b Budget) Failure(err error) Section {
	return Section{Heading: text.Cut("error: "+err.Error(), b.Minimum()), Unreadable: true}
}

// Joined returns the error about several paths, which all failed. Its message has a line for each
// different failure, as many as fit, but at least one.
func (b Budget) Joined(failures []error) error {
	var messages []string
	used := 0
	for i, err := range failures {
		message := err.Error()
		if slices.Contains(messages, message) {
			continue
		}
		rest := "and " + wording.Counted(len(failures)-i, "more path")
		used += len(message) + len("\n")
		if i > 0 && used+len(rest) > b.Minimum() {
			messages = append(messages, rest)
			break
		}
		messages = append(messages, message)
	}
	return toolerror.Lines(failures[0], messages...)
}
