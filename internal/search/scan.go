package search

import (
	"bytes"
	"errors"
	"io"

	"gander/internal/admission"
	"gander/internal/files/workspace"
	"gander/internal/search/automaton"
	"gander/internal/search/match"
)

// bufferSize is the size of ripgrep's buffer. It must be the same, because a search ends before the
// first buffer that contains a NUL, in a block as in a whole file.
const bufferSize = 64 << 10

// A scanner searches files and blocks of files. Offsets are those of the text, which excludes a
// byte order mark.
type scanner struct {
	run      *run
	searcher *match.Searcher
	send     func(Line) error // takes a line, whose Text is valid until it returns
	buf      []byte           // bufferSize bytes
	reserved bool             // the memory for a document is reserved

	// The others are about the current file or block.

	source io.Reader
	stream *stream // the source, if it is one
	prompt bool    // a line is searched as soon as it is read
	named  bool    // as in item
	first  int64   // the offset of the first line to search; lines before it are read for context
	read   int64   // the number of bytes read

	filled int   // the length of the text in the buffer, which begins at the start of a line
	base   int64 // the offset of the buffer
	atEnd  bool  // nothing follows the buffer
	nul    bool  // a NUL has been read that can end the scan
	isText bool  // a NUL does not

	number   int    // the number of the line at the offset numbered, counted from first
	numbered int64  // is in the buffer
	sent     int64  // the offset after the last line that was sent
	due      int    // the number of lines to be sent after the last match
	held     []Line // the last lines before the buffer, at most Before

	result ending
}

// errEnough ends the search of an item whose results are complete.
var errEnough = errors.New("the rest of the file is not needed")

// An ending is what is known of an item in addition to its lines.
type ending struct {
	err     error // ends the item
	after   int   // in a batch, the number of lines before it
	outcome outcome
	count   int    // number of matching lines
	lines   int    // number of lines
	size    int64  // what was searched, in bytes
	nul     bool   // there is a NUL
	nulAt   int64  // its offset
	binary  bool   // its search ended at a NUL, or the file is not text
	decoded string // the guessed encoding, or ""
	matched bool   // its search ended at a match
	isText  bool   // of a large file: a NUL does not end the search of a block
}

// An outcome is what has become of an item.
type outcome byte

const (
	searched outcome = iota
	large            // it was not searched: the run will search it in blocks

	// The others are outcomes of documents.

	deferred  // a worker got no memory for it: the run will search it
	notWanted // it was only counted
	late      // it was not searched, because time was short
	extracted
	cut // its beginning was searched, until time was short
)

func (r *run) newScanner(s *match.Searcher, send func(Line) error) *scanner {
	return &scanner{run: r, searcher: s, send: send, buf: make([]byte, bufferSize)}
}

// newSearcher returns a searcher that stops soon after the context of the search is done. Its
// states use at most memory bytes, which it reserves.
func (r *run) newSearcher(memory int) *match.Searcher {
	return r.matcher.NewSearcher(automaton.Limits{
		Memory:  memory,
		Reserve: func() bool { return admission.Reserve(r.ctx, int64(memory)) == nil },
		Stop:    func() bool { return r.ctx.Err() != nil },
	})
}

// search searches an item, whose file it opens unless it is open.
func (s *scanner) search(i *item) (ending, error) {
	switch {
	case i.err != nil:
		return ending{}, i.err
	case i.block != nil:
		return s.searchBlock(i.block, i.named)
	case i.file != nil:
		return s.searchFile(i, i.file)
	}
	f, err := i.dir.File(i.name, i.kind)
	if err != nil {
		return ending{}, err
	}
	defer f.Close()
	return s.searchFile(i, f)
}

// searchFile searches a file from its beginning, unless it is large.
func (s *scanner) searchFile(i *item, f *workspace.File) (ending, error) {
	s.begin(section(f, 0), i.named)
	if err := s.readMore(); err != nil {
		return ending{}, err
	}
	if s.run.o.Documents != nil {
		d, err := s.run.o.Documents(s.run.ctx, f, i.name, s.buf[:s.filled])
		if err != nil {
			return ending{}, err
		}
		if d != nil {
			return s.searchDocument(d)
		}
	}
	e, isText := s.run.o.decide(s.buf[:s.filled])
	s.isText = s.run.o.Decide != nil && isText
	if !isText && !s.named {
		s.result.binary, s.result.size = true, int64(s.filled)
		return s.finish(nil)
	}
	if e.Guessed {
		s.result.decoded = e.Name
	}
	if err := s.skipMark(f, e); err != nil {
		return ending{}, err
	}
	isLarge := f.Size() > 2*blockSize && e.IsUTF8()
	err := s.checkNUL(s.buf[:s.filled])
	switch {
	case err != nil: // the rest of the file is not needed
		s.result.size = int64(s.filled)
	case isLarge:
		return ending{outcome: large, isText: s.isText}, nil
	default:
		s.result.size = f.Size()
		err = s.searchRead()
	}
	return s.finish(err)
}

