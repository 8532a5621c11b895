package search

import (
	"context"
	"errors"
	"io"
	"iter"

	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"

	"gander/internal/files/workspace"
	"gander/internal/search/match"
)

// SearchReader searches a text, such as that of a pipe, as [Search] searches a file that is its
// start. It yields a line when it has read it, and calls Options.Progress only at the end. A line
// of more than 16 MiB, with its context, cannot be opened.
func SearchReader(
	ctx context.Context, in io.Reader, m *match.Matcher, o Options,
) iter.Seq2[Result, error] {
	return func(yield func(Result, error) bool) {
		text := &stream{in: transform.NewReader(in, unicode.BOMOverride(transform.Nop))}
		r := newRun(ctx, m, workspace.Location{}, o, yield)
		defer r.close()
		r.stream = text
		i := &item{named: true}
		r.beginItem(i)
		e, err := r.scanner.searchText(text, true)
		err = r.endItem(i, e, err)
		if err != nil && err != errStopped {
			yield(Result{}, err)
		}
	}
}

// maxStreamed is the maximum size of the text that a stream keeps.
const maxStreamed = 16 << 20

var errForgotten = errors.New("a line is too long to be read from a pipe; write it to a file")

// A stream is the text of a reader in UTF-8. It keeps the end of what was read, which may be read
// again.
type stream struct {
	in   io.Reader
	kept []byte
	base int64 // the offset of kept
}

// Read reads the next part of the text, which is not empty unless there is an error.
func (s *stream) Read(b []byte) (int, error) {
	n, err := io.ReadAtLeast(s.in, b, 1)
	s.kept = append(s.kept, b[:n]...)
	return n, err
}

// forget allows the stream to drop the text before an offset. It drops more if that is not enough.
func (s *stream) forget(offset int64) {
	n := int(offset - s.base)
	if len(s.kept)-n > maxStreamed {
		n = len(s.kept) - maxStreamed/2
	}
	if n >= bufferSize { // seldom, so that little is moved
		s.kept = append(s.kept[:0], s.kept[n:]...)
		s.base += int64(n)
	}
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
