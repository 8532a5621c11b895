package cli

import (
	"strings"
	"testing"
	"unicode/utf8"

	"gander/internal/engine/text"
)

// TestSanitizer: however a text is cut into writes, the terminal gets it sanitized as a whole.
func TestSanitizer(t *testing.T) {
	for _, s := range []string{
		"", "plain\n", "a\x1b[2J\tb\n", "\u009b31m\u202e\u200b\U000e0041", "caf\u00e9 \u6f22 \U0001f600", `{"a":"\u001b"}`, strings.Repeat("\u6f22", 100),
		"\xff\xfe", "a\xe6\xbcb", "\xf0\x9f\x98", "\x80\x80\x80\x80\x80",
	} {
		for size := 1; size <= 7; size++ {
			var out strings.Builder
			w := &sanitizer{out: &out}
			for rest := s; rest != ""; {
				n := min(size, len(rest))
				if wrote, err := w.Write([]byte(rest[:n])); wrote != n || err != nil {
					t.Fatalf("wrote %d of %d, %v", wrote, n, err)
				}
				rest = rest[n:]
			}
			got := out.String()
			if utf8.ValidString(s) && got != text.Sanitize(s) || strings.ContainsAny(got, "\x1b\u009b\u202e") || !utf8.ValidString(got) {
				t.Errorf("%q in pieces of %d: got %q, want %q", s, size, got, text.Sanitize(s))
			}
		}
	}
}
