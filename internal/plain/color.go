package plain

import (
	"context"
	"iter"
	"math"
	"regexp"
	"strings"

	"gander/internal/search/automaton"
	"gander/internal/search/match"
)

// The codes of the colors of a terminal.
const (
	magenta = "35"
	green   = "32"
	boldRed = "1;31"
)

// colored returns text with the codes of a color, unless it is empty.
func colored(color, text string) string {
	if text == "" {
		return text
	}
	return "\x1b[" + color + "m" + text + "\x1b[0m"
}

// appendColored appends a text with its matches in color. An error ends the color.
func appendColored(dst, text []byte, spans iter.Seq2[match.Span, error]) []byte {
	var at int64
	for s, err := range spans {
		if err != nil {
			break
		}
		dst = append(dst, text[at:s.Start]...)
		dst = append(dst, colored(boldRed, string(text[s.Start:s.End]))...)
		at = s.End
	}
	return append(dst, text[at:]...)
}

// resultLine matches a line of a file in the result of a search for a model: its number and perhaps
// its column, what separates it from its text, and the text. In the separator, a result can have
// the number of its matches, and other lines of the file have a sign.
var resultLine = regexp.MustCompile(`^(\d+(?::\d+)?)((?: x\d+(?: or more)?)?([-=]?)\t)(.*)$`)

// Highlight colors the result of a search for a model: the paths, the numbers, and the matches in
// the lines. It returns the result unchanged if the pattern is malformed.
func Highlight(ctx context.Context, result, pattern string, o match.Options) string {
	m, err := match.Compile(ctx, pattern, o)
	if err != nil {
		return result
	}
	searcher := m.NewSearcher(automaton.Limits{
		Memory: automaton.StateMemory, Stop: func() bool { return ctx.Err() != nil },
	})
	lines := strings.Split(result, "\n")
	for i, line := range lines[1:] { // after the heading
		parts := resultLine.FindStringSubmatch(line)
		isNote := strings.HasPrefix(line, "[") && strings.HasSuffix(line, "]")
		isBelow := i > 0 && lines[i] != ""
		isGap := line == "--" && isBelow // otherwise a path
		switch {
		case isNote, isGap:
		case parts == nil:
			lines[i+1] = colored(magenta, line)
		case parts[3] != "": // no result
			lines[i+1] = colored(green, parts[1]) + parts[2] + parts[4]
		default:
			text := []byte(parts[4])
			spans := func(yield func(match.Span, error) bool) {
				_ = searcher.Spans(match.Bytes(text), math.MaxInt, func(s match.Span) bool {
					return yield(s, nil)
				})
			}
			lines[i+1] = colored(green, parts[1]) + parts[2] + string(appendColored(nil, text, spans))
		}
	}
	return strings.Join(lines, "\n")
}
