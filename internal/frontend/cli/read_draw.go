package cli

import (
	"fmt"
	"strings"

	"gander/internal/engine/lines"
	"gander/internal/engine/text"
	"gander/internal/frontend/document"
	"gander/internal/frontend/syntax"
	"gander/internal/frontend/terminal"
	"gander/tool"
)

// warmUp is how many lines before the first are looked at for comments and strings that go on in it.
const warmUp = 1000

// print prints the lines and reports whether the limit has cut them.
func (c *readCmd) print() (cut bool, err error) {
	begin := c.first
	if c.screen.Color && !c.json {
		begin = max(1, c.first-warmUp)
		c.highlighter = syntax.New(c.rel, c.interpreter())
	}
	met := false
	for line, err := range c.document.Lines(c.ctx, begin) {
		switch {
		case err != nil:
			return false, err
		case c.last > 0 && line.Number > c.last:
			return false, nil
		case line.Number < c.first:
			c.highlighter.Line(string(line.Text))
			continue
		case c.limit > 0 && line.Number-c.first >= c.limit:
			return true, nil
		}
		met = true
		if c.json {
			c.lines = append(c.lines, jsonLine{line.Number, text.Lossy(line.Text)})
		} else if _, err := c.out.WriteString(c.draw(line)); err != nil {
			return false, nil // said at the end
		}
	}
	if !met && c.first > 1 {
		return false, &tool.Error{Kind: tool.NotFound, Message: fmt.Sprintf("%s has no line %d", c.argument, c.first)}
	}
	return false, nil
}

// interpreter is the file's first line.
func (c *readCmd) interpreter() string {
	for line, err := range c.document.Lines(c.ctx, 1) {
		if err == nil {
			return text.Cut(text.Lossy(line.Text), 200)
		}
	}
	return ""
}

// draw is a line as it is printed: on a terminal as it may be shown there, elsewhere its very bytes.
func (c *readCmd) draw(line lines.Line) string {
	var b strings.Builder
	if !c.plain {
		b.WriteString(c.screen.Paint(terminal.Dim, fmt.Sprintf("%*d", c.digits, line.Number)))
		if len(line.Text) > 0 {
			b.WriteString("  ")
		}
	}
	for _, span := range c.highlighter.Line(string(line.Text)) {
		part := span.Text
		if c.screen.Terminal {
			part = c.screen.Text(part)
		}
		b.WriteString(c.screen.Paint(styleOf(span.Kind), part))
	}
	if len(line.Text) == document.MaxLine {
		b.WriteString(c.screen.Paint(terminal.Dim, c.screen.Pick("…", "...")))
	}
	b.WriteByte('\n')
	return b.String()
}

func styleOf(kind syntax.Kind) terminal.Style {
	switch kind {
	case syntax.Comment:
		return terminal.Comment
	case syntax.String:
		return terminal.Quoted
	case syntax.Number:
		return terminal.Number
	case syntax.Keyword:
		return terminal.Keyword
	default:
		return ""
	}
}

func (c *readCmd) answerJSON(cut bool) any {
	if c.lines == nil {
		c.lines = []jsonLine{}
	}
	return struct {
		Path      string     `json:"path"`
		Encoding  string     `json:"encoding"`
		Lines     []jsonLine `json:"lines"`
		Truncated bool       `json:"truncated"`
	}{text.Lossy([]byte(c.argument)), c.document.Encoding, c.lines, cut}
}
