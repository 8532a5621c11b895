package text

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestEscapeAndSanitize(t *testing.T) {
	for _, c := range []struct{ in, escaped, sanitized string }{
		{"", "", ""},
		{`back\slash "quote" \n`, `back\slash "quote" \n`, `back\slash "quote" \n`},
		{"héllo 日本 😀\u00a0 ❤\ufe0f", "héllo 日本 😀\u00a0 ❤\ufe0f", "héllo 日本 😀\u00a0 ❤\ufe0f"},
		{"a\u00adb\u034fc\u180ed\u3164", "a\u00adb\u034fc\u180ed\u3164", `a\u00adb\u034fc\u180ed\u3164`},
		{"x\U000e0100\U000e01efy", "x\U000e0100\U000e01efy", `x\udb40\udd00\udb40\uddefy`},
		{"a\nb\tc", `a\nb\tc`, "a\nb\tc"},
		{"a\r\b\fz", `a\r\b\fz`, `a\r\b\fz`},
		{"\x00\x01\x1f", `\u0000\u0001\u001f`, `\u0000\u0001\u001f`},
		{"\u0080\u009b2J\u009f\u00a1", `\u0080\u009b2J\u009f` + "¡", `\u0080\u009b2J\u009f` + "¡"},
		{"cod.exe\u202egpj", `cod.exe\u202egpj`, `cod.exe\u202egpj`},
		{"a\u200bb\u2060c\ufeffd", "a\u200bb\u2060c\ufeffd", `a\u200bb\u2060c\ufeffd`},
		{"x\U000e0041\U000e007fy", "x\U000e0041\U000e007fy", `x\udb40\udc41\udb40\udc7fy`},
		{"👩\u200d💻 نامه\u200cای", "👩\u200d💻 نامه\u200cای", "👩\u200d💻 نامه\u200cای"},
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

// TestEscapedSet checks the set of escaped characters. The set is written as numbers, so that it
// does not depend on the version of Unicode that Go supports.
func TestEscapedSet(t *testing.T) {
	for r := rune(0); r <= unicode.MaxRune; r++ {
		want := r < 0x20 || 0x7f <= r && r <= 0x9f || r == 0x061c || r == 0x200e || r == 0x200f ||
			0x2028 <= r && r <= 0x202e || 0x2066 <= r && r <= 0x2069
		got := Escape(string(r)) != string(r)
		inBytes := len(EscapeBytes(utf8.AppendRune(nil, r))) > utf8.RuneLen(r)
		if utf8.ValidRune(r) && (got != want || inBytes != want) {
			t.Errorf("U+%04X is escaped: %t, as bytes: %t, want %t", r, got, inBytes, want)
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
		if strings.ContainsFunc(escaped, misleads) {
			t.Errorf("Escape(%+q) = %+q", s, escaped)
		}
		if Escape(escaped) != escaped {
			t.Errorf("Escape(%+q) is escaped again", s)
		}
		sanitized := Sanitize(s)
		unsafe := func(r rune) bool { return misleads(r) && r != '\n' && r != '\t' || isInvisible(r) }
		if !utf8.ValidString(sanitized) || strings.ContainsFunc(sanitized, unsafe) {
			t.Errorf("Sanitize(%+q) = %+q", s, sanitized)
		}
		// The escapes are JSON's, so a name without backslashes and quotation marks can be read
		// back.
		if utf8.ValidString(s) && !strings.ContainsAny(s, `\"`) {
			var back string
			if err := json.Unmarshal([]byte(`"`+escaped+`"`), &back); err != nil || back != s {
				t.Errorf("Escape(%+q) = %+q reads back as %+q, %v", s, escaped, back, err)
			}
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
