package search

import (
	"bytes"
	"io"
	"math"

	"golang.org/x/text/encoding/unicode"

	"gander/internal/files/workspace"
)

// fill reads more of the file into the buffer. A NUL ends the scan, unless the file is named.
func (s *scanner) fill(f *workspace.File) error {
	if err := s.ctx.Err(); err != nil {
		return err
	}
	n, err := io.ReadFull(s.src, s.buf[s.end:])
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return err
	}
	if !s.begun {
		s.begun = true
		switch text := s.buf[:n]; {
		case bytes.HasPrefix(text, []byte("\xff\xfe")), bytes.HasPrefix(text, []byte("\xfe\xff")):
			decoder := unicode.UTF16(unicode.BigEndian, unicode.UseBOM).NewDecoder()
			s.wide, s.last = true, math.MaxInt64
			s.src = decoder.Reader(section(f, 0, 0))
			return s.fill(f)
		case bytes.HasPrefix(text, []byte("\xef\xbb\xbf")):
			n = copy(s.buf, text[3:])
			s.mark = 3
			s.last -= s.mark
		}
	}
	s.atEnd = err != nil
	fresh := s.buf[s.end : s.end+n]
	s.end += n
	if bytes.IndexByte(fresh, 0) >= 0 {
		s.nul = true
		if !s.named {
			s.result.binary = true
			return errEnough
		}
		for i, c := range fresh { // as in ripgrep, a NUL ends a line
			if c == 0 {
				fresh[i] = '\n'
			}
		}
	}
	return nil
}

// section returns a reader of a file from one offset to another. 0 means the end of the file, even
// for files without a size, as in /proc.
func section(f *workspace.File, from, to int64) io.Reader {
	switch {
	case to == 0 && f.Size() == 0:
		to = math.MaxInt64
	case to == 0:
		to = f.Size()
	}
	return io.NewSectionReader(f, from, to-from)
}
