package jsonl

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
)

// maxLine is the most bytes a line may have, without its end.
const maxLine = 16 << 20

// errTooLong stands for a line that was passed over.
var errTooLong = fmt.Errorf("the line is longer than %d bytes; send less in one request", maxLine)

type lineReader struct{ buffer *bufio.Reader }

func newLineReader(in io.Reader) lineReader { return lineReader{bufio.NewReaderSize(in, 64<<10)} }

// next returns the next line without its end, in memory of its own. A last line need not have an end. A line that is too
// long is passed over without being held and gives [errTooLong]; reading can then go on.
func (l lineReader) next() ([]byte, error) {
	var line []byte
	length := 0
	for {
		part, err := l.buffer.ReadSlice('\n')
		end := err == nil
		part = bytes.TrimSuffix(part, []byte("\n"))
		if length += len(part); length <= maxLine {
			line = append(line, part...)
		} else {
			line = nil
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case !end && (!errors.Is(err, io.EOF) || length == 0):
			return nil, err
		case length > maxLine:
			return nil, errTooLong
		default:
			return line, nil
		}
	}
}
