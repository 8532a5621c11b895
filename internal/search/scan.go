package search

import (
	"bytes"
	"context"
	"errors"
	"io"
	"time"

	"gander/internal/admission"
	"gander/internal/search/automaton"
	"gander/internal/search/match"
)

// bufferSize is the size of ripgrep's buffer. It must be the same, because a search ends before the
// first buffer that contains a NUL.
const bufferSize = 64 << 10

// A receiver takes the lines that a scanner finds: a merger on the goroutine of the consumer, or a
// worker on its own.
type receiver interface {
	// line takes a line, whose Text is valid until it returns. An error ends the scan.
	line(Line) error
}

// A scanner searches files and blocks of files.
type scanner struct {
	ctx      context.Context
	searcher *match.Searcher
	o        *Options
	receiver receiver
	buf      []byte    // bufferSize bytes
	cutoff   time.Time // as in run
	reserved bool      // the memory for a document is reserved

	fileState
}

// fileState is reset for each scan.
type fileState struct {
	item   *item
	file   file      // the file of the item, or the text of its document
	region region    // the lines to send; those around them are read for context
	src    io.Reader // reads the file, or its text if it is UTF-16
	end    int       // length of the text in the buffer, which begins at the start of a line
	base   int64     // offset of the buffer in the text, which excludes the byte order mark
	begun  bool      // the byte order mark has been read, if any, and a document recognized
	atEnd  bool      // nothing follows the buffer
	nul    bool      // a NUL has been read

	result   ending
	number   int // the number of the line that begins at index numbered of the buffer, counted from the region
	numbered int

	sent  int    // index in the buffer after the last line that was sent
	after int    // number of lines to be sent after a match
	held  []Line // the last lines before the buffer that have not been sent
}

// errEnough ends a scan whose result is complete.
var errEnough = errors.New("the rest of the file is not needed")

// An ending is the result of a scan, in addition to the lines.
type ending struct {
	count    int    // number of matching lines
	lines    int    // number of lines
	size     int64  // the size of the region in bytes
	rest     region // the rest of the file, if the scan was of its first block and did not end before
	nul      bool   // there is a NUL
	binary   bool   // the scan ended at a NUL
	matched  bool   // the scan ended at a match
	document documentEnding
}

// hasRest reports whether the rest of the file is to be searched.
func (e *ending) hasRest() bool { return e.rest.start > 0 }

func (r *run) newScanner(s *match.Searcher, to receiver) *scanner {
	return &scanner{
		ctx: r.ctx, searcher: s, o: &r.o, receiver: to, buf: make([]byte, bufferSize), cutoff: r.cutoff,
	}
}

// newSearcher returns a searcher that stops soon after ctx is done. Its states use at most memory
// bytes, which it reserves.
func newSearcher(ctx context.Context, m *match.Matcher, memory int) *match.Searcher {
	return m.NewSearcher(automaton.Limits{
		Memory:  memory,
		Reserve: func() bool { return admission.Reserve(ctx, int64(memory)) == nil },
		Stop:    func() bool { return ctx.Err() != nil },
	})
}

// search finds the lines of an item whose file is open. Of a large file it searches the first block
// and sets ending.rest.
func (s *scanner) search(i *item) (ending, error) {
	switch {
	case i.err != nil:
		return ending{}, i.err
	case i.block:
		return s.scan(i, i.file, i.region)
	}
	first := region{end: toEnd}
	if i.file.Size() > 2*blockSize {
		end, err := blockEnd(s.ctx, i.file, 0, s.buf)
		if err != nil {
			return ending{}, err
		}
		first.end = end
	}
	e, err := s.scan(i, i.file, first)
	if d, ok := errors.AsType[documentError](err); ok {
		return s.document(i, d.Document)
	}
	isWhole := s.region.end == toEnd || e.binary || e.matched // or enough of it
	if err == nil && !isWhole {
		e.rest = region{start: s.region.end, end: toEnd, mark: s.region.mark}
	}
	return e, err
}

// scan searches a region of the file of an item, or of the text that is read instead.
func (s *scanner) scan(i *item, f file, r region) (ending, error) {
	from, to, before, after := r.start, r.end, 0, 0
	var err error
	if s.o.After > 0 && from > 0 {
		from, before, err = passBack(s.ctx, f, from, s.o.After, s.buf)
	}
	if err == nil && s.o.Before > 0 && to != toEnd {
		to, after, err = passLines(s.ctx, f, to, s.o.Before, s.buf)
	}
	if err != nil {
		return ending{}, err
	}
	from = max(from, r.mark)
	_, isStream := f.(*stream) // which has removed its byte order mark
	s.fileState = fileState{
		item: i, file: f, region: r, src: section(f, from, to), base: from - r.mark,
		begun: i.block || isStream, number: 1 - before, held: s.held[:0],
	}
	err = s.searchSource()
	if err == nil || err == errEnough {
		err = s.ctx.Err() // the searcher may have stopped
	}
	s.result.nul = s.nul
	s.result.size = max(min(s.region.end, f.Size())-r.start, 0)
	s.result.lines = max(s.number-1-after, 0) // less if the file changes
	return s.result, err
}

// searchSource searches the source to its end.
func (s *scanner) searchSource() error {
	for !s.atEnd {
		if err := s.fill(); err != nil {
			return err
		}
		if s.end == len(s.buf) && bytes.IndexByte(s.buf, '\n') < 0 {
			if err := s.longLine(); err != nil {
				return err
			}
		}
		whole := s.end
		if !s.atEnd {
			whole = bytes.LastIndexByte(s.buf[:s.end], '\n') + 1
		}
		if err := s.lines(s.buf[:whole]); err != nil {
			return err
		}
		s.shift(whole)
	}
	return nil
}

// lines searches whole lines at the start of the buffer.
func (s *scanner) lines(b []byte) error {
	for at := 0; at < len(b); {
		start, end, ok := s.searcher.NextLine(b, at)
		if !ok {
			break
		}
		line := Line{Text: b[start:end], Length: int64(end - start)}
		if err := s.matches(b, start, line); err != nil {
			return err
		}
		at = end + 1
	}
	return s.sendAfter(b, len(b))
}

// matches handles a matching line at index at of b, the buffer. If b is nil, the line precedes the
// buffer, and at is 0.
func (s *scanner) matches(b []byte, at int, line Line) error {
	s.result.count++
	switch {
	case s.o.Output == Counts:
		return nil
	case s.o.Output == Names, s.nul:
		s.result.matched = true
		return errEnough
	}
	if err := s.sendBefore(b, at); err != nil {
		return err
	}
	return s.sendLine(b, at, line)
}

// sendLine sends a line at index at of b. The index must be after all lines sent before.
func (s *scanner) sendLine(b []byte, at int, line Line) error {
	line.Number, line.Offset = s.numberAt(b, at), s.base+int64(at)
	s.sent, s.held = at+len(line.Text)+1, s.held[:0]
	if line.Context {
		s.after = max(s.after-1, 0)
	} else {
		s.after = s.o.After
	}
	return s.send(line)
}

// send sends a line to the receiver, unless it is outside the region.
func (s *scanner) send(line Line) error {
	at := line.Offset + s.region.mark // in the file
	if at < s.region.start || at >= s.region.end {
		return nil
	}
	return s.receiver.line(line)
}

// numberAt returns the number of the line at an index of b, which must not decrease between calls.
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
