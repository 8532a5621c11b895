package native

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"gander/internal/native/call"
	"gander/internal/plain"
	"gander/internal/testkit/tooltest"
)

// printed returns what a tool prints.
func printed(t *testing.T, e *call.Environment, tool, args string) string {
	t.Helper()
	var b bytes.Buffer
	out := plain.New(&b, plain.Options{}, func(err error) { t.Error(err) })
	_, err := toolIn(e, tool).Print(context.Background(), json.RawMessage(args), nil, out)
	if err != nil {
		t.Error(err)
	}
	if err := out.Close(); err != nil {
		t.Error(err)
	}
	return b.String()
}

// TestPrintedBlock checks that a note says why the printed lines are no block.
func TestPrintedBlock(t *testing.T) {
	root := t.TempDir()
	tooltest.Put(t, root, "f", strings.Repeat("x\n", 300))
	tooltest.Put(t, root, "g", "func f() {\n\tg()\n}\n")
	read := toolIn(newEnvironment(tooltest.Workspace(t, nil, root)), "read_file")
	for args, want := range map[string]string{
		`{"path":"f","block":150}`: "f: no block of at most 200 lines is around line 150",
		`{"path":"g","block":2}`:   "",
	} {
		out := plain.New(io.Discard, plain.Options{}, func(err error) { t.Error(err) })
		summary, err := read.Print(t.Context(), json.RawMessage(args), nil, out)
		if err != nil || summary.Note != want {
			t.Errorf("%s: %q, %v, want %q", args, summary.Note, err, want)
		}
	}
}

// TestPrintedContext checks that the printed context is that of printed lines, whichever lines are
// skipped before them and left out after them.
func TestPrintedContext(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 6))
	root := t.TempDir()
	e := newEnvironment(tooltest.Workspace(t, nil, root))
	for range 300 {
		var lines []string
		for range 1 + r.IntN(20) {
			lines = append(lines, []string{"hit", "-", "-"}[r.IntN(3)])
		}
		tooltest.Put(t, root, "f", strings.Join(lines, "\n"))
		before, after, offset, limit := r.IntN(4), r.IntN(4), 1+r.IntN(4), 1+r.IntN(4)
		args := fmt.Sprintf(`{"pattern":"hit","path":"f","before":%d,"after":%d,"offset":%d,"limit":%d}`,
			before, after, offset, limit)
		want := printedLines(lines, before, after, offset, limit)
		if got := printed(t, e, "search_text", args); got != want {
			t.Fatalf("%s in %q:\n%swant\n%s", args, lines, got, want)
		}
	}
}

// printedLines returns the hits from an offset on up to a limit, and the lines around them up to
// the next hit.
func printedLines(lines []string, before, after, offset, limit int) string {
	isShown := make([]bool, len(lines))
	found := 0
	for i, line := range lines {
		if line != "hit" {
			continue
		}
		found++
		if found < offset || found >= offset+limit {
			continue
		}
		isShown[i] = true
		for at := i - 1; at >= max(i-before, 0) && lines[at] != "hit"; at-- {
			isShown[at] = true
		}
		for at := i + 1; at <= min(i+after, len(lines)-1) && lines[at] != "hit"; at++ {
			isShown[at] = true
		}
	}
	var b strings.Builder
	last := -1
	for i, line := range lines {
		if !isShown[i] {
			continue
		}
		if last >= 0 && i > last+1 && before+after > 0 {
			b.WriteString("--\n")
		}
		last = i
		separator := "-"
		if line == "hit" {
			separator = ":"
		}
		fmt.Fprintf(&b, "%d%s%s\n", i+1, separator, line)
	}
	return b.String()
}

// TestPrintedPart checks that a printed part of a file is without the byte order mark, which does
// not hide the beginning of a block either, that the numbers of its lines are counted from the
// start, and that the whole file is printed as it is.
func TestPrintedPart(t *testing.T) {
	root := t.TempDir()
	const text = "def f():\n\ta\n\ta\n\nlast\n"
	tooltest.Put(t, root, "f", "\ufeff"+text)
	tooltest.Put(t, root, "empty", "")
	e := newEnvironment(tooltest.Workspace(t, nil, root))
	for args, want := range map[string]string{
		`{"path":"f","numbers":false}`:           "\ufeff" + text,
		`{"path":"f","numbers":false,"limit":2}`: "def f():\n\ta\n",
		`{"path":"f","limit":1}`:                 "1\tdef f():\n",
		`{"path":"f","numbers":false,"block":2}`: "def f():\n\ta\n\ta\n",
		`{"path":"f","numbers":false,"tail":9}`:  text,
		`{"path":"f","tail":2}`:                  "4\t\n5\tlast\n",
		`{"path":"f","offset":-3,"limit":2}`:     "3\t\ta\n4\t\n",
		`{"path":"f","tail":9,"limit":0}`:        "1\tdef f():\n2\t\ta\n3\t\ta\n4\t\n5\tlast\n",
		`{"path":"empty","tail":2}`:              "",
	} {
		if got := printed(t, e, "read_file", args); got != want {
			t.Errorf("%s: %q, want %q", args, got, want)
		}
	}
}
