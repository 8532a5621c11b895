package search

import (
	"bytes"
	"cmp"
	"io"
	"math"

	"gander/internal/files/charset"
	"gander/internal/files/workspace"
)

// readMore reads more of the source into the buffer.
func (s *scanner) readMore() error {
	if err := s.run.ctx.Err(); err != nil {
		return err
	}
	least := len(s.buf) - s.filled
	if s.prompt {
		least = 1
	}
	n, err := io.ReadAtLeast(s.source, s.buf[s.filled:], least)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return err
	}
	s.filled += n
	s.read += int64(n)
	s.atEnd = err != nil
	return nil
}

// fill reads more of the text, as readMore: it also looks for a NUL, and lets a stream forget.
func (s *scanner) fill() error {
	if s.stream != nil {
		s.stream.forget(s.firstNeeded())
	}
	old := s.filled
	if err := s.readMore(); err != nil {
		return err
	}
	return s.checkNUL(s.buf[old:s.filled])
}

// checkNUL ends the search of a file if fresh text has a NUL. In a named file, a NUL ends a line,
// as in ripgrep.
func (s *scanner) checkNUL(fresh []byte) error {
	at := bytes.IndexByte(fresh, 0)
	if s.isText || at < 0 {
		return nil
	}
	if !s.nul {
		s.result.nulAt = s.base + int64(s.filled-len(fresh)+at)
	}
	s.nul = true
	if !s.named {
		s.result.binary = true
		return errEnough
	}
	for i, c := range fresh {
		if c == 0 {
			fresh[i] = '\n'
		}
	}
	return nil
}

// decide returns the encoding of a file, and whether it is text, by its beginning.
func (o *Options) decide(head []byte) (charset.Encoding, bool) {
	if o.Decide != nil {
		return o.Decide(head)
	}
	e, _ := charset.Marked(head)
	return e, true
}

// skipMark removes a byte order mark from the buffer. A text that is not UTF-8 is decoded.
func (s *scanner) skipMark(f *workspace.File, e charset.Encoding) error {
	if e.IsUTF8() {
		s.filled = copy(s.buf, s.buf[e.Mark:s.filled])
		return nil
	}
	s.source = e.Reader(section(f, 0))
	s.filled = 0
	return s.readMore()
}

// encodingOf returns the encoding of a file.
func (o *Options) encodingOf(f io.ReaderAt) (charset.Encoding, error) {
	head := make([]byte, bufferSize)
	n, err := f.ReadAt(head, 0)
	if err != nil && err != io.EOF {
		return charset.Encoding{}, err
	}
	e, _ := o.decide(head[:n])
	return e, nil
}

// section returns a file from an offset up to its size at the time of opening, or to its end if it
// has no size, as in /proc.
func section(f *workspace.File, from int64) *io.SectionReader {
	return io.NewSectionReader(f, from, cmp.Or(f.Size(), toEnd)-from)
}

// blockSize is the approximate size of the blocks of a large file. They consist of whole lines.
const blockSize = 1 << 20

// A block is a part of the text of a large file: the lines from the offset start up to the offset
// end, or toEnd.
type block struct {
	text       *io.SectionReader
	start, end int64
	isText     bool // a NUL does not end the search
}

// toEnd is the end of a block that is the rest of a text.
const toEnd = math.MaxInt64

func (b *block) size() int64 { return min(b.end, b.text.Size()) - b.start }

// passSize is the number of bytes that are read into the unused buffer to find the ends of lines,
// which is more than most lines have.
const passSize = 8 << 10

// nextBlock returns the block that begins at an offset. The last block runs to toEnd: the one that
// reaches the end of the text, even of a file that has shrunk, or the one whose last line has a NUL,
// where most searches stop.
func (s *scanner) nextBlock(text *io.SectionReader, start int64) (*block, error) {
	buf := s.buf[:passSize]
	for at := start + blockSize - 1; at < text.Size(); at += passSize {
		if err := s.run.ctx.Err(); err != nil {
			return nil, err
		}
		n, err := text.ReadAt(buf, at)
		if err != nil && err != io.EOF {
			return nil, err
		}
		piece, _, nul := bytes.Cut(buf[:n], []byte{0})
		i := bytes.IndexByte(piece, '\n')
		end := at + int64(i) + 1
		if i >= 0 && end < text.Size() {
			return &block{text: text, start: start, end: end}, nil
		}
		if nul || n < len(buf) {
			break
		}
	}
	return &block{text: text, start: start, end: toEnd}, nil
}

// passBack returns the start of the n-th line before the line at an offset, or 0, and the number of
// lines passed.
func (s *scanner) passBack(text io.ReaderAt, at int64, n int) (_ int64, passed int, err error) {
	if n == 0 || at == 0 {
		return at, 0, nil
	}
	buf := s.buf[:passSize]
	end := at - 1 // the line feed of the previous line
	for end > 0 {
		if err := s.run.ctx.Err(); err != nil {
			return 0, 0, err
		}
		from := max(end-passSize, 0)
		read, err := text.ReadAt(buf[:end-from], from)
		if err != nil && err != io.EOF {
			return 0, 0, err
		}
		piece := buf[:read]
		for i := bytes.LastIndexByte(piece, '\n'); i >= 0; i = bytes.LastIndexByte(piece, '\n') {
			passed++
			if passed == n {
				return from + int64(i) + 1, passed, nil
			}
			piece = piece[:i]
		}
		end = from
	}
	return 0, passed + 1, nil
}

// headSize is the length of the part that is sent of a line longer than the buffer.
const headSize = 16 << 10

// longLine searches a line longer than the buffer, and leaves the text after it in the buffer.
func (s *scanner) longLine() error {
	line := Line{Offset: s.base, Number: s.number, Text: bytes.Clone(s.buf[:headSize])}
	matched, terminated, err := s.readLongLine(&line)
	switch {
	case err != nil:
	case matched:
		err = s.match(line)
	case s.due > 0:
		line.Context = true
		err = s.sendLine(line)
	}
	if err != nil {
		return err
	}
	if s.run.o.Before > 0 {
		s.holdLine(line)
	}
	s.base += line.Length
	if terminated {
		s.base++
		s.number++
	}
	s.numbered = s.base
	return nil
}

// readLongLine reads the line to its end, or to a match if the rest does not matter, because it can
// be endless. It sets the length, and reports whether the line matches, and ends with a line feed.
func (s *scanner) readLongLine(line *Line) (matched, terminated bool, err error) {
	s.searcher.StartLine()
	for {
		piece, rest, found := bytes.Cut(s.buf[:s.filled], []byte("\n"))
		line.Length += int64(len(piece))
		matched = matched || s.searcher.Feed(piece)
		if matched && !s.run.o.Invert && s.run.o.Output == Names {
			return true, found, nil
		}
		s.filled = copy(s.buf, rest)
		if found || s.atEnd {
			matched = matched || s.searcher.EndLine()
			return matched != s.run.o.Invert, found, nil
		}
		if err := s.fill(); err != nil {
			return false, false, err
		}
	}
}
