// Package terminal writes untrusted text to a terminal. It escapes control characters, including C1
// controls, and characters that reorder or hide adjacent text.
package terminal

import (
	"io"
	"os"
	"regexp"
	"strings"

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
// and tabs are unchanged. The escapes are JSON escapes, so a JSON document keeps its meaning. Each
// write must have whole characters; the bytes of others are replaced.
func Writer(w io.Writer) io.Writer {
	if Is(w) {
		return &writer{w}
	}
	return w
}

// WriteStyled writes text to a writer that [Writer] has returned, with codes for colors that style
// adds to it. Nothing else in the text has an effect on a terminal.
func WriteStyled(w io.Writer, s string, style func(string) string) error {
	if escaping, ok := w.(*writer); ok {
		s, w = text.Sanitize(s), escaping.out
	}
	_, err := io.WriteString(w, style(s))
	return err
}

type writer struct{ out io.Writer }

func (w *writer) Write(p []byte) (int, error) {
	if _, err := io.WriteString(w.out, text.Sanitize(string(p))); err != nil {
		return 0, err
	}
	return len(p), nil
}

// Quote returns words as a shell reads them, on one line.
func Quote(words ...string) string {
	quoted := make([]string, len(words))
	plain := regexp.MustCompile(`^[\w@%+=:,./-]+$`)
	for i, word := range words {
		if quoted[i] = word; !plain.MatchString(word) {
			quoted[i] = "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
		}
	}
	return strings.Join(quoted, " ")
}
