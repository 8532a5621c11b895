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

func TestParse(t *testing.T) {
	long := strings.Repeat("é", columns)
	lines, err := parse([]byte("a \x1b[1;31mb\x1b[m\tc\n\n" + long + "d\n"))
	want := [][]span{
		{{"a ", style{}}, {"b", style{bold: true, color: 1}}, {"     c", style{}}},
		nil,
		{{long, style{}}},
		{{"d", style{}}},
	}
	if diff := cmp.Diff(want, lines, cmp.AllowUnexported(span{}, style{})); diff != "" || err != nil {
		t.Errorf("%v\n%s", err, diff)
	}
	for _, session := range []string{"\x1b[2J", "\x1b]0;title\a", "a\rb", "\x1b[38;5;1mx"} {
		if lines, err := parse([]byte(session)); err == nil {
			t.Errorf("%q: %v", session, lines)
		}
	}
}
