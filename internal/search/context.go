package search

import (
	"bytes"
	"slices"
)

// maxContext is the maximum size of the lines held for the context before a match, in bytes.
const maxContext = 1 << 20

// sendBefore sends the context of the matching line at an offset, as far as it has not been sent.
func (s *scanner) sendBefore(offset int64) error {
	if err := s.sendAfter(offset); err != nil || s.run.o.Before == 0 {
		return err
	}
	unsent := max(s.sent, s.base)
	first, n := lastLines(s.buf[unsent-s.base:offset-s.base], s.run.o.Before)
	for _, line := range s.held[max(len(s.held)-(s.run.o.Before-n), 0):] {
		if line.Offset < s.sent {
			continue
		}
		if err := s.send(line); err != nil {
			return err
		}
	}
	return s.sendContext(unsent+int64(first), offset, n)
}

// lastLines returns the index of the first of the last lines of a text, at most n, and their
// number.
func lastLines(text []byte, n int) (first, lines int) {
	for first = len(text); first > 0 && lines < n; lines++ {
		first = bytes.LastIndexByte(text[:first-1], '\n') + 1
	}
	return first, lines
}

// sendAfter sends the context that is due, up to an offset.
func (s *scanner) sendAfter(end int64) error { return s.sendContext(s.sent, end, s.due) }

// sendContext sends at most n lines of the buffer between two offsets.
func (s *scanner) sendContext(at, end int64, n int) error {
	for ; at < end && n > 0; n-- {
		text, _, _ := bytes.Cut(s.buf[at-s.base:s.filled], []byte("\n"))
		line := newLine(at, text)
		line.Context = true
		if err := s.sendLine(line); err != nil {
			return err
		}
		at = s.sent
	}
	return nil
}

func newLine(offset int64, text []byte) Line {
	return Line{Offset: offset, Text: text, Length: int64(len(text))}
}

// hold holds the last of the lines b, which will be removed from the buffer, as context for a later
// match. s.number is the number of the line after them.
func (s *scanner) hold(b []byte) {
	first, n := lastLines(b, s.run.o.Before)
	offset := s.base + int64(first)
	for text := range bytes.Lines(b[first:]) {
		line := newLine(offset, bytes.TrimSuffix(text, []byte("\n")))
		line.Number = s.number - n
		s.holdLine(line)
		offset += int64(len(text))
		n--
	}
}

// holdLine holds a line. If there are enough, it replaces the first.
func (s *scanner) holdLine(line Line) {
	line.Context = true
	line.Text = line.Text[:min(len(line.Text), maxContext/s.run.o.Before)]
	var text []byte // the text of the line that it replaces, whose memory it takes
	if len(s.held) == s.run.o.Before {
		text = s.held[0].Text[:0]
		s.held = slices.Delete(s.held, 0, 1)
	}
	line.Text = append(text, line.Text...)
	s.held = append(s.held, line)
}

// firstNeeded returns the offset of the first line that the caller may still read.
func (s *scanner) firstNeeded() int64 {
	if len(s.held) > 0 {
		return s.held[0].Offset
	}
	return s.base
}
