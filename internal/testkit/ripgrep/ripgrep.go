// Package ripgrep runs rg for tests that compare with it.
package ripgrep

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"gander/internal/testkit/fixture"
)

// Need skips the test unless rg is installed in version 15.
func Need(t testing.TB) {
	t.Helper()
	out, _ := exec.Command("rg", "--version").Output()
	if !bytes.HasPrefix(out, []byte("ripgrep 15.")) {
		t.Skip("ripgrep 15 is not installed")
	}
}

// Run runs rg in a directory and returns its output, or its error in refused. If stdin is "", rg
// searches the directory.
func Run(t testing.TB, dir, stdin string, args ...string) (out []byte, refused string) {
	t.Helper()
	options := []string{"--no-config", "--no-ignore-parent", "--no-ignore-global"}
	cmd := exec.Command("rg", append(options, args...)...)
	cmd.Dir = dir
	if stdin != "" {
		cmd.Stdin = strings.NewReader(stdin)
	}
	out, err := cmd.Output()
	exit, ok := errors.AsType[*exec.ExitError](err)
	switch {
	case err == nil, ok && exit.ExitCode() == 1:
		return out, ""
	case !ok || exit.ExitCode() != 2:
		t.Fatalf("rg %q: %v", args, err)
	}
	return out, cmp.Or(string(exit.Stderr), "exit status 2")
}

// A Line is a matching line or a line of its context.
type Line struct {
	Path, Text string
	Number     int
	Offset     int64
	Context    bool
	Spans      []struct{ Start, End int64 }
}

// Lines decodes the output of rg --json.
func Lines(t testing.TB, out []byte) (lines []Line) {
	t.Helper()
	type text struct {
		Text  string
		Bytes []byte
	}
	for message := range bytes.Lines(out) {
		var m struct {
			Type string
			Data struct {
				Path, Lines    text
				LineNumber     int   `json:"line_number"`
				AbsoluteOffset int64 `json:"absolute_offset"`
				Submatches     []struct{ Start, End int64 }
			}
		}
		fixture.Must(t, json.Unmarshal(message, &m))
		if d := m.Data; m.Type == "match" || m.Type == "context" {
			lines = append(lines, Line{
				Path:   d.Path.Text + string(d.Path.Bytes),
				Text:   strings.TrimSuffix(d.Lines.Text+string(d.Lines.Bytes), "\n"),
				Number: d.LineNumber, Offset: d.AbsoluteOffset, Context: m.Type == "context",
				Spans: d.Submatches,
			})
		}
	}
	return lines
}

// Cases returns the number of random cases: the value of an environment variable, or by default n,
// or a tenth of it with -short.
func Cases(t testing.TB, variable string, n int) int {
	t.Helper()
	if text := os.Getenv(variable); text != "" {
		asked, err := strconv.Atoi(text)
		if err != nil {
			t.Fatalf("%s: %v", variable, err)
		}
		return asked
	}
	if testing.Short() {
		return n / 10
	}
	return n
}