// searchText searches a text in UTF-8 without a byte order mark, each line as soon as it is read.
func (s *scanner) searchText(text io.Reader, named bool) (ending, error) {
	s.begin(text, named)
	s.stream, _ = text.(*stream)
	s.prompt = true
	e, err := s.finish(s.searchSource())
	e.size = s.read
	return e, err
}

// searchBlock searches a block. It begins some lines before, which can be the context of matches in
// the block, or have matches whose context is in it:
//
//	from            b.start                       b.end
//	 | lines before  | the lines that are searched  |
//
// The run drops lines that the blocks before have sent.
func (s *scanner) searchBlock(b *block, named bool) (ending, error) {
	from, linesBefore, err := s.passBack(b.text, b.start, max(s.run.o.Before, s.run.o.After))
	if err != nil {
		return ending{}, err
	}
	s.begin(io.NewSectionReader(b.text, from, b.end-from), named)
	s.isText = b.isText
	s.first, s.base, s.numbered, s.number = b.start, from, from, 1-linesBefore
	e, err := s.finish(s.searchSource())
	e.size = b.size()
	e.lines = max(e.lines, 0) // less if the file changes
	return e, err
}

// begin begins a file or block.
func (s *scanner) begin(source io.Reader, named bool) {
	*s = scanner{
		run: s.run, searcher: s.searcher, send: s.send, buf: s.buf, reserved: s.reserved,
		source: source, named: named, number: 1, held: s.held[:0],
	}
}

// finish returns the ending of an item, and its error unless that is errEnough.
func (s *scanner) finish(err error) (ending, error) {
	if err == nil || err == errEnough {
		err = s.run.ctx.Err() // with which the searcher finds nothing more
	}
	s.result.nul, s.result.lines = s.nul, s.number-1
	return s.result, err
}

// searchSource searches the source to its end.
func (s *scanner) searchSource() error {
	if err := s.fill(); err != nil {
		return err
	}
	return s.searchRead()
}

// searchRead searches the text that has been read into the buffer, and the source to its end.
func (s *scanner) searchRead() error {
	for {
		if s.filled == len(s.buf) && bytes.IndexByte(s.buf, '\n') < 0 {
			if err := s.longLine(); err != nil {
				return err
			}
		}
		whole := s.filled
		if !s.atEnd {
			whole = bytes.LastIndexByte(s.buf[:s.filled], '\n') + 1
		}
		if err := s.searchLines(s.buf[:whole]); err != nil {
			return err
		}
		s.shift(whole)
		if s.atEnd {
			return nil
		}
		if err := s.fill(); err != nil {
			return err
		}
	}
}

// searchLines searches whole lines at the start of the buffer.
func (s *scanner) searchLines(b []byte) error {
	if s.run.o.Invert {
		return s.searchOthers(b)
	}
	for at := 0; at < len(b); {
		start, end, ok := s.searcher.NextLine(b, at)
		if !ok {
			break
		}
		if err := s.match(newLine(s.base+int64(start), b[start:end])); err != nil {
			return err
		}
		at = end + 1
	}
	return s.sendAfter(s.base + int64(len(b)))
}

// searchOthers searches whole lines at the start of the buffer for those that do not match.
func (s *scanner) searchOthers(b []byte) error {
	for at := 0; at < len(b); {
		start, end, ok := s.searcher.NextLine(b, at)
		if !ok {
			start, end = len(b), len(b)
		}
		for at < start {
			text, _, _ := bytes.Cut(b[at:], []byte("\n"))
			if err := s.match(newLine(s.base+int64(at), text)); err != nil {
				return err
			}
			at += len(text) + 1
		}
		at = end + 1
	}
	return s.sendAfter(s.base + int64(len(b)))
}

// match counts or sends a matching line.
func (s *scanner) match(line Line) error {
	s.result.count++
	isHidden := s.nul && line.Offset >= s.first // before first, the NUL can be behind the line
	switch {
	case s.run.o.Output == Counts:
		return nil
	case s.run.o.Output == Names, isHidden:
		s.result.matched = true
		return errEnough
	}
	if err := s.sendBefore(line.Offset); err != nil {
		return err
	}
	return s.sendLine(line)
}

// sendLine sends a line, which is after all lines sent before.
func (s *scanner) sendLine(line Line) error {
	line.Number = s.numberAt(line.Offset)
	s.sent = line.Offset + line.Length + 1
	if line.Context {
		s.due = max(s.due-1, 0)
	} else {
		s.due = s.run.o.After
	}
	return s.send(line)
}

// numberAt returns the number of the line at an offset in the buffer, which must not decrease
// between calls.
func (s *scanner) numberAt(offset int64) int {
	passed := s.buf[s.numbered-s.base : offset-s.base]
	s.number += bytes.Count(passed, []byte("\n"))
	s.numbered = offset
	return s.number
}

// shift removes the first n bytes of the buffer, which are whole lines.
func (s *scanner) shift(n int) {
	next := s.base + int64(n)
	if s.run.o.Output == Lines {
		s.numberAt(next)
		s.hold(s.buf[:n])
	}
	s.base, s.numbered = next, next
	s.filled = copy(s.buf, s.buf[n:s.filled])
}
