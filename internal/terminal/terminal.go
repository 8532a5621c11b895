// Package terminal prints text on a terminal so that the text cannot steer it. It escapes control characters, the C1
// controls among them, and characters that reorder or hide what stands beside them.
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

// Writer returns a writer to w that escapes what is written if w is a terminal, and w itself otherwise. Line feeds and tabs
// stay. The escapes are those of JSON, so a JSON document keeps its meaning. The writer is not safe for concurrent use.
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

// completeLen returns the length of p without the bytes at its end that begin a character and do not complete it.
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

// A Style is how a part of a text is shown.
type Style struct {
	// Start and End are where the part begins and ends, in bytes.
	Start, End int
	// Code is the parameter of an SGR control sequence, such as "31" for red.
	Code string
}

// WriteStyled writes s to w with styles, which are in order and apart from each other. If [Writer] has returned w, what is
// written is escaped but for the styles.
func WriteStyled(w io.Writer, s string, styles []Style) error {
	escape := func(s string) string { return s }
	if own, ok := w.(*writer); ok {
		w, escape = own.out, text.Sanitize
	}
	var b strings.Builder
	end := 0
	for _, style := range styles {
		b.WriteString(escape(s[end:style.Start]))
		b.WriteString("\x1b[" + style.Code + "m" + escape(s[style.Start:style.End]) + "\x1b[0m")
		end = style.End
	}
	b.WriteString(escape(s[end:]))
	_, err := io.WriteString(w, b.String())
	return err
}
