package shell

import (
	"bytes"
	"fmt"
	"strings"

	"gander/internal/files/text"
)

// A transcript keeps what is written to two streams, in order: the beginning and the end, if it is
// longer than its limit. It is not safe for concurrent use.
type transcript struct {
	half       int // bytes kept of the beginning, and of the end
	head, tail []byte
	bytes      int64 // that were written
	lines      int64 // line feeds among them
}

// A stream is one of the two streams of a transcript. Text that is not UTF-8 is replaced.
type stream struct {
	transcript *transcript
	rest       []byte // the beginning of a character
}

// Write implements io.Writer.
func (s *stream) Write(b []byte) (int, error) {
	all := append(s.rest, b...)
	n := text.WholeCharacters(all)
	s.transcript.add(bytes.ToValidUTF8(all[:n], []byte("\ufffd")))
	s.rest = bytes.Clone(all[n:])
	return len(b), nil
}

// close writes what is left of a character without an end.
func (s *stream) close() {
	if len(s.rest) > 0 {
		s.transcript.add([]byte("\ufffd"))
	}
}

func (t *transcript) add(b []byte) {
	t.bytes += int64(len(b))
	t.lines += int64(bytes.Count(b, []byte("\n")))
	n := min(len(b), t.half-len(t.head))
	t.head = append(t.head, b[:n]...)
	b = b[n:]
	b = b[max(0, len(b)-t.half):]
	if len(t.tail)+len(b) > 2*t.half {
		t.tail = append(t.tail[:0], t.tail[len(t.tail)-t.half:]...)
	}
	t.tail = append(t.tail, b...)
}

// text returns what was written. If something is left out, it says how to get that.
func (t *transcript) text() (text string, isCut bool) {
	if t.bytes <= int64(len(t.head)+min(len(t.tail), t.half)) {
		return string(t.head) + string(t.tail), false
	}
	begin, end := string(t.head), string(t.tail[len(t.tail)-t.half:])
	head := begin[:strings.LastIndexByte(begin, '\n')+1]
	_, tail, _ := strings.Cut(end, "\n")
	if head == "" || tail == "" {
		head, tail = strings.ToValidUTF8(begin, ""), strings.ToValidUTF8(end, "")
		return fmt.Sprintf("%s\n[%d bytes are left out here; narrow the command, for example with "+
			"cut -c or head -c]\n%s", head, t.bytes-int64(len(head)+len(tail)), tail), true
	}
	first := int64(strings.Count(head, "\n")) + 1
	last := t.lines - int64(strings.Count(tail, "\n"))
	return fmt.Sprintf("%s[lines %d to %d of %d are left out here; "+
		"{ COMMAND; } 2>&1 | sed -n '%d,%dp' shows them]\n%s",
		head, first, last, t.lines, first, last, tail), true
}
