package search

import (
	"bytes"
	"io"
	"iter"
	"slices"

	"gander/internal/files/lines"
	"gander/internal/files/workspace"
	"gander/internal/search/match"
)

// A Line is a line of a file. Its bytes are UTF-8 if the file is UTF-16, and exclude a byte order
// mark. It is valid until the next result is taken.
type Line struct {
	Number int   // counts from 1
	Offset int64 // where the line begins in the file, in bytes of UTF-8 after the byte order mark
	// Text is a line of less than 64 KiB without its line feed, or the beginning of a longer line.
	Text    []byte
	Length  int64 // the size of the whole line in bytes, without its line feed
	Context bool  // the line does not match

	run *run
}

// Whole reports whether Text is the whole line.
func (l Line) Whole() bool { return int64(len(l.Text)) == l.Length }

// Spans yields the matches in the whole line, of any length, from left to right and without
// overlaps, at most limit. It omits an empty match directly after another match. The time is
// proportional to the length of the line, and the memory does not depend on it. A limit of 1 is the
// cheapest way to the first match. Spans cannot be nested.
//
// A line that is not Whole is read from the file again. Options.Progress is called after each
// piece; if it returns false, Spans and the search end. The error is the error of opening or
// reading the file. If the file has changed, the spans are undefined, but within the line.
func (l Line) Spans(limit int) iter.Seq2[match.Span, error] {
	return func(yield func(match.Span, error) bool) {
		r := l.run
		var err error
		if !l.Whole() {
			err = r.reopen()
		}
		if err == nil {
			r.searched = l
			err = r.spans.Spans(r, limit, func(s match.Span) bool { return yield(s, nil) })
		}
		if err != nil && err != errStopped {
			yield(match.Span{}, err)
		}
	}
}

// Open returns the text of the whole line, of any length. It needs no closing, and is valid until
// the next result is taken. It opens the file again, unless the line is Whole. If the file has
// changed, the text is undefined, but it has no line feed. The error is the error of opening the
// file.
func (l Line) Open() (*io.SectionReader, error) {
	if l.Whole() {
		return io.NewSectionReader(bytes.NewReader(l.Text), 0, l.Length), nil
	}
	if err := l.run.reopen(); err != nil {
		return nil, err
	}
	return io.NewSectionReader(&l.run.file.reopened, l.Offset, l.Length), nil
}

// From implements [match.Text] for the line whose matches are found. It returns the next piece, of
// at most bufferSize bytes if the line is read again.
func (r *run) From(offset int64) ([]byte, error) {
	l := r.searched
	if l.Whole() {
		return l.Text[offset:], nil
	}
	if err := r.ctx.Err(); err != nil {
		return nil, err
	}
	piece, err := r.file.reopened.readPiece(l.Offset+offset, int(min(bufferSize, l.Length-offset)))
	if err != nil {
		return nil, err
	}
	if !r.o.Progress(int64(len(piece)), false) {
		r.ended = true
		return nil, errStopped
	}
	return piece, nil
}

// A reopenedText is the text of a file that is open again, for lines longer than the buffer. It
// reads spaces for line feeds: a line has none, unless its file has changed, and then the results
// of a search must not contain lines without a number.
type reopenedText struct {
	file    *workspace.File
	text    io.ReaderAt // nil until needed
	piece   []byte      // the last piece that was read for the matches of a line
	pieceAt int64       // its offset in the text
}

// ReadAt implements [io.ReaderAt]. It takes matches from the piece in which they were found.
func (r *reopenedText) ReadAt(b []byte, offset int64) (int, error) {
	start := offset - r.pieceAt
	if start >= 0 && start+int64(len(b)) <= int64(len(r.piece)) {
		return copy(b, r.piece[start:]), nil
	}
	n, err := r.text.ReadAt(b, offset)
	for i, c := range b[:n] {
		if c == '\n' {
			b[i] = ' '
		}
	}
	return n, err
}

// readPiece returns at most size bytes. They are valid until the next call.
func (r *reopenedText) readPiece(offset int64, size int) ([]byte, error) {
	buf := slices.Grow(r.piece[:0], bufferSize)[:size]
	r.piece = nil // which is overwritten, so ReadAt must not use it
	n, err := r.ReadAt(buf, offset)
	if err != nil && err != io.EOF {
		return nil, err
	}
	r.piece, r.pieceAt = buf[:n], offset
	return r.piece, nil
}

// reopen opens the current file again.
func (r *run) reopen() error {
	again := &r.file.reopened
	switch {
	case again.text != nil:
		return nil
	case r.stream != nil:
		again.text = r.stream
		return nil
	}
	location := r.start
	if !r.file.named {
		location = location.Join(r.file.path)
	}
	f, err := location.File()
	if err != nil {
		return err
	}
	again.close() // what an attempt that failed has left
	again.file = f
	e, err := r.o.encodingOf(f)
	if err != nil {
		return err
	}
	if e.IsUTF8() {
		again.text = section(f, e.Mark)
		return nil
	}
	decoded, err := lines.NewDecoded(r.ctx, f, f.Size(), e)
	if err == nil {
		again.text = decoded
	}
	return err
}

func (r *reopenedText) close() {
	if r.file != nil {
		_ = r.file.Close()
	}
	*r = reopenedText{}
}
