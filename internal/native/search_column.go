package native

import (
	"bufio"
	"fmt"
	"io"
	"unicode/utf8"

	"gander/internal/search"
)

// maxColumns is the maximum number of bytes that one search reads to determine columns.
const maxColumns = 64 << 20

// A columnCounter counts the characters before positions in lines. In the same line, it continues at
// the previous position.
type columnCounter struct {
	path       string
	line       int
	offset     int64 // the offset of the previous position in the line
	characters int   // before it
	read       int64 // the number of bytes read
}

// columnHint returns the hint to read a line from an offset on. The hint names only the line if the
// column there is too costly to determine.
func (s *textSearch) columnHint(found fileResult, offset int64) string {
	path := fmt.Sprintf("%s:%d", found.shown, found.Line.Number)
	if column, ok := s.columns.column(found, offset); ok {
		path += fmt.Sprintf(":%d", column)
	}
	return "read_file " + stringArgument("path", path)
}

// column returns the column of an offset in a line. It reports false if that is too costly, or the
// line cannot be read again.
func (c *columnCounter) column(found fileResult, offset int64) (column int, ok bool) {
	l := found.Line
	isSameLine := c.path == found.Path && c.line == l.Number
	if !isSameLine || offset < c.offset {
		c.path, c.line, c.offset, c.characters = found.Path, l.Number, 0, 0
	}
	more, ok := c.charactersTo(l, offset)
	if !ok {
		return 0, false
	}
	c.characters += more
	c.offset = offset
	return c.characters + 1, true
}

// charactersTo returns the number of characters from the previous position to an offset. It reports
// false like [columnCounter.column].
func (c *columnCounter) charactersTo(l search.Line, offset int64) (characters int, ok bool) {
	if l.Whole() {
		return utf8.RuneCount(l.Text[c.offset:offset]), true
	}
	size := offset - c.offset
	if c.read+size > maxColumns {
		return 0, false
	}
	c.read += size
	r, err := l.Open()
	if err != nil {
		return 0, false
	}
	text := bufio.NewReaderSize(io.NewSectionReader(r, c.offset, size), int(min(size, 64<<10)))
	for {
		_, _, err := text.ReadRune()
		if err == io.EOF {
			return characters, true
		}
		if err != nil {
			return 0, false
		}
		characters++
	}
}
