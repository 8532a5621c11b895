package search

import (
	"bytes"
	"cmp"
	"io"
	"math"

	"golang.org/x/text/encoding/unicode"

	"gander/internal/files/workspace"
)

// read reads more of the source into the buffer.
func (s *scanner) read() error {
	if err := s.ctx.Err(); err != nil {
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
	s.atEnd = err != nil
	return nil
}

// fill reads more of the text into the buffer.
func (s *scanner) fill() error {
	if s.stream != nil {
		s.stream.forget(s.firstNeeded())
	}
	old := s.filled
	if err := s.read(); err != nil {
		return err
	}
	return s.checkNUL(s.buf[old:s.filled])
}

// checkNUL ends the scan if fresh text has a NUL. In a named file, a NUL ends a line, as in ripgrep.
func (s *scanner) checkNUL(fresh []byte) error {
	if bytes.IndexByte(fresh, 0) < 0 {
		return nil
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

// skipMark removes a byte order mark from the buffer. If it is one of UTF-16, the text is decoded.
func (s *scanner) skipMark(f *workspace.File) (wide bool, err error) {
	head := s.buf[:s.filled]
	if isWide(head) {
		decoder := unicode.UTF16(unicode.BigEndian, unicode.UseBOM).NewDecoder()
		s.source = decoder.Reader(section(f, 0))
		s.filled = 0
		return true, s.read()
	}
	s.filled = copy(s.buf, head[markSize(head):])
	return false, nil
}

// readMark returns the first bytes of a file, which can be a byte order mark.
func readMark(f io.ReaderAt) ([]byte, error) {
	head := make([]byte, 3)
	n, err := f.ReadAt(head, 0)
	if err == io.EOF {
		err = nil
	}
	return head[:n], err
}

// isWide reports whether a text begins with a byte order mark of UTF-16.
func isWide(text []byte) bool {
	return bytes.HasPrefix(text, []byte("\xff\xfe")) || bytes.HasPrefix(text, []byte("\xfe\xff"))
}

// markSize returns the size of the byte order mark of UTF-8 at the beginning of a file, or 0.
func markSize(head []byte) int64 {
	const mark = "\xef\xbb\xbf"
	if bytes.HasPrefix(head, []byte(mark)) {
		return int64(len(mark))
	}
	return 0
}

// section returns a file from an offset up to its size at the time of opening, or to its end if it has
// no size, as in /proc.
func section(f *workspace.File, from int64) *io.SectionReader {
	return io.NewSectionReader(f, from, cmp.Or(f.Size(), toEnd)-from)
}

// blockSize is the approximate size of the blocks of a large file. They consist of whole lines.
const blockSize = 1 << 20

// A region is a part of a text: the lines from the offset start up to the offset end, or toEnd.
type region struct{ start, end int64 }

// toEnd is the end of a region that is the rest of a text.
const toEnd = math.MaxInt64

// blockEnd returns the end of the block that begins at an offset. It returns toEnd if the block is the
// rest of the text: at its end, even if the file has become shorter since it was opened, and if the
// line at the end of the block contains a NUL, where most searches stop.
func (s *scanner) blockEnd(text *io.SectionReader, at int64) (int64, error) {
	if at+blockSize >= text.Size() {
		return toEnd, nil
	}
	end, passed, err := s.passLines(text, at+blockSize-1, 1)
	if passed == 0 || end >= text.Size() {
		end = toEnd
	}
	return end, err
}

// passSize is the number of bytes that are read into the unused buffer to pass lines, which is more
// than most lines have.
const passSize = 8 << 10

// passLines returns the offset after the next n line feeds, and their number, which is less than n
// before the first NUL or the end of the file.
func (s *scanner) passLines(text io.ReaderAt, at int64, n int) (_ int64, passed int, err error) {
	buf := s.buf[:passSize]
	for {
		if err := s.ctx.Err(); err != nil {
			return 0, 0, err
		}
		read, err := text.ReadAt(buf, at)
		if err != nil && err != io.EOF {
			return 0, 0, err
		}
		piece, _, nul := bytes.Cut(buf[:read], []byte{0})
		for line := range bytes.Lines(piece) {
			at += int64(len(line))
			if line[len(line)-1] == '\n' {
				passed++
			}
			if passed == n {
				return at, passed, nil
			}
		}
		if nul || read < len(buf) {
			return at, passed, nil
		}
	}
}

// passBack returns the start of the n-th line before an offset, or 0, and the lines passed.
func (s *scanner) passBack(text io.ReaderAt, at int64, n int) (_ int64, passed int, err error) {
	buf := s.buf[:passSize]
	end := at - 1 // the line feed of the previous line
	for end > 0 {
		if err := s.ctx.Err(); err != nil {
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
	line := Line{Offset: s.base, Text: bytes.Clone(s.buf[:headSize])}
	matched := false
	s.searcher.StartLine()
	for ended := false; !ended; {
		piece, rest, found := bytes.Cut(s.buf[:s.filled], []byte("\n"))
		ended = found || s.atEnd
		line.Length += int64(len(piece))
		matched = matched || s.searcher.Feed(piece)
		if matched && s.o.Output == Names { // the rest of the line can be endless
			return s.match(line)
		}
		s.filled = copy(s.buf, rest)
		if !ended {
			if err := s.fill(); err != nil {
				return err
			}
		}
	}
	line.Number = s.number
	var err error
	switch {
	case matched || s.searcher.EndLine():
		err = s.match(line)
	case s.due > 0:
		line.Context = true
		err = s.sendLine(line)
	}
	if err != nil {
		return err
	}
	if s.o.Before > 0 {
		s.holdLine(line)
	}
	s.base += line.Length + 1
	s.numbered = s.base
	s.number++
	return nil
}
