package terminal

import (
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"gander/internal/files/text"
)

// TestWriter writes text in pieces of any size.
func TestWriter(t *testing.T) {
	for _, s := range []string{
		"", "plain\n", "a\x1b[2J\tb\n", "\u009b31m\u202e\u200b\U000e0041", `{"a":"\u001b"}`,
		"caf\u00e9 \u6f22 \U0001f600", strings.Repeat("\u6f22", 100),
		"\xff\xfe", "a\xe6\xbcb", "\xf0\x9f\x98", "\x80\x80\x80\x80\x80",
	} {
		for size := 1; size <= 7; size++ {
			var out strings.Builder
			w := &writer{out: &out}
			for rest := s; rest != ""; {
				n := min(size, len(rest))
				if wrote, err := w.Write([]byte(rest[:n])); wrote != n || err != nil {
					t.Fatalf("wrote %d of %d, %v", wrote, n, err)
				}
				rest = rest[n:]
			}
			got := out.String()
			if utf8.ValidString(s) && got != text.Sanitize(s) || !utf8.ValidString(got) ||
				strings.ContainsAny(got, "\x1b\u009b\u202e") {
				t.Errorf("%q in pieces of %d: got %q, want %q", s, size, got, text.Sanitize(s))
			}
		}
	}
}

func TestLine(t *testing.T) {
	for s, want := range map[string]string{
		"plain caf\u00e9": "plain caf\u00e9", "a\nb\tc": `a\nb\tc`,
		"\x1b[31m\u009b": `\u001b[31m\u009b`, "a\u202eb\u200bc": `a\u202eb\u200bc`,
	} {
		if got := Line(s); got != want {
			t.Errorf("%q: got %s, want %s", s, got, want)
		}
	}
}

func TestIs(t *testing.T) {
	file, err := os.Create(t.TempDir() + "/file")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if Is(file) || Writer(file) != file {
		t.Error("a file is taken for a terminal")
	}
	if !Is(&writer{}) {
		t.Error("a writer to a terminal is not known for one")
	}
}
