package pdf

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/unicode/bidi"
)

// TestReadingOrder gives lines with the characters in the order of the page.
func TestReadingOrder(t *testing.T) {
	for line, want := range map[string]string{
		"plain (text) 12":                "plain (text) 12",
		"םולש םלוע":                      "עולם שלום",
		".םלוע ,םולש":                    "שלום, עולם.",
		"עברא 12 שולש":                   "שלוש 12 ארבע",
		"שמח abc def עברא":               "ארבע abc def חמש",
		"English with םלוע םולש inside.": "English with שלום עולם inside.",
		"one עברא 12 שולש two":           "one שלוש 12 ארבע two",
		"!ביבא־לת 12-34 45.50 :ריחמ":     "מחיר: 45.50 12-34 תל־אביב!",
		"50% החנה":                       "הנחה 50%",
		"(םולש)":                         "(שלום)",
	} {
		if got := readingOrder(line); got != want {
			t.Errorf("got  %q\nwant %q", got, want)
		}
	}
}

// FuzzReadingOrder checks that a line keeps its characters, except for mirrored brackets, and that a
// line without Hebrew and Arabic letters is unchanged.
func FuzzReadingOrder(f *testing.F) {
	f.Add("שלום abc 12,5% عالم")
	f.Add("one שלום 12 عالم two שלום")
	f.Add("")
	f.Fuzz(func(t *testing.T, text string) {
		if !utf8.ValidString(text) {
			return
		}
		got := readingOrder(text)
		if !strings.ContainsFunc(text, isLeftward) && got != text {
			t.Errorf("%q became %q", text, got)
		}
		sorted := func(text string) string {
			line := slices.DeleteFunc([]rune(text), func(c rune) bool {
				p, _ := bidi.LookupRune(c)
				return p.IsBracket()
			})
			slices.Sort(line)
			return string(line)
		}
		if sorted(got) != sorted(text) {
			t.Errorf("%q became %q", text, got)
		}
	})
}
