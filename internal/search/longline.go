package search

import (
	"bytes"
	"slices"
	"unicode/utf8"

	"gander/internal/files/workspace"
)

// headSize is the length of the yielded part of a line longer than the buffer.
const headSize = 16 << 10

// longLine searches a line longer than the buffer, and leaves the text after it in the buffer.
func (s *scanner) longLine(f *workspace.File) error {
	line := Line{Text: bytes.Clone(s.buf[:headSize])}
	var before []byte // the end of the previous piece
	matched := false
	s.searcher.StartLine()
	for {
		piece := s.buf[:s.end]
		next := bytes.IndexByte(piece, '\n')
		if next >= 0 {
			piece = piece[:next]
		}
		if !matched {
			var at int
			if at, matched = s.feed(piece); matched {
				line.showAt(before, piece, at)
			}
		}
		line.Length += int64(len(piece))
		if next >= 0 || s.atEnd {
			before = append(before, piece...)
			s.end = copy(s.buf, s.buf[min(len(piece)+1, s.end):s.end])
			break
		}
		before = append(before[:0], piece[max(len(piece)-headSize, 0):]...)
		s.end = 0
		if err := s.fill(f); err != nil {
			return err
		}
	}
	if !matched {
		if matched = s.searcher.EndLine(); matched {
			line.showAt(before, nil, 0)
		}
	}
	handle := s.longContext
	if matched {
		handle = func(line Line) error { return s.matches(nil, 0, line) }
	}
	err := handle(line)
	s.base += line.Length + 1
	s.number++
	s.shown = 0
	return err
}

// feed searches a piece of a line. It reports whether the line matches, and returns an index
// shortly after the end of the match.
func (s *scanner) feed(piece []byte) (at int, matched bool) {
	for step := range slices.Chunk(piece, 512) {
		at += len(step)
		if s.searcher.Piece(step) {
			return at, true
		}
	}
	return 0, false
}

// showAt sets Text to the part of the line around an index of a piece, unless Text, the beginning
// of the line, contains it. Length is the length of the line before the piece, and before is the
// end of that.
func (l *Line) showAt(before, piece []byte, at int) {
	if l.Length+int64(at) <= headSize {
		return
	}
	end := min(len(piece), at+headSize/2)
	around := append(bytes.Clone(before), piece[:end]...)
	around = around[max(len(around)-headSize, 0):]
	l.Start = l.Length + int64(end-len(around))
	for i := 0; i < utf8.UTFMax && len(around) > 0 && !utf8.RuneStart(around[0]); i++ {
		around = around[1:]
		l.Start++
	}
	l.Text = around
}
