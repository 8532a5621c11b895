package native

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"fmt"
	"io"
	"unicode/utf8"

	"gander/internal/search/match"
)

const (
	windowBytes = 64 << 10 // the maximum size of a part; each shorter line is in memory
	maxColumns  = 64 << 20 // the maximum number of bytes that one search reads to determine columns
)

// A searchedLine is the current line of a search, of any length, whose parts are read from left to
// right.
type searchedLine struct {
	fileResult        // the line
	text       []byte // a part of it
	at         int64  // the offset of the part in the line
	buf        []byte
	hash       [sha256.Size]byte // of a match

	offset      int64 // where the last column is, in bytes
	characters  int   // before the offset
	columnBytes int64 // read to determine columns, in all lines
}

// begin begins a line.
func (r *searchedLine) begin(line fileResult) {
	r.fileResult, r.text, r.at = line, line.Line.Text, 0
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

// key returns the text of a match if it is short, and otherwise its hash. It is valid until the
// next call.
func (r *searchedLine) key(s match.Span) ([]byte, error) {
	size := s.End - s.Start
	if size > windowBytes {
		line, err := r.Line.Open()
		if err != nil {
			return nil, err
		}
		end, err := r.bytes(s.End-1, 1)
		if err != nil {
			return nil, err
		}
		if bytes.Equal(end, []byte("\r")) {
			size--
		}
		hash := sha256.New()
		_, err = io.Copy(hash, io.NewSectionReader(line, s.Start, size))
		return hash.Sum(r.hash[:0]), err
	}
	text, err := r.bytes(s.Start, size)
	if err != nil {
		return nil, err
	}
	text = bytes.TrimSuffix(text, []byte("\r"))
	if len(text) >= len(r.hash) {
		r.hash = sha256.Sum256(text)
		text = r.hash[:]
	}
	return text, nil
}

// column returns the column of an offset, which must not be before that of the last call. It reports
// false if the column is too costly to determine, or the line cannot be read again.
func (r *searchedLine) column(offset int64) (column int, ok bool) {
	characters, ok := r.charactersTo(offset)
	if !ok {
		return 0, false
	}
	r.offset = offset
	r.characters += characters
	return r.characters + 1, true
}

// columnHint returns the hint to read the line from an offset on. The hint names only the line if the
// column there is too costly to determine.
func (r *searchedLine) columnHint(offset int64) string {
	path := fmt.Sprintf("%s:%d", r.shown, r.Line.Number)
	if column, ok := r.column(offset); ok {
		path += fmt.Sprintf(":%d", column)
	}
	return "read_file " + stringArgument("path", path)
}

// charactersTo returns the number of characters between the offsets of the last column and of the next.
func (r *searchedLine) charactersTo(offset int64) (n int, ok bool) {
	if r.Line.Whole() {
		return utf8.RuneCount(r.Line.Text[r.offset:offset]), true
	}
	size := offset - r.offset
	if r.columnBytes+size > maxColumns {
		return 0, false
	}
	r.columnBytes += size
	line, err := r.Line.Open()
	if err != nil {
		return 0, false
	}
	text := bufio.NewReaderSize(io.NewSectionReader(line, r.offset, size), int(min(size, windowBytes)))
	for {
		_, _, err := text.ReadRune()
		switch err {
		case nil:
			n++
		case io.EOF:
			return n, true
		default:
			return 0, false
		}
	}
}
