package cli

import (
	"io"
	"unicode/utf8"

	"gander/internal/engine/text"
)

// safely returns out, or where that is a terminal a writer to it that escapes what would steer it. Escapes are those of JSON,
// so that a message of a protocol stays the same message.
func safely(out io.Writer) io.Writer {
	if isTerminal(out) {
		return &sanitizer{out: out}
	}
	return out
}

// A sanitizer is for one goroutine at a time.
type sanitizer struct {
	out  io.Writer
	tail []byte // the beginning of a character whose rest is to come
}

// Write writes p; an incomplete character at its end waits for the rest.
func (s *sanitizer) Write(p []byte) (int, error) {
	whole := append(s.tail, p...)
	end := len(whole)
	for end > 0 && len(whole)-end < utf8.UTFMax && !utf8.RuneStart(whole[end-1]) {
		end--
	}
	if end > 0 && !utf8.FullRune(whole[end-1:]) {
		end--
	} else {
		end = len(whole)
	}
	s.tail = append([]byte(nil), whole[end:]...)
	if _, err := io.WriteString(s.out, text.Sanitize(string(whole[:end]))); err != nil {
		return 0, err
	}
	return len(p), nil
}
