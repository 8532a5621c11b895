package search

import (
	"bytes"
	"context"
	"io"
	"unicode/utf8"

	"golang.org/x/text/encoding/unicode"

	"gander/internal/engine/search/match"
	"gander/internal/engine/walk"
	"gander/internal/engine/workspace"
)

const (
	// bufferSize is that of ripgrep's buffer. Of a file with a NUL, the lines before the buffer that has the NUL are searched.
	bufferSize = 64 << 10
	// headSize is how much is told of a line that is longer than the buffer.
	headSize = 16 << 10
)

// A scanner searches one file after the other.
type scanner struct {
	ctx      context.Context
	searcher *match.Searcher
	o        *Options
	emit     func(Result) bool // reports whether to go on
	buf      []byte            // bufferSize bytes

	reader fileReader
	named  bool       // the file was named, not met by a walk: a NUL does not end its search
	entry  walk.Entry // that the file was opened from
	path   string     // of the entry, or "" if it has not been needed
	fileState
}

// fileState is the state of a scanner that begins anew with each file.
type fileState struct {
	src   io.Reader
	end   int   // of what is in the buffer, which begins where a line does
	base  int64 // offset of the buffer
	begun bool  // the beginning of the file has been read
	atEnd bool  // nothing follows the buffer
	nul   bool  // there is a NUL

	count   int  // lines that match
	told    bool // the file has been yielded
	context contextState

	// number is that of the line at index numbered of the buffer.
	number, numbered int
}

func newScanner(ctx context.Context, m *match.Matcher, o *Options, emit func(Result) bool) *scanner {
	searcher := newSearcher(ctx, m)
	return &scanner{ctx: ctx, searcher: searcher, o: o, emit: emit}
}

// newSearcher returns a searcher that stops soon after ctx is done.
func newSearcher(ctx context.Context, m *match.Matcher) *match.Searcher {
	s := m.NewSearcher()
	s.StopWhen(func() bool { return ctx.Err() != nil })
	return s
}

// scan searches a file and closes it. The error is errStopped, that of the context, or one of reading the file.
func (s *scanner) scan(f *workspace.File) error {
	defer f.Close()
	if s.buf == nil {
		s.buf = make([]byte, bufferSize)
	}
	s.o.Totals.Searched.Add(1)
	f.Count(s.ctx)
	s.reader = fileReader{File: f, left: f.Size()}
	s.fileState = fileState{src: &s.reader, number: 1, context: s.context.cleared()}
	for !s.atEnd {
		if err := s.fill(f); err != nil {
			return err
		}
		if s.nul && !s.named {
			return s.endBinary()
		}
		if s.end == len(s.buf) && bytes.IndexByte(s.buf, '\n') < 0 {
			if more, err := s.longLine(f); !more || err != nil {
				return err
			}
		}
		whole := s.end
		if !s.atEnd {
			whole = bytes.LastIndexByte(s.buf[:s.end], '\n') + 1
		}
		if more, err := s.lines(s.buf[:whole]); !more || err != nil {
			return err
		}
		s.shift(whole)
	}
	if err := s.ctx.Err(); err != nil {
		return err // the searcher may have stopped
	}
	if s.o.Output == Counts && s.count > 0 {
		return s.tell(Result{Count: s.count, Binary: s.nul})
	}
	return nil
}

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
			s.src = fullReader{text.Reader(&s.reader)}
			return s.fill(f)
		case bytes.HasPrefix(s.buf[:n], []byte("\xef\xbb\xbf")):
			n = copy(s.buf, s.buf[3:n])
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

// A fileReader reads a file from its beginning, up to the size that it had when it was opened if that is known.
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

// A fullReader fills the buffer unless the end comes first.
type fullReader struct{ io.Reader }

func (r fullReader) Read(b []byte) (int, error) {
	n, err := io.ReadFull(r.Reader, b)
	if err == io.ErrUnexpectedEOF {
		err = io.EOF
	}
	return n, err
}

// endBinary ends the search of a file that a walk has met and that has a NUL.
func (s *scanner) endBinary() error {
	s.o.Totals.Binary.Add(1)
	if s.told {
		return s.tell(Result{Binary: true})
	}
	return nil
}

