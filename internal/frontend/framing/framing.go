// Package framing splits a stream into the lines that protocols put their messages in. It knows no protocol.
package framing

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
)

// MaxLine is the most bytes a message's line may have, without its end.
const MaxLine = 16 << 20

// ErrTooLong stands for a line that was passed over; reading can go on.
var ErrTooLong = errors.New("the line is too long")

// A Reader reads lines. It is for one goroutine at a time.
type Reader struct {
	buffer *bufio.Reader
	limit  int
}

// NewReader returns a reader of lines of at most [MaxLine] bytes.
func NewReader(in io.Reader) *Reader { return newReader(in, 64<<10, MaxLine) }

func newReader(in io.Reader, buffer, limit int) *Reader {
	return &Reader{bufio.NewReaderSize(in, buffer), limit}
}

// Next returns the next line without its line feed, in memory of its own. The last line may lack its line feed; io.EOF
// comes after it. Of a line that is too long nothing is held, and the error, once it is over, matches [ErrTooLong].
func (r *Reader) Next() ([]byte, error) {
	var line []byte
	length := 0
	for {
		part, err := r.buffer.ReadSlice('\n')
		part = bytes.TrimSuffix(part, []byte("\n"))
		if length += len(part); length <= r.limit {
			line = append(line, part...)
		} else {
			line = nil
		}
		switch {
		case err == bufio.ErrBufferFull:
		case err != nil && (err != io.EOF || length == 0):
			return nil, err
		case length > r.limit:
			return nil, fmt.Errorf("%w: it has more than %d bytes; send less in one message", ErrTooLong, r.limit)
		default:
			return line, nil
		}
	}
}
