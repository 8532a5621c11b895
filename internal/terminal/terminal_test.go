package terminal

import (
	"os"
	"strings"
	"testing"

	"gander/internal/testkit/fixture"
)

func TestWriter(t *testing.T) {
	for s, want := range map[string]string{
		"": "", "plain\n": "plain\n", "a\x1b[2J\tb\n": `a\u001b[2J` + "\tb\n",
		"\u009b31m\u202e\u200b": `\u009b31m\u202e\u200b`, `{"a":"\u001b"}`: `{"a":"\u001b"}`,
		"caf\u00e9 \u6f22 \U0001f600": "caf\u00e9 \u6f22 \U0001f600",
		"\xc2":                        "\ufffd", // the first and the last byte of U+009B
		"\x9b2J":                      "\ufffd2J",
	} {
		var out strings.Builder
		w := &Writer{Stream: &out, isTerminal: true}
		n, err := w.Write([]byte(s))
		if err := w.Close(); err != nil {
			t.Error(err)
		}
		if out.String() != want || n != len(s) || err != nil {
			t.Errorf("%q: got %q, %d, %v, want %q", s, out.String(), n, err, want)
		}
	}
}

func TestSplitCharacters(t *testing.T) {
	const content = "caf\u00e9 \u6f22\u202e\xff\U0001f600\x1b"
	var out strings.Builder
	w := &Writer{Stream: &out, isTerminal: true}
	for i := range len(content) {
		_, err := w.Write([]byte{content[i]})
		fixture.Must(t, err)
	}
	if err := w.Close(); err != nil {
		t.Error(err)
	}
	if want := "caf\u00e9 \u6f22" + `\u202e` + "\ufffd\U0001f600" + `\u001b`; out.String() != want {
		t.Errorf("got %q, want %q", out.String(), want)
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
	fixture.Must(t, err)
	defer file.Close()
	if Is(file) || Is(NewWriter(file)) {
		t.Error("a file is taken for a terminal")
	}
}
