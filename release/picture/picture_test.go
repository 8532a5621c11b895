package main

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestCurrent: the pictures show what the commands print today.
func TestCurrent(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the session runs in a shell")
	}
	dir := t.TempDir()
	if err := write(t.Context(), "../..", dir); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"terminal-light.svg", "terminal-dark.svg"} {
		want, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(filepath.Join("../../docs", name))
		if diff := cmp.Diff(string(want), string(got)); diff != "" || err != nil {
			t.Errorf("%v; run go run ./release/picture, since docs/%s is not current (-current +shown)\n%s", err, name, diff)
		}
	}
}

func TestDrawLine(t *testing.T) {
	theme := themes()[0]
	spans, length, err := theme.drawLine("a \x1b[1;31mb\x1b[0m\t<c")
	if want := "a\u00a0<tspan fill=\"#cf222e\" font-weight=\"bold\">b</tspan>" + strings.Repeat("\u00a0", 5) + "&lt;c"; err != nil || string(spans) != want || length != 10 {
		t.Errorf("%s, %d, %v; want %s", spans, length, err, want)
	}
	for _, line := range []string{"\x1b[2J", "\x1b]0;title\a", "a\rb", "\x1b[38;5;1mx", strings.Repeat("é", columns+1)} {
		if spans, _, err := theme.drawLine(line); err == nil {
			t.Errorf("%q: %s", line, spans)
		}
	}
}
