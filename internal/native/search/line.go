package search

import (
	"context"
	"fmt"
	"io"
	"unicode/utf8"

	"gander/internal/files/text"
	"gander/internal/native/wording"
	"gander/internal/search"
)

const (
	windowBytes = 64 << 10 // the maximum size of a part; each shorter line is in memory
	maxColumns  = 64 << 20 // the maximum number of bytes that one search reads to determine columns
)

// A searchedLine is the current result of a search. If it is a line, of any length, its parts are
// read from left to right.
type searchedLine struct {
	search.Result
	shown string // the path of its file in the result

	text []byte // a part of the line
	at   int64  // its offset in the line
	buf  []byte

	offset      int64 // where the last column is, in bytes
	characters  int   // before the offset
	columnBytes int64 // read to determine columns, in all lines
}

// begin makes a result the current one.
func (r *searchedLine) begin(result search.Result) {
	r.Result, r.text, r.at = result, result.Line.Text, 0
	r.offset, r.characters = 0, 0
}

// bytes returns size bytes of the line at an offset, or fewer if the line ends before or the file
// has changed. size must be at most windowBytes. They are valid until the next call.
func (r *searchedLine) bytes(offset, size int64) ([]byte, error) {
	isRead := r.at <= offset && offset+size <= r.at+int64(len(r.text))
	if !r.Line.Whole() && !isRead {
		line, err := r.Line.Open()
		if err != nil {
			return nil, err
		}
		if r.buf == nil {
			r.buf = make([]byte, windowBytes)
		}
		n, err := line.ReadAt(r.buf, offset)
		if err != nil && err != io.EOF {
			return nil, err
		}
		r.text, r.at = r.buf[:n], offset
	}
	rest := r.text[offset-r.at:]
	return rest[:min(size, int64(len(rest)))], nil
}

// column returns the column of an offset, which must not be before that of the last call. It
// reports false if the column is too costly to determine, or the line cannot be read again.
func (r *searchedLine) column(offset int64) (column int, ok bool) {
	if !r.Line.Whole() {
		size := offset - r.offset
		if r.columnBytes+size > maxColumns {
			return 0, false
		}
		r.columnBytes += size
	}
	for r.offset < offset {
		part, err := r.bytes(r.offset, min(offset-r.offset, windowBytes))
		if err != nil || len(part) == 0 {
			return 0, false
		}
		if int64(len(part)) < offset-r.offset {
			part = part[:max(text.WholeCharacters(part), 1)]
		}
		r.characters += utf8.RuneCount(part)
		r.offset += int64(len(part))
	}
	return r.characters + 1, true
}

// columnHint returns the hint to read the line from an offset on. The hint names only the line if
// the column there is too costly to determine.
func (r *searchedLine) columnHint(ctx context.Context, offset int64) string {
	path := fmt.Sprintf("%s:%d", r.shown, r.Line.Number)
	if column, ok := r.column(offset); ok {
		path += fmt.Sprintf(":%d", column)
	}
	return wording.Tool(ctx, "read_file") + " " + wording.StringArgument(ctx, "path", path)
}
