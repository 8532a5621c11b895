package text

import (
	"strings"
	"testing"
)

func TestExcerpt(t *testing.T) {
	for value, want := range map[string]string{
		"":                            "",
		"a\nb\u202e\x1b漢\"":           `a\nb\u202e\u001b漢"`,
		strings.Repeat("x", 60):       strings.Repeat("x", 60),
		"x" + strings.Repeat("漢", 20): "x" + strings.Repeat("漢", 19) + "...",
		strings.Repeat("\x00", 1000):  strings.Repeat(`\u0000`, 60) + "...",
	} {
		if got := Excerpt(value); got != want {
			t.Errorf("%q: got %q, want %q", value, got, want)
		}
	}
}
