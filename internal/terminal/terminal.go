// Package terminal writes untrusted text to a terminal. It escapes control characters, including C1
// controls, and characters that reorder or hide adjacent text.
package terminal

import (
	"cmp"
	"io"
	"os"
	"regexp"
	"strings"
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
// are JSON escapes, so a JSON document keeps its meaning. Each write to a terminal must have whole
// characters; the bytes of others are replaced. It is as safe for concurrent use as its stream.
type Writer struct {
	Stream     io.Writer
	isTerminal bool

	mu  sync.Mutex
	err error
}

// NewWriter returns a writer to a stream.
func NewWriter(stream io.Writer) *Writer { return &Writer{Stream: stream, isTerminal: Is(stream)} }

// Write implements [io.Writer].
func (w *Writer) Write(p []byte) (int, error) {
	escaped := p
	if w.isTerminal {
		escaped = []byte(text.Sanitize(string(p)))
	}
	n, err := w.write(escaped)
	if err == nil {
		n = len(p)
	}
	return n, err
}

func (w *Writer) write(p []byte) (int, error) {
	n, err := w.Stream.Write(p)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.err = cmp.Or(w.err, err)
	return n, err
}

// Err returns the first error of the stream.
func (w *Writer) Err() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.err
}

// WriteStyled writes text, escaped, with codes for colors that style adds to it. Nothing else in the
// text has an effect on a terminal.
func (w *Writer) WriteStyled(s string, style func(string) string) error {
	_, err := w.write([]byte(style(text.Sanitize(s))))
	return err
}

// Quote returns words as a shell reads them, on one line.
func Quote(words ...string) string {
	quoted := make([]string, len(words))
	plain := regexp.MustCompile(`^[\w@%+=:,./-]+$`)
	for i, word := range words {
		quoted[i] = word
		if !plain.MatchString(word) {
			quoted[i] = "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
		}
	}
	return strings.Join(quoted, " ")
}
