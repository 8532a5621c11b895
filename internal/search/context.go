package search

import (
	"bytes"
	"slices"
)

// maxContext is the maximum size of the lines held for the context before a match, in bytes.
const maxContext = 1 << 20

// sendBefore sends the context between the last line that was sent and the matching line at an index
// of b.
func (s *scanner) sendBefore(b []byte, at int) error {
	if err := s.sendAfter(b, at); err != nil || s.o.Before == 0 {
		return err
	}
	first, n := s.contextStart(b, at)
	for _, line := range s.held[max(len(s.held)-(s.o.Before-n), 0):] {
		if err := s.send(line); err != nil {
			return err
		}
	}
	s.held = s.held[:0]
	return s.contextLines(b, first, at, n)
}

// contextStart returns the index of the first line to be held or sent before an index of b, and
// the number of these lines.
func (s *scanner) contextStart(b []byte, at int) (first, n int) {
	for first = at; first > s.sent && n < s.o.Before; n++ {
		first = bytes.LastIndexByte(b[:first-1], '\n') + 1
	}
	return max(first, s.sent), n
}

// sendAfter sends the context after a match, up to an index of b.
func (s *scanner) sendAfter(b []byte, end int) error {
	return s.contextLines(b, s.sent, end, s.after)
}

// contextLines sends at most n lines between two indexes of b.
func (s *scanner) contextLines(b []byte, at, end, n int) error {
	for ; at < end && n > 0; n-- {
		line := lineAt(b, at)
		line.Context = true
		if err := s.sendLine(b, at, line); err != nil {
			return err
		}
		at += len(line.Text) + 1
	}
	return nil
}

func lineAt(b []byte, at int) Line {
	text, _, _ := bytes.Cut(b[at:], []byte("\n"))
	return Line{Text: text, Length: int64(len(text))}
}

// longContext sends or holds a line longer than the buffer that does not match.
func (s *scanner) longContext(line Line) error {
	if s.after > 0 {
		line.Context = true
		return s.sendLine(nil, 0, line)
	}
	if s.o.Before > 0 {
		s.hold(0, s.number, line)
	}
	return nil
}

// keep holds the last lines of b, which will be removed from the buffer, as context for a later
// match.
func (s *scanner) keep(b []byte) {
	defer func() { s.sent = 0 }()
	if s.o.Before == 0 {
		return
	}
	at, _ := s.contextStart(b, len(b))
	for at < len(b) {
		line := lineAt(b, at)
		s.hold(at, s.numberAt(b, at), line)
		at += len(line.Text) + 1
	}
}

// hold stores a line at an index of the buffer. If there are enough, it replaces the first.
func (s *scanner) hold(at, number int, line Line) {
	line.Number, line.Offset, line.Context = number, s.base+int64(at), true
	line.Text = line.Text[:min(len(line.Text), maxContext/s.o.Before)]
	var text []byte // the text of the line that it replaces, whose memory it takes
	if len(s.held) == s.o.Before {
		text = s.held[0].Text[:0]
		s.held = slices.Delete(s.held, 0, 1)
	}
	line.Text = append(text, line.Text...)
	s.held = append(s.held, line)
}
