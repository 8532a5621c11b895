package pdf

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// TestReadingOrder gives lines as PDFium has them: words from left to right, the letters of each in
// reading order.
func TestReadingOrder(t *testing.T) {
	for line, want := range map[string]string{
		"plain (text) 12":                "plain (text) 12",
		"עולם שלום":                      "שלום עולם",
		".עולם ,שלום":                    "שלום, עולם.",
		"ארבע 12 שלוש":                   "שלוש 12 ארבע",
		"חמש abc def ארבע":               "ארבע abc def חמש",
		"English with עולם שלום inside.": "English with שלום עולם inside.",
		"one ארבע 12 שלוש two":           "one שלוש 12 ארבע two",
		"!תל־אביב 12-34 45.50 :מחיר":     "מחיר: 45.50 12-34 תל־אביב!",
		"50% הנחה":                       "הנחה 50%",
	} {
		line := []rune(line)
		readingOrder(line)
		if got := string(line); got != want {
			t.Errorf("got  %q\nwant %q", got, want)
		}
	}
}

// FuzzReadingOrder checks that a line keeps its characters, except for mirrored brackets, and that a
// line without Hebrew and Arabic letters is unchanged.
func FuzzReadingOrder(f *testing.F) {
	f.Add("שלום (abc) 12,5% عالم")
	f.Add("")
	f.Fuzz(func(t *testing.T, text string) {
		if !utf8.ValidString(text) {
			return
		}
		line := []rune(text)
		readingOrder(line)
		plain := !strings.ContainsFunc(text, func(c rune) bool { return directionOf(c) == toLeft })
		if plain && string(line) != text {
			t.Errorf("%q became %q", text, string(line))
		}
		sorted := func(line []rune) string {
			line = slices.Clone(line)
			for i, c := range line {
				line[i] = min(c, mirrored(c))
			}
			slices.Sort(line)
			return string(line)
		}
		if sorted(line) != sorted([]rune(text)) {
			t.Errorf("%q became %q", text, string(line))
		}
	})
}
