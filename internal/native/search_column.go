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

// columns counts the characters before positions in lines. In the same line, it continues at the
// previous position.
type columns struct {
	path       string
	line       int
	offset     int64 // of the previous position in the line
	characters int   // before it
	read       int64 // the number of bytes read
}

// columnHint returns the hint to read a line from an offset on. The hint names only the line if the
// column there is too costly to determine.
func (s *textSearch) columnHint(found search.Result, offset int64) string {
	path := fmt.Sprintf("%s:%d", s.shown(found.Path), found.Line.Number)
	if before, ok := s.columns.before(found, offset); ok {
		path += fmt.Sprintf(":%d", before+1)
	}
	return "read_file " + stringArgument("path", path)
}

// before returns the number of characters of a line before an offset. It reports false if that is
// too costly, or the line cannot be read again.
func (c *columns) before(found search.Result, offset int64) (characters int, ok bool) {
	l := found.Line
	if c.path != found.Path || c.line != l.Number || offset < c.offset {
		c.path, c.line, c.offset, c.characters = found.Path, l.Number, 0, 0
	}
	if l.Whole() {
		c.characters += utf8.RuneCount(l.Text[c.offset:offset])
		c.offset = offset
		return c.characters, true
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
		if _, _, err := text.ReadRune(); err == io.EOF {
			break
		} else if err != nil {
			return 0, false
		}
		c.characters++
	}
	c.offset = offset
	return c.characters, true
}
