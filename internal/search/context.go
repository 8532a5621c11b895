package search

import "bytes"

// maxContext limits the lines that are held for the context before a match, in bytes.
const maxContext = 1 << 20

// contextState holds which lines have been yielded, and which may still be yielded as context.
type contextState struct {
	shown int    // index in the buffer up to which lines have been yielded
	after int    // number of lines to be yielded after a match
	held  []Line // the last lines before the buffer that have not been yielded
}

// cleared returns the state for the next file, which reuses the memory of c.
func (c *contextState) cleared() contextState { return contextState{held: c.held[:0]} }

// yielded records that a line has been yielded that ends at an index of the buffer.
func (c *contextState) yielded(end int, isContext bool, after int) {
	c.shown, c.held = end, c.held[:0]
	if isContext {
		c.after = max(c.after-1, 0)
	} else {
		c.after = after
	}
}

// before yields the context between the last line that was yielded and the matching line at an index of the buffer b.
func (s *scanner) before(b []byte, at int) error {
	if err := s.after(b, at); err != nil || s.o.Before == 0 {
		return err
	}
	first, n := s.contextStart(b, at)
	held := s.context.held
	for _, line := range held[max(len(held)-(s.o.Before-n), 0):] {
		if err := s.yield(line); err != nil {
			return err
		}
	}
	s.context.held = held[:0]
	return s.contextLines(b, first, at, n)
}

// contextStart returns the index of the first of the lines to be held or yielded before an index of the buffer b, and their number.
func (s *scanner) contextStart(b []byte, at int) (first, n int) {
	for first = at; first > s.context.shown && n < s.o.Before; n++ {
		first = bytes.LastIndexByte(b[:first-1], '\n') + 1
	}
	return max(first, s.context.shown), n
}

// after yields the context after a match, up to an index of the buffer b.
func (s *scanner) after(b []byte, end int) error {
	if s.context.after == 0 {
		return nil
	}
	return s.contextLines(b, s.context.shown, end, s.context.after)
}

// contextLines yields at most n lines between two indexes of the buffer b.
func (s *scanner) contextLines(b []byte, at, end, n int) error {
	for ; at < end && n > 0; n-- {
		line := lineAt(b, at)
		if err := s.yieldLine(b, at, Line{Text: line, Length: int64(len(line)), Context: true}); err != nil {
			return err
		}
		at += len(line) + 1
	}
	return nil
}

// lineAt returns the line at an index of b, without its line feed.
func lineAt(b []byte, at int) []byte {
	line, _, _ := bytes.Cut(b[at:], []byte("\n"))
	return line
}

// longContext yields or holds a line as context that does not match and is longer than the buffer.
func (s *scanner) longContext(line Line) error {
	if s.context.after > 0 {
		line.Context = true
		return s.yieldLine(nil, 0, line)
	}
	if s.o.Output == Lines && s.o.Before > 0 {
		s.hold(0, s.number, line)
	}
	return nil
}

// keep holds the last lines of b, which are about to be removed from the buffer, as context for a later match.
func (s *scanner) keep(b []byte) {
	defer func() { s.context.shown = 0 }()
	if s.o.Before == 0 {
		return
	}
	at, _ := s.contextStart(b, len(b))
	for at < len(b) {
		line := lineAt(b, at)
		s.hold(at, s.numberAt(b, at), Line{Text: line, Length: int64(len(line))})
		at += len(line) + 1
	}
}

// hold adds a line at an index of the buffer to the lines that are held, and drops the first of them if there are more than needed.
func (s *scanner) hold(at, number int, line Line) {
	line.Number, line.Offset, line.Context = number, s.base+int64(at), true
	line.Text = line.Text[:min(len(line.Text), maxContext/s.o.Before)]
	held := s.context.held
	if len(held) == s.o.Before {
		text := held[0].Text
		copy(held, held[1:])
		held = held[:len(held)-1]
		line.Text = append(text[:0], line.Text...)
	} else {
		line.Text = bytes.Clone(line.Text)
	}
	s.context.held = append(held, line)
}
