package lines

import (
	"bytes"
	"context"
	"io"
	"unicode"
	"unicode/utf8"
)

// Part returns at most n bytes from an offset in a line that this cursor, or another on the same
// file, has returned. n must be at least [utf8.UTFMax]. The part is empty only at the end of the
// line. It is valid until the next call of a method of the cursor.
func (c *Cursor) Part(ctx context.Context, l Line, offset int64, n int) ([]byte, error) {
	b, err := c.file.ahead(ctx, l.start+offset, utf8.UTFMax)
	if err != nil && err != io.EOF {
		return nil, err
	}
	b = b[:min(len(b), n)]
	if end := bytes.IndexByte(b, '\n'); end >= 0 {
		return bytes.TrimSuffix(b[:end], []byte("\r")), nil
	}
	if len(b) > 1 { // the next part determines whether a carriage return belongs to the end
		b = bytes.TrimSuffix(b, []byte("\r"))
	}
	return b, nil
}

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
		b, err := c.file.ahead(ctx, offset, utf8.UTFMax)
		if err != nil && err != io.EOF && !utf8.FullRune(b) {
			return 0, nil, err
		}
		for more := true; more; more = utf8.FullRune(b) {
			r, size := utf8.DecodeRune(b)
			switch {
			case size == 0 || r == '\n':
				return width, nil, nil
			case !unicode.IsSpace(r):
				rest, _, err := c.line(ctx, Position{offset: offset})
				return width, rest.Text, err
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
