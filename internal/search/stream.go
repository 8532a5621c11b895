package search

import (
	"bytes"
	"context"
	"errors"
	"io"
	"iter"

	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"

	"gander/internal/search/match"
)

// SearchReader searches a text, such as that of a pipe, as [Search] searches a file that is its
// start. It yields a line when it has read it. A line of more than 16 MiB cannot be opened.
func SearchReader(
	ctx context.Context, in io.Reader, m *match.Matcher, o Options,
) iter.Seq2[Result, error] {
	return func(yield func(Result, error) bool) {
		r := newRun(ctx, m, o, yield)
		defer r.close()
		text := &stream{in: transform.NewReader(in, unicode.BOMOverride(transform.Nop))}
		r.merger.stream = text
		err := r.searchFile(text, "")
		if err != nil && err != errStopped {
			yield(Result{}, err)
		}
	}
}

// maxStreamed is the maximum size of a line that a stream keeps, with what was read after it.
const maxStreamed = 16 << 20

var errForgotten = errors.New("a line is too long to be read from a pipe; write it to a file")

// A stream is the text of a reader in UTF-8. It keeps the current line, which may be read again, but
// not the lines before.
type stream struct {
	in   io.Reader
	kept []byte // the end of what was read
	base int64  // its offset
	line int    // the index in kept of the line that contains index seen
	seen int    // the last bufferSize bytes, which are not seen, may have the end of that line
}

// Read reads the next part of the text, which is not empty unless there is an error.
func (s *stream) Read(b []byte) (int, error) {
	n, err := io.ReadAtLeast(s.in, b, 1)
	s.kept = append(s.kept, b[:n]...)
	passed := s.kept[s.seen:max(len(s.kept)-bufferSize, s.seen)]
	if i := bytes.LastIndexByte(passed, '\n'); i >= 0 {
		s.line = s.seen + i + 1
	}
	s.seen += len(passed)
	if len(s.kept)-s.line > maxStreamed {
		s.line = len(s.kept) - maxStreamed/2
	}
	if s.line >= bufferSize {
		s.kept = append(s.kept[:0], s.kept[s.line:]...)
		s.base += int64(s.line)
		s.seen = max(s.seen-s.line, 0)
		s.line = 0
	}
	return n, err
}

// ReadAt implements [io.ReaderAt] for what was read and is kept.
func (s *stream) ReadAt(b []byte, offset int64) (int, error) {
	if offset < s.base {
		return 0, errForgotten
	}
	n := copy(b, s.kept[min(offset-s.base, int64(len(s.kept))):])
	if n < len(b) {
		return n, io.EOF
	}
	return n, nil
}

// Size returns 0: the size is unknown.
func (s *stream) Size() int64 { return 0 }

func (s *stream) Close() error { return nil }
