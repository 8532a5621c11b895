package search

import (
	"bytes"
	"context"
	"io"

	"gander/internal/files/walk"
	"gander/internal/files/workspace"
	"gander/internal/search/match"
)

// bufferSize is the size of ripgrep's buffer. If a file has a NUL, only the lines before the buffer with the NUL are searched.
const bufferSize = 64 << 10

// A scanner searches one file after the other.
type scanner struct {
	ctx      context.Context
	searcher *match.Searcher
	o        *Options
	emit     func(Result) bool // reports whether to go on
	buf      []byte            // bufferSize bytes

	reader fileReader
	named  bool       // the file is the start of the search, and a NUL does not end the search of it
	entry  walk.Entry // the entry of the file
	path   string     // the path of the entry, or "" if it has not been needed yet
	fileState
}

// fileState is the part of a scanner that is reset for each file.
type fileState struct {
	src   io.Reader
	end   int   // length of the text in the buffer, which begins at the start of a line
	base  int64 // offset of the buffer in the text of the file
	begun bool  // the beginning of the file has been read
	atEnd bool  // nothing follows the buffer
	nul   bool  // a NUL has been read

	count   int  // number of matching lines
	yielded bool // the file has been yielded
	context contextState

	// number is the number of the line at index numbered of the buffer.
	number, numbered int
}

func newScanner(ctx context.Context, m *match.Matcher, o *Options, emit func(Result) bool) *scanner {
	return &scanner{ctx: ctx, searcher: newSearcher(ctx, m), o: o, emit: emit}
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
		return s.yield(Result{Count: s.count, Binary: s.nul})
	}
	return nil
}

// endBinary ends the search of a file with a NUL.
func (s *scanner) endBinary() error {
	s.o.Totals.Binary.Add(1)
	if s.yielded {
		return s.yield(Result{Binary: true})
	}
	return nil
}

// lines searches whole lines, which are the beginning of the buffer, and reports whether to go on with the file.
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

// matches handles a matching line at index at of the buffer b, and reports whether to go on with the file. If b is nil, the line
// precedes the buffer, and at is 0.
func (s *scanner) matches(b []byte, at int, line Line) (more bool, err error) {
	s.count++
	switch {
	case s.o.Output == Counts:
		return true, nil
	case s.o.Output == Names, s.nul:
		return false, s.yield(Result{Binary: s.nul})
	}
	if !s.yielded {
		s.yielded = true
		if err := s.yield(Result{}); err != nil {
			return false, err
		}
	}
	if err := s.before(b, at); err != nil {
		return false, err
	}
	return true, s.yieldLine(b, at, line)
}

// yieldLine yields a line at index at of b, which is after all lines that were yielded before.
func (s *scanner) yieldLine(b []byte, at int, line Line) error {
	line.Number, line.Offset, line.searcher = s.numberAt(b, at), s.base+int64(at), s.searcher
	s.context.yielded(at+len(line.Text)+1, line.Context, s.o.After)
	return s.yield(Result{Line: line})
}

// yield yields a result about the file.
func (s *scanner) yield(r Result) error {
	if s.path == "" && s.entry.Dir != nil {
		s.path = s.entry.Path()
	}
	r.Path = s.path
	if !s.emit(r) {
		return errStopped
	}
	return nil
}

// numberAt returns the number of the line at an index of the buffer b. The index must not be less than in the call before.
func (s *scanner) numberAt(b []byte, at int) int {
	s.number += bytes.Count(b[s.numbered:at], []byte("\n"))
	s.numbered = at
	return s.number
}

// shift removes the first n bytes of the buffer, which are whole lines.
func (s *scanner) shift(n int) {
	if s.o.Output == Lines {
		s.keep(s.buf[:n])
		s.numberAt(s.buf, n)
		s.numbered = 0
	}
	s.base += int64(n)
	s.end = copy(s.buf, s.buf[n:s.end])
}
