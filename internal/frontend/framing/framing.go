// Package framing splits a stream into lines of bounded length, for protocols that send one message a line.
package framing

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
)

// MaxLine is the most bytes that a line may have, without its line feed.
const MaxLine = 16 << 20

// ErrTooLong says that a line was skipped because of its length. The next one can be read.
var ErrTooLong = errors.New("the line is too long")

// A Reader reads lines. Only one goroutine at a time may use it.
type Reader struct {
	buffer *bufio.Reader
	limit  int
}

// NewReader returns a reader of lines of at most [MaxLine] bytes.
func NewReader(in io.Reader) *Reader { return newReader(in, 64<<10, MaxLine) }

func newReader(in io.Reader, buffer, limit int) *Reader {
	return &Reader{bufio.NewReaderSize(in, buffer), limit}
}

// Next returns the next line without its line feed. The caller owns it. The last line may lack its line feed; after it the
// error is [io.EOF]. For a line that is too long the error matches [ErrTooLong]; Next does not hold it in memory.
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
