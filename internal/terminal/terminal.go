// Package terminal writes untrusted text to a terminal. It escapes control characters, including C1
// controls, and characters that reorder or hide adjacent text.
package terminal

import (
	"io"
	"os"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/term"

	"gander/internal/files/text"
)

// Is reports whether a stream is a terminal, or a writer to one that [Writer] has returned.
func Is(stream any) bool {
	switch stream := stream.(type) {
	case *writer:
		return true
	case *os.File:
		return term.IsTerminal(int(stream.Fd()))
	default:
		return false
	}
}

// Line returns s on one line, with line feeds escaped too.
func Line(s string) string { return text.Escape(text.Sanitize(s)) }

// Writer returns a writer that escapes text if w is a terminal, and w itself otherwise. Line feeds
// and tabs are unchanged. The escapes are JSON escapes, so a JSON document keeps its meaning. The
// writer is not safe for concurrent use.
func Writer(w io.Writer) io.Writer {
	if Is(w) {
		return &writer{out: w}
	}
	return w
}

type writer struct {
	out  io.Writer
	tail []byte // an incomplete character at the end of the last write
}

func (w *writer) Write(p []byte) (int, error) {
	data := append(w.tail, p...)
	end := completeLen(data)
	w.tail = slices.Clone(data[end:])
	if _, err := io.WriteString(w.out, text.Sanitize(string(data[:end]))); err != nil {
		return 0, err
	}
	return len(p), nil
}

// completeLen returns the length of p without an incomplete character at its end.
func completeLen(p []byte) int {
	for i := len(p) - 1; i >= max(len(p)-utf8.UTFMax, 0); i-- {
		if utf8.RuneStart(p[i]) {
			if utf8.FullRune(p[i:]) {
				break
			}
			return i
		}
	}
	return len(p)
}

// Quote returns word as a shell reads it, on one line.
func Quote(word string) string {
	plain := func(r rune) bool {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' ||
			strings.ContainsRune("_@%+=:,./-", r)
	}
	if word != "" && strings.TrimFunc(word, plain) == "" {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
