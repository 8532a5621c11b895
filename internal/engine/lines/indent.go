package lines

import (
	"context"
	"io"
	"unicode"
	"unicode/utf8"
)

// Indent measures the white space at the beginning of a line that the cursor, or another on the same file, returned. It
// looks at as much of the line as that takes, however little of it is kept.
//
// The width counts the spaces and tabs before anything else, a space as 1 and a tab as tab. The text is the line from
// its first character on that is not Unicode white space, at most Options.Keep bytes: none for a blank line, and none
// for any where Keep is 0. Bytes that are not UTF-8 are text. The text is valid until the cursor's next call.
func (c *Cursor) Indent(ctx context.Context, l Line, tab int) (width int, text []byte, err error) {
	margin := true
	for offset := l.start; ; {
		b, err := c.file.ahead(ctx, offset, 1)
		if err == nil && !utf8.FullRune(b) {
			b, err = c.file.ahead(ctx, offset, utf8.UTFMax)
		}
		if err == io.EOF && len(b) == 0 {
			return width, nil, nil
		}
		if err != nil && err != io.EOF {
			return 0, nil, err
		}
		for more := true; more; more = utf8.FullRune(b) {
			r, size := utf8.DecodeRune(b)
			switch {
			case r == '\n':
				return width, nil, nil
			case !unicode.IsSpace(r):
				text, _, _, err := c.text(ctx, offset)
				return width, text, err
			case margin && r == ' ':
				width++
			case margin && r == '\t':
				width += tab
			default:
				margin = false
			}
			b, offset = b[size:], offset+int64(size)
		}
	}
}
