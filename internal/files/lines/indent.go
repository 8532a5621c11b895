package lines

import (
	"context"
	"io"
	"unicode"
	"unicode/utf8"
)

// Indent measures the white space at the beginning of a line that this cursor, or another on the
// same file, has returned. It reads as much of the line as necessary, regardless of Options.Keep.
//
// The width is the sum of the leading spaces, of width 1, and tabs, of width tab. The text starts
// at the first character that is not Unicode white space, and has at most Options.Keep bytes. It
// is empty for a blank line. Bytes that are not UTF-8 are text. The text is valid until the next
// call of a method of the cursor.
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
