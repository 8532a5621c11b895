// Package wording has the words of results: numbers, nouns, arguments and suggestions.
package wording

import (
	"context"
	"strconv"
	"strings"
)

// JoinLines joins lines, which may be empty.
func JoinLines(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "\n" + b
}

// Grouped returns a number with commas between groups of three digits, such as 12,345.
func Grouped[T ~int | ~int64](n T) string {
	digits := strconv.FormatInt(int64(n), 10)
	for i := len(digits) - 3; i > 0 && digits[i-1] != '-'; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// AtLeast returns a number that is exact, or else "at least" the number.
func AtLeast(n int, exact bool) string {
	if !exact {
		return "at least " + Grouped(n)
	}
	return Grouped(n)
}

// Counted returns a number with a noun, which is given in the singular, such as "2 entries".
func Counted(n int, noun string) string {
	if n != 1 {
		noun = Plural(noun)
	}
	return Grouped(n) + " " + noun
}

// Plural returns the plural of a noun.
func Plural(noun string) string {
	if stem, ok := strings.CutSuffix(noun, "y"); ok {
		return stem + "ies"
	} else if strings.HasSuffix(noun, "ch") {
		return noun + "es"
	}
	return noun + "s"
}

// IncludeIgnored is the hint of a result that leaves out what matches git's ignore rules.
func IncludeIgnored(ctx context.Context) string {
	return "include them with " + TrueArgument(ctx, "ignored")
}

// DidYouMean returns the clause of an error that suggests names.
func DidYouMean(names []string) string {
	last := len(names) - 1
	choice := names[last]
	if last > 0 {
		choice = strings.Join(names[:last], ", ") + " or " + choice
	}
	return "; did you mean " + choice + "?"
}
