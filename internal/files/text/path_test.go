package text

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestEscapePath(t *testing.T) {
	for path, want := range map[string]string{
		"":                       "",
		"src/main.go":            "src/main.go",
		"a b/c d":                "a b/c d",
		" a/ b /c ":              `\x20a/\x20b\x20/c\x20`,
		"a  b":                   "a  b",
		" ":                      `\x20`,
		"a\nb\tc\rd\x1b\x7f":     `a\nb\tc\rd\x1b\x7f`,
		`a\nb`:                   `a\\nb`,
		"grün/漢":                 "grün/漢",
		"a\xffb\xc3":             `a\xffb\xc3`,
		"\ufffd":                 "\ufffd",
		"\u0085\u2028\u202e":     `\u0085\u2028\u202e`,
		"\u200b\ufeff\U000e0041": `\u200b\ufeff\U000e0041`,
		"👨\u200d👩":               "👨\u200d👩",
	} {
		got := EscapePath(path)
		if got != want {
			t.Errorf("%q: got %s, want %s", path, got, want)
		}
		if back, ok := UnescapePath(got); !ok || back != path {
			t.Errorf("%s: came back as %q, %v", got, back, ok)
		}
	}
}

func TestUnescapePath(t *testing.T) {
	for _, wrong := range []string{`\`, `a\`, `src\main.go`, `\xf`, `\u12`, `\"`} {
		if got, ok := UnescapePath(wrong); ok {
			t.Errorf("%s: got %q", wrong, got)
		}
	}
}

// FuzzEscapePath checks that every path is one line without white space at its ends, and can be
// unescaped.
func FuzzEscapePath(f *testing.F) {
	for _, seed := range []string{"a/b", `a\nb`, "a\nb", " a /b", "\xff\xfe", "\u2028", `\\`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, path string) {
		escaped := EscapePath(path)
		if !utf8.ValidString(escaped) || strings.Trim(escaped, " \t\n\v\f\r") != escaped {
			t.Errorf("%q is shown as %q", path, escaped)
		}
		if Escape(escaped) != escaped {
			t.Errorf("%q is shown as %q, which misleads", path, escaped)
		}
		if back, ok := UnescapePath(escaped); !ok || back != path {
			t.Errorf("%q came back as %q, %v", path, back, ok)
		}
	})
}
