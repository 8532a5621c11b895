package text

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestEscapeAndSanitize(t *testing.T) {
	for _, c := range []struct{ in, escaped, sanitized string }{
		{"", "", ""},
		{`back\slash "quote" \n`, `back\slash "quote" \n`, `back\slash "quote" \n`},
		{"héllo 日本 😀\u00a0 ❤\ufe0f", `héllo 日本 😀` + "\u00a0" + ` ❤\ufe0f`, "héllo 日本 😀\u00a0 ❤\ufe0f"},
		{"a\u00adb\u034fc\u180ed\u3164", `a\u00adb\u034fc\u180ed\u3164`, `a\u00adb\u034fc\u180ed\u3164`},
		{"x\U000e0100\U000e01efy", `x\U000e0100\U000e01efy`, `x\U000e0100\U000e01efy`},
		{"a\nb\tc", `a\nb\tc`, "a\nb\tc"},
		{"a\r\b\fz", `a\r\b\fz`, `a\r\b\fz`},
		{"\x00\x01\x1f", `\u0000\u0001\u001f`, `\u0000\u0001\u001f`},
		{"\u0080\u009b2J\u009f\u00a1", `\u0080\u009b2J\u009f` + "¡", `\u0080\u009b2J\u009f` + "¡"},
		{"cod.exe\u202egpj", `cod.exe\u202egpj`, `cod.exe\u202egpj`},
		{"a\u200bb\u2060c\ufeffd", `a\u200bb\u2060c\ufeffd`, `a\u200bb\u2060c\ufeffd`},
		{"x\U000e0041\U000e007fy", `x\U000e0041\U000e007fy`, `x\U000e0041\U000e007fy`},
		{"👩\u200d💻 نامه\u200cای", `👩\u200d💻 نامه\u200cای`, "👩\u200d💻 نامه\u200cای"},
		{"\u0600\u0661 \u06dd", "\u0600\u0661 \u06dd", "\u0600\u0661 \u06dd"}, // signs that are seen
		{"bad\xff\n\x9bend", "bad\xff" + `\n` + "\x9bend", "bad\ufffd\n\ufffdend"},
	} {
		if got := Escape(c.in); got != c.escaped {
			t.Errorf("Escape(%+q) = %+q, want %+q", c.in, got, c.escaped)
		}
		if got := Sanitize(c.in); got != c.sanitized {
			t.Errorf("Sanitize(%+q) = %+q, want %+q", c.in, got, c.sanitized)
		}
	}
}

// TestPrintable checks the set of characters that are escaped in the names of reproductions. The
// set is written as numbers, so that it does not depend on the version of Unicode that Go supports.
// It checks that everything in the set, and the invisible, is escaped elsewhere, and that a path
// with it leads back.
func TestPrintable(t *testing.T) {
	for r := rune(0); r <= unicode.MaxRune; r++ {
		want := r < 0x20 || 0x7f <= r && r <= 0x9f || r == 0x061c || r == 0x200e || r == 0x200f ||
			0x2028 <= r && r <= 0x202e || 0x2066 <= r && r <= 0x2069
		if !utf8.ValidRune(r) {
			continue
		}
		name := string(r)
		if got := len(Printable([]byte(name), false)) > len(name); got != want {
			t.Errorf("U+%04X is escaped: %t, want %t", r, got, want)
		}
		isUnseen := unicode.In(r, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point,
			unicode.Variation_Selector) && !unicode.Is(unicode.Prepended_Concatenation_Mark, r)
		escaped := EscapePath("a" + name + "b")
		back, _ := UnescapePath(escaped)
		isEscaped := Escape(name) != name && !strings.Contains(escaped, name)
		if isEscaped != (want || isUnseen) || back != "a"+name+"b" {
			t.Errorf("U+%04X is escaped: %t; %s leads to %q", r, isEscaped, escaped, back)
		}
	}
}

func TestNothingToEscapeDoesNotAllocate(t *testing.T) {
	name := "héllo 日本 😀 index.d.ts"
	if n := testing.AllocsPerRun(100, func() { Escape(name); Sanitize(name) }); n != 0 {
		t.Errorf("%v allocations, want 0", n)
	}
}

func FuzzEscape(f *testing.F) {
	for _, seed := range []string{"", "name", "a\nb", "\u202e\\n", "\xff\x9b", "\U000e0041"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		escaped := Escape(s)
		if strings.ContainsFunc(escaped, isHidden) {
			t.Errorf("Escape(%+q) = %+q", s, escaped)
		}
		if Escape(escaped) != escaped {
			t.Errorf("Escape(%+q) is escaped again", s)
		}
		sanitized := Sanitize(s)
		unsafe := func(r rune) bool { return misleads(r) && r != '\n' && r != '\t' }
		if !utf8.ValidString(sanitized) || strings.ContainsFunc(sanitized, unsafe) {
			t.Errorf("Sanitize(%+q) = %+q", s, sanitized)
		}
		if back, ok := UnescapePath(escaped); !strings.Contains(s, `\`) && (!ok || back != s) {
			t.Errorf("Escape(%+q) = %+q reads back as %+q, %t", s, escaped, back, ok)
		}
	})
}

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
		"\u00ad\U000e01ef":       `\u00ad\U000e01ef`,
		"👨\u200d👩 ❤\ufe0f":       `👨\u200d👩 ❤\ufe0f`,
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