// lines searches whole lines, with which the buffer begins, and reports whether to go on with the file.
func (s *scanner) lines(b []byte) (more bool, err error) {
	for at := 0; at < len(b); {
		start, end, ok := s.searcher.NextLine(b, at)
		if !ok {
			break
		}
		line := Line{Text: b[start:end], Length: int64(end - start)}
		if more, err := s.matches(b, start, line); !more || err != nil {
			return false, err
		}
		at = end + 1
	}
	return true, s.after(b, len(b))
}

// matches handles a line that matches, at index at of the buffer b, and reports whether to go on with the file. The line need not lie in
// the buffer, if at is 0 and b is empty.
func (s *scanner) matches(b []byte, at int, line Line) (more bool, err error) {
	s.count++
	switch {
	case s.o.Output == Counts:
		return true, nil
	case s.o.Output == Names, s.nul:
		return false, s.tell(Result{Binary: s.nul})
	}
	if !s.told {
		s.told = true
		if err := s.tell(Result{}); err != nil {
			return false, err
		}
	}
	if err := s.before(b, at); err != nil {
		return false, err
	}
	return true, s.tellLine(b, at, line)
}

// tellLine yields a line at index at of b, which follows all lines that were yielded.
func (s *scanner) tellLine(b []byte, at int, line Line) error {
	line.Number, line.Offset, line.searcher = s.numberAt(b, at), s.base+int64(at), s.searcher
	s.context.told(at+len(line.Text)+1, line.Context, s.o.After)
	return s.tell(Result{Line: line})
}

// tell yields a result about the file.
func (s *scanner) tell(r Result) error {
	if s.path == "" && s.entry.Dir != nil {
		s.path = s.entry.Path()
	}
	r.Path = s.path
	if !s.emit(r) {
		return errStopped
	}
	return nil
}

// numberAt returns the number of the line at an index of the buffer b. The index is not less than the time before.
func (s *scanner) numberAt(b []byte, at int) int {
	s.number += bytes.Count(b[s.numbered:at], []byte("\n"))
	s.numbered = at
	return s.number
}

// shift removes the first n bytes, which are whole lines, from the buffer.
func (s *scanner) shift(n int) {
	if s.o.Output == Lines {
		s.keep(s.buf[:n])
		s.numberAt(s.buf, n)
		s.numbered = 0
	}
	s.base += int64(n)
	s.end = copy(s.buf, s.buf[n:s.end])
}

// longLine searches a line that is longer than the buffer, and leaves in the buffer what follows it. It reports whether to go on
// with the file.
func (s *scanner) longLine(f *workspace.File) (more bool, err error) {
	line := Line{Text: bytes.Clone(s.buf[:headSize])}
	var before []byte // the end of the piece before
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
			s.end = copy(s.buf, s.buf[len(piece)+min(next+1, 1):s.end])
			break
		}
		before = append(before[:0], piece[max(len(piece)-headSize, 0):]...)
		s.end = 0
		if err := s.fill(f); err != nil {
			return false, err
		}
		if s.nul && !s.named {
			return false, s.endBinary()
		}
	}
	if !matched {
		if matched = s.searcher.EndLine(); matched {
			line.showAt(before, nil, 0)
		}
	}
	length := line.Length
	if matched {
		more, err = s.matches(nil, 0, line)
	} else {
		more, err = true, s.longContext(line)
	}
	s.base += length + 1
	s.number++
	s.context.shown = 0
	return more, err
}

// feed gives a piece of a line to the searcher. If the line matches it returns the index after which that is clear, or a little more.
func (s *scanner) feed(piece []byte) (at int, matched bool) {
	const step = 512
	for at = 0; at < len(piece); {
		end := min(at+step, len(piece))
		if s.searcher.Piece(piece[at:end]) {
			return end, true
		}
		at = end
	}
	return 0, false
}

// showAt makes Text a part of the line that lies around an index of a piece of it, unless the beginning has that index. Length is
// that of the line before the piece, of which before is the end.
func (l *Line) showAt(before, piece []byte, at int) {
	if l.Length+int64(at) <= headSize {
		return
	}
	around := append(bytes.Clone(before), piece[:min(len(piece), at+headSize/2)]...)
	around = around[max(len(around)-headSize, 0):]
	l.Start = l.Length + int64(min(len(piece), at+headSize/2)-len(around))
	for i := 0; i < utf8.UTFMax && len(around) > 0 && !utf8.RuneStart(around[0]); i++ {
		around = around[1:]
		l.Start++
	}
	l.Text = around
}
