package mcpserver

import (
	"bufio"
	"errors"
	"io"
)

// maxLine is the longest line that is read as a message, in bytes.
const maxLine = 16 << 20

var errLongLine = errors.New("the line is longer than 16 MiB")

// A line is what was read up to a line feed or the end of the input, or why there is none.
type line struct {
	text []byte
	err  error
}

// readLine returns the next line without its line feed. Of a line longer than limit it keeps nothing, and says so once
// it is over. The last line may lack its line feed; io.EOF comes after it.
func readLine(r *bufio.Reader, limit int) line {
	var text []byte
	long := false
	for {
		part, err := r.ReadSlice('\n')
		if err == nil {
			part = part[:len(part)-1]
		}
		if long = long || len(text)+len(part) > limit; long {
			text = nil
		} else {
			text = append(text, part...)
		}
		switch {
		case err == bufio.ErrBufferFull:
		case err != nil && err != io.EOF:
			return line{err: err}
		case long:
			return line{err: errLongLine}
		case err == io.EOF && len(text) == 0:
			return line{err: io.EOF}
		default:
			return line{text: text}
		}
	}
}
