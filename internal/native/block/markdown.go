package block

import (
	"bytes"
	"context"
	"regexp"
)

// headingStart matches the beginning of a heading.
var headingStart = regexp.MustCompile("^(#{1,6})(?: |$)")

// fenceBefore returns the fence of Markdown that is open before a line. It reads all lines before.
func (r Source) fenceBefore(ctx context.Context, line int) (open fence, err error) {
	if err := r.Cursor.Seek(ctx, 1); err != nil {
		return fence{}, err
	}
	for {
		l, err := r.Cursor.Next(ctx)
		switch {
		case err != nil:
			return fence{}, err
		case l.Number >= line:
			return open, nil
		}
		open.pass(bytes.TrimLeft(l.Text, " \t"))
	}
}

// A fence is the line that opens a block of code in Markdown, such as ```go. The zero fence is
// none.
type fence struct {
	character byte
	length    int
}

// pass makes f the fence that is open after a line, which is given without its indentation.
func (f *fence) pass(line []byte) {
	isFence := bytes.HasPrefix(line, []byte("```")) || bytes.HasPrefix(line, []byte("~~~"))
	if !isFence {
		return
	}
	character := line[0]
	rest := bytes.TrimLeft(line, string(character))
	length := len(line) - len(rest)
	closes := character == f.character && length >= f.length && len(bytes.TrimSpace(rest)) == 0
	isInline := character == '`' && bytes.IndexByte(rest, '`') >= 0
	switch {
	case closes:
		*f = fence{}
	case *f == fence{} && !isInline:
		*f = fence{character, length}
	}
}

// headingIndent is subtracted from the level of a heading, so that its indentation is less than
// that of any text: a heading opens a block of all that is below it, up to a heading of the same or
// a higher level.
const headingIndent = 10

// describeMarkdown determines the properties of lines of Markdown from their texts. open is the
// fence that is open before the first of them.
func (b blockLines) describeMarkdown(open fence) {
	for i := range b {
		l := &b[i]
		isCode := open != fence{}
		open.pass([]byte(l.content))
		mark := headingStart.FindStringSubmatch(l.content)
		isIndented := l.indent >= 4 // which makes it code
		if mark != nil && !isCode && !isIndented {
			l.indent, l.defines = len(mark[1])-headingIndent, true
		}
	}
}
