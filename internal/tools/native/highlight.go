package native

import (
	"context"
	"strings"

	"gander/internal/search/match"
	"gander/tool"
)

// highlights returns the spans of the lines of an answer after its heading. each is called with a line and where it begins.
func highlights(text string, each func(line string, start int) []tool.Span) []tool.Span {
	var spans []tool.Span
	start := strings.IndexByte(text, '\n') + 1
	if start == 0 {
		return nil
	}
	for line := range strings.Lines(text[start:]) {
		if body := strings.TrimSuffix(line, "\n"); !strings.HasPrefix(body, "[continue with ") {
			spans = append(spans, each(body, start)...)
		}
		start += len(line)
	}
	return spans
}

// numbered returns the number that begins a line of a file, and where the line itself begins; 0 if there is none.
func numbered(line string) (number string, text int, context bool) {
	digits := 0
	for digits < len(line) && '0' <= line[digits] && line[digits] <= '9' {
		digits++
	}
	rest := line[digits:]
	context = strings.HasPrefix(rest, "-")
	rest = strings.TrimPrefix(rest, "-")
	if digits == 0 || !strings.HasPrefix(rest, "\t") {
		return "", 0, false
	}
	return line[:digits], len(line) - len(rest) + 1, context
}

// highlightPaths returns the spans of an answer with a path on each line.
func highlightPaths(text string) []tool.Span {
	return highlights(text, func(line string, start int) []tool.Span {
		return []tool.Span{{Start: start, End: start + len(line), Type: tool.PathSpan}}
	})
}

// Highlight implements [tool.Highlighter].
func (t *findFiles) Highlight(_ tool.Call, text string) []tool.Span { return highlightPaths(text) }

// Highlight implements [tool.Highlighter].
func (t *searchText) Highlight(c tool.Call, text string) []tool.Span {
	r, err := t.parseRequest(context.Background(), c.Args)
	if err != nil {
		return nil
	}
	if r.output == filesOutput {
		return highlightPaths(text)
	}
	searcher := r.matcher.NewSearcher()
	var found []match.Span
	return highlights(text, func(line string, start int) []tool.Span {
		number, at, context := numbered(line)
		switch {
		case number == "" && strings.HasPrefix(line, "[binary from here"):
			return nil
		case number == "":
			return []tool.Span{{Start: start, End: start + len(line), Type: tool.PathSpan}}
		}
		spans := []tool.Span{{Start: start, End: start + len(number), Type: tool.NumberSpan}}
		if r.output == countsOutput {
			return append(spans, tool.Span{Start: start + at, End: start + len(line), Type: tool.PathSpan})
		}
		if context {
			return spans
		}
		found = searcher.Spans(found[:0], []byte(line[at:]))
		for _, m := range found {
			if m.Start < m.End {
				spans = append(spans, tool.Span{Start: start + at + m.Start, End: start + at + m.End, Type: tool.MatchSpan})
			}
		}
		return spans
	})
}

// Highlight implements [tool.Highlighter]. Directories are the paths that it shows.
func (t *listDir) Highlight(_ tool.Call, text string) []tool.Span {
	return highlights(text, func(line string, start int) []tool.Span {
		name, _, _ := strings.Cut(line, "\t")
		indent := len(name) - len(strings.TrimLeft(name, " "))
		if !strings.HasSuffix(name, "/") {
			return nil
		}
		return []tool.Span{{Start: start + indent, End: start + len(name), Type: tool.PathSpan}}
	})
}

// Highlight implements [tool.Highlighter].
func (t *readFile) Highlight(_ tool.Call, text string) []tool.Span {
	return highlights(text, func(line string, start int) []tool.Span {
		if number, _, _ := numbered(line); number != "" {
			return []tool.Span{{Start: start, End: start + len(number), Type: tool.NumberSpan}}
		}
		return nil
	})
}
