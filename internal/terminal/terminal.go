// Package terminal writes untrusted text to a terminal. It escapes control characters, including C1
// controls, and characters that reorder or hide adjacent text.
package terminal

import (
	"bytes"
	"cmp"
	"io"
	"os"
	"sync"

	"golang.org/x/term"

	"gander/internal/files/text"
)

// Is reports whether a stream, or the stream of a [Writer], is a terminal.
func Is(stream any) bool {
	switch stream := stream.(type) {
	case *Writer:
		return stream.isTerminal
	case *os.File:
		return term.IsTerminal(int(stream.Fd()))
	default:
		return false
	}
}

// Line returns s on one line, with line feeds escaped too.
func Line(s string) string { return text.Escape(text.Sanitize(s)) }

// A Writer escapes text if its stream is a terminal. Line feeds and tabs are unchanged. The escapes
// are JSON escapes, so a JSON document keeps its meaning. A character can be in two writes; bytes
// of none are replaced. It is as safe for concurrent use as its stream.
type Writer struct {
	Stream     io.Writer
	isTerminal bool

	mu   sync.Mutex
	rest []byte // the beginning of a character whose end has not been written
	err  error
}

// NewWriter returns a writer to a stream.
func NewWriter(stream io.Writer) *Writer { return &Writer{Stream: stream, isTerminal: Is(stream)} }

// Write implements [io.Writer].
func (w *Writer) Write(p []byte) (int, error) {
	if !w.isTerminal {
		return w.write(p)
	}
	_, err := w.write([]byte(text.Sanitize(string(w.whole(p)))))
	if err != nil {
		return 0, err
	}
	return len(p), nil
}

// whole returns the characters that end in p, and keeps the beginning of the next one.
func (w *Writer) whole(p []byte) []byte {
	w.mu.Lock()
	defer w.mu.Unlock()
	all := append(w.rest, p...)
	n := text.WholeCharacters(all)
	w.rest = bytes.Clone(all[n:])
	return all[:n]
}

// Close writes what remains of a character whose end is missing, and returns the first error of the
// stream, which it does not close.
func (w *Writer) Close() error {
	w.mu.Lock()
	rest := w.rest
	w.rest = nil
	w.mu.Unlock()
	if len(rest) > 0 {
		_, _ = w.write([]byte(text.Sanitize(string(rest)))) // which keeps the error
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.err
}

func (w *Writer) write(p []byte) (int, error) {
	n, err := w.Stream.Write(p)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.err = cmp.Or(w.err, err)
	return n, err
}
