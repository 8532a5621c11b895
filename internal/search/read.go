package search

import (
	"bytes"
	"io"
	"math"

	"golang.org/x/text/encoding/unicode"

	"gander/internal/files/workspace"
)

// fill reads more of the file into the buffer.
func (s *scanner) fill(f *workspace.File) error {
	if err := s.ctx.Err(); err != nil {
		return err
	}
	n, err := s.src.Read(s.buf[s.end:])
	if err != nil && err != io.EOF {
		return err
	}
	if !s.begun {
		s.begun = true
		switch {
		case bytes.HasPrefix(s.buf[:n], []byte("\xff\xfe")), bytes.HasPrefix(s.buf[:n], []byte("\xfe\xff")):
			text := unicode.UTF16(unicode.BigEndian, unicode.UseBOM).NewDecoder()
			s.reader = fileReader{File: f, left: f.Size()}
			s.wide, s.last = true, math.MaxInt64
			s.src = fullReader{text.Reader(&s.reader)}
			return s.fill(f)
		case bytes.HasPrefix(s.buf[:n], []byte("\xef\xbb\xbf")):
			n = copy(s.buf, s.buf[3:n])
			s.base, s.mark = 3, 3
		}
	}
	s.atEnd = err == io.EOF
	fresh := s.buf[s.end : s.end+n]
	s.end += n
	if i := bytes.IndexByte(fresh, 0); i >= 0 {
		s.nul = true
		for i, c := range fresh { // as in ripgrep, a NUL ends a line
			if c == 0 {
				fresh[i] = '\n'
			}
		}
	}
	return nil
}

// A fileReader reads left bytes of a file from an offset. If left is 0, as for files in /proc, whose size
// is 0, it reads to the end.
type fileReader struct {
	*workspace.File
	off  int64
	left int64
}

func (r *fileReader) Read(b []byte) (n int, err error) {
	if r.left > 0 {
		b = b[:min(int64(len(b)), r.left)]
	}
	n, err = r.ReadAt(b, r.off)
	r.off += int64(n)
	if r.left > 0 {
		if r.left -= int64(n); r.left == 0 {
			err = io.EOF
		}
	}
	return n, err
}

// A fullReader fills the whole buffer with each read, except at the end.
type fullReader struct{ io.Reader }

func (r fullReader) Read(b []byte) (int, error) {
	n, err := io.ReadFull(r.Reader, b)
	if err == io.ErrUnexpectedEOF {
		err = io.EOF
	}
	return n, err
}
