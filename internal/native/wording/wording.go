// Package wording has the words of results: numbers, nouns, arguments and suggestions.
package wording

import (
	"context"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode"
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

// A Style is how the results of a call speak of arguments and times. The zero Style is that of a
// model, which gives arguments as JSON.
type Style struct {
	Flags bool           // arguments are flags of a command
	Zone  *time.Location // of times; nil is UTC
}

type styleKey struct{}

// WithStyle returns a context for calls whose results have a style.
func WithStyle(ctx context.Context, s Style) context.Context {
	return context.WithValue(ctx, styleKey{}, s)
}

func styleOf(ctx context.Context) Style {
	s, _ := ctx.Value(styleKey{}).(Style)
	return s
}

// LocalTime returns a time in the zone of the results of ctx.
func LocalTime(ctx context.Context, t time.Time) time.Time {
	if zone := styleOf(ctx).Zone; zone != nil {
		return t.In(zone)
	}
	return t.UTC()
}

// FlagName returns the flag of an argument, without hyphens before it.
func FlagName(argument string) string {
	var b strings.Builder
	for _, r := range argument {
		if unicode.IsUpper(r) {
			b.WriteByte('-')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return strings.ReplaceAll(b.String(), "_", "-")
}

// Name returns the name of an argument as results spell it.
func Name(ctx context.Context, argument string) string {
	if styleOf(ctx).Flags {
		return "--" + FlagName(argument)
	}
	return argument
}

// TrueArgument returns an argument that is true as results spell it.
func TrueArgument(ctx context.Context, name string) string {
	if styleOf(ctx).Flags {
		return Name(ctx, name)
	}
	return name + "=true"
}

// IntArgument returns an argument that is a number as results spell it.
func IntArgument(ctx context.Context, name string, value int) string {
	if styleOf(ctx).Flags {
		return Name(ctx, name) + " " + strconv.Itoa(value)
	}
	return name + "=" + strconv.Itoa(value)
}

// needsQuotes matches what a shell would read as more than one plain word.
var needsQuotes = regexp.MustCompile(`[^\w./:@%+=,\-#]|^$`)

// StringArgument returns an argument as results spell it.
func StringArgument(ctx context.Context, name, value string) string {
	if !styleOf(ctx).Flags {
		return name + `="` + value + `"`
	}
	separator := " "
	if strings.HasPrefix(value, "-") { // which is no other flag
		separator = "="
	}
	if needsQuotes.MatchString(value) {
		value = "'" + strings.ReplaceAll(value, "'", `'\''`) + "'"
	}
	return Name(ctx, name) + separator + value
}

// LinesArgument returns an argument whose values are lines, as results spell it.
func LinesArgument(ctx context.Context, name, lines string) string {
	if !styleOf(ctx).Flags {
		return fmt.Sprintf("%s=%.300q", name, lines)
	}
	var each []string
	for line := range strings.SplitSeq(lines, "\n") {
		each = append(each, StringArgument(ctx, name, line))
	}
	return strings.Join(each, " ")
}

// ColumnArgument returns the argument for a line from a column on.
func ColumnArgument(ctx context.Context, shown string, line, column int) string {
	return StringArgument(ctx, "path", fmt.Sprintf("%s:%d:%d", shown, line, column))
}

// commands are the commands of tools.
var commands = map[string]string{
	"list_dir": "gander list", "read_file": "gander read", "find_files": "gander find",
	"search_text": "gander search",
}

// Tool returns the name of one of gander's own tools, or its command.
func Tool(ctx context.Context, name string) string {
	if styleOf(ctx).Flags {
		return commands[name]
	}
	return name
}
