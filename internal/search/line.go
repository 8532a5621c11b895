package search

import (
	"bytes"
	"io"
	"iter"
	"math"

	"gander/internal/files/lines"
	"gander/internal/files/workspace"
	"gander/internal/search/match"
)

// A Line is a line of a file. Its bytes are UTF-8 if the file is UTF-16, and exclude a byte order
// mark. It is valid until the next result is taken.
type Line struct {
	Number int   // counts from 1
	Offset int64 // of the line in the file, in bytes of UTF-8 after the byte order mark
	// Text is a line of at most 64 KiB without its line feed, or the beginning of a longer line.
	Text    []byte
	Length  int64 // of the whole line without its line feed, in bytes
	Context bool  // the line does not match

	merger *merger
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
		text := match.Text(match.Bytes(l.Text))
		if !l.Whole() {
			r, err := l.Open()
			if err != nil {
				yield(match.Span{}, err)
				return
			}
			text = &lineText{merger: l.merger, reader: r}
		}
		err := l.merger.searcher.Spans(text, limit, func(s match.Span) bool { return yield(s, nil) })
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
	text, err := l.merger.reread()
	if err != nil {
		return nil, err
	}
	return io.NewSectionReader(text, l.Offset, l.Length), nil
}

// A lineText is the text of a line that is read from its file.
type lineText struct {
	merger *merger
	reader io.ReaderAt
	buf    []byte
}

// From reads the next piece.
func (t *lineText) From(offset int64) ([]byte, error) {
	if err := t.merger.ctx.Err(); err != nil {
		return nil, err
	}
	if t.buf == nil {
		t.buf = make([]byte, bufferSize)
	}
	n, err := t.reader.ReadAt(t.buf, offset)
	if err != nil && err != io.EOF {
		return nil, err
	}
	if progress := t.merger.o.Progress; progress != nil && !progress(int64(n), false) {
		t.merger.ended = true
		return nil, errStopped
	}
	return t.buf[:n], nil
}

// A source is a file that is open again, and its text.
type source struct {
	file *workspace.File
	text io.ReaderAt // nil until needed
}

// reread returns the text of the current file.
func (m *merger) reread() (io.ReaderAt, error) {
	if m.stream != nil {
		return withoutLineFeeds{m.stream}, nil
	}
	if m.source.text != nil {
		return m.source.text, nil
	}
	location := m.start
	if m.path != "" {
		location = location.Join(m.path)
	}
	f, err := location.File()
	if err != nil {
		return nil, err
	}
	m.source.close()
	m.source.file = f
	var mark [3]byte
	if _, err := f.ReadAt(mark[:], 0); err != nil && err != io.EOF {
		return nil, err
	}
	var text io.ReaderAt = f
	switch {
	case isWide(mark[:]):
		text, err = lines.NewUTF16(m.ctx, f, f.Size())
	case string(mark[:]) == byteOrderMark:
		text = io.NewSectionReader(f, int64(len(byteOrderMark)), math.MaxInt64-8)
	}
	if err == nil {
		m.source.text = withoutLineFeeds{text}
	}
	return m.source.text, err
}

func (s *source) close() {
	if s.file != nil {
		_ = s.file.Close()
	}
	*s = source{}
}

// withoutLineFeeds reads a text with spaces for line feeds. A line has none, unless its file has
// changed; then the results of a search must not contain lines without a number.
type withoutLineFeeds struct{ io.ReaderAt }

// ReadAt implements [io.ReaderAt].
func (w withoutLineFeeds) ReadAt(b []byte, offset int64) (int, error) {
	n, err := w.ReaderAt.ReadAt(b, offset)
	for i, c := range b[:n] {
		if c == '\n' {
			b[i] = ' '
		}
	}
	return n, err
}
