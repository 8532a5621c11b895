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

// resultLine matches a line of a file in the result of a search for a model: its number, the
// separator, and its text.
var resultLine = regexp.MustCompile(`^(\d+)(-?\t)(.*)$`)

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
	out := &Output{Options: Options{Color: true}}
	lines := strings.Split(result, "\n")
	for i, line := range lines[1:] { // after the heading
		parts := resultLine.FindStringSubmatch(line)
		switch {
		case parts == nil && strings.HasPrefix(line, "["):
		case parts == nil:
			lines[i+1] = out.colored(magenta, line)
		default:
			text := []byte(parts[3])
			var spans iter.Seq2[match.Span, error] = func(yield func(match.Span, error) bool) {
				if parts[2] == "\t" { // not context
					_ = searcher.Spans(match.Bytes(text), math.MaxInt, func(s match.Span) bool {
						return yield(s, nil)
					})
				}
			}
			lines[i+1] = out.colored(green, parts[1]) + parts[2] + string(out.appendText(nil, text, spans))
		}
	}
	return strings.Join(lines, "\n")
}
