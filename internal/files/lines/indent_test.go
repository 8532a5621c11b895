package lines

import (
	"strings"
	"testing"
	"unicode"
)

// indent defines the result of Indent.
func indent(line string) (width int, text string) {
	for _, b := range []byte(line[:len(line)-len(strings.TrimLeft(line, " \t"))]) {
		width++
		if b == '\t' {
			width += 3
		}
	}
	return width, strings.TrimLeftFunc(line, unicode.IsSpace)
}

func TestIndent(t *testing.T) {
	for _, tc := range []struct {
		line  string
		width int
		text  string
	}{
		{"x", 0, "x"},
		{"    x y", 4, "x y"},
		{"\tx", 4, "x"},
		{"  \t x", 7, "x"},
		{"", 0, ""},
		{"  \t", 6, ""},
		{"  \r", 2, ""},
		{"  \r\r \t", 2, ""},
		{"  \u00a0  x", 2, "x"},
		{"\v\f x", 0, "x"},
		{" \u0085\u1680\u2000\u200a\u2028\u2029\u202f\u205f\u3000", 1, ""},
		{" \u200b", 1, "\u200b"},
		{"\ufeff  x", 0, "\ufeff  x"},
		{" \u180e", 1, "\u180e"},
		{"\x1c", 0, "\x1c"},
		{"\x00", 0, "\x00"},
		{"  \xff", 2, "\xff"},
		{"  \xa0", 2, "\xa0"},
		{"  \xe3\x80", 2, "\xe3\x80"},
		{strings.Repeat(" ", 70_000) + "\t# x", 70_004, "# x"},
		{strings.Repeat("\u3000", 70_000), 0, ""},
	} {
		for _, end := range []string{"", "\n", "\r\n", "\n next"} {
			c := newCursor(strings.NewReader(tc.line+end), Options{Keep: 16}, 8, 64, 64)
			line, err := c.Next(t.Context())
			if err != nil && tc.line+end != "" {
				t.Fatalf("%.20q: %v", tc.line+end, err)
			}
			width, text, err := c.Indent(t.Context(), line, 4)
			if err != nil || width != tc.width || string(text) != tc.text {
				t.Errorf("%.20q: indent %d, %q, %v; want %d, %q",
					tc.line+end, width, text, err, tc.width, tc.text)
			}
		}
	}
}
