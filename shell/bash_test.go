package shell_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"gander"
	"gander/internal/testkit"
	"gander/internal/testkit/fixture"
	"gander/shell"
)

func open(t *testing.T, o shell.Options, limits gander.Limits) *gander.Toolset {
	t.Helper()
	root := fixture.Make(t, "a.txt", "sub/b.txt", ".env")
	return testkit.Open(t, gander.Options{
		Roots: []string{root}, Sets: []gander.Set{shell.Tools(o)}, Limits: limits,
	})
}

func call(t *testing.T, ts *gander.Toolset, arguments map[string]any) string {
	t.Helper()
	raw, err := json.Marshal(arguments)
	testkit.Must(t, err)
	result, err := ts.Call(t.Context(), "shell/bash", raw)
	if err != nil {
		return "error: " + err.Error()
	}
	return result.Text()
}

// TestResults checks what a model gets.
func TestResults(t *testing.T) {
	ts := open(t, shell.Options{}, gander.Limits{})
	for _, c := range []struct {
		arguments map[string]any
		want      string
	}{
		{map[string]any{"command": "cat a.txt; echo err >&2; echo end"}, "a.txterr\nend"},
		{map[string]any{"cmd": "true"}, "[no output]"},
		{map[string]any{"script": "false"}, "[no output; exit status 1]"},
		{map[string]any{"command": "echo x; exit 3"}, "x\n[exit status 3]"},
		{map[string]any{"command": "cat *", "workdir": "sub", "description": "d"}, "sub/b.txt"},
		{
			map[string]any{"command": "cat .env 2>/dev/null; true"},
			"[left out because access is denied: 1 file or directory]",
		},
		{map[string]any{"command": "git log 2>/dev/null | head"}, "bash: nothing was run: git: not " +
			"available here; read the working files, for example with rg; there is no history"},
		{
			map[string]any{"command": "echo a; x=rm; $x b; echo c"},
			"a\nbash: stopped: rm: not available here; nothing can be written or changed",
		},
		{map[string]any{"command": "while :; do :; done", "timeout_ms": 50}, "[stopped at the time limit"},
		{map[string]any{"command": "printf '\\xff'"}, "\ufffd"},
		{map[string]any{"command": "pwd", "workdir": "/etc"}, "bash: nothing was run: the directory /etc"},
		{map[string]any{}, "error: bash: command is missing"},
		{map[string]any{"command": "a", "cmd": "b"}, "error: bash: command and cmd differ"},
		{map[string]any{"command": "a", "x": 1}, "error: bash: x is not known"},
		{map[string]any{"command": "a", "run_in_background": true}, "error: bash: run_in_background"},
	} {
		if got := call(t, ts, c.arguments); !strings.HasPrefix(got, c.want) {
			t.Errorf("%v: %q, want %q", c.arguments, got, c.want)
		}
	}
}

// TestTimeLimit checks that a command that would exceed the time limit of every call returns what there
// was.
func TestTimeLimit(t *testing.T) {
	ts := open(t, shell.Options{}, gander.Limits{Timeout: time.Second})
	start := time.Now()
	got := call(t, ts, map[string]any{"command": "echo first; while :; do :; done", "timeout": 60})
	if !strings.HasPrefix(got, "first\n[stopped at the time limit") || time.Since(start) > 3*time.Second {
		t.Errorf("after %v: %q", time.Since(start), got)
	}
}

// TestCancelled checks that a call whose caller has given up fails.
func TestCancelled(t *testing.T) {
	ts := open(t, shell.Options{}, gander.Limits{})
	ctx, cancel := context.WithCancel(t.Context())
	defer time.AfterFunc(50*time.Millisecond, cancel).Stop()
	_, err := ts.Call(ctx, "shell/bash", json.RawMessage(`{"command":"while :; do :; done"}`))
	if err == nil {
		t.Error("the call has not failed")
	}
}

var cutNote = regexp.MustCompile(`\[lines (\d+) to (\d+) of (\d+) are left out here; .* \| sed -n '(\d+),(\d+)p' shows them\]\n`)

// TestCut checks that a result has its limit, and that the lines of a long output that it has and those
// that the line in its note shows are all lines.
func TestCut(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 40 {
		size := 1000 + r.IntN(5000)
		ts := open(t, shell.Options{MaxBytes: size}, gander.Limits{})
		count, width := 1+r.IntN(400), r.IntN(60)
		command := fmt.Sprintf("for ((i=1; i<=%d; i++)); do printf '%%d %%0%dd\\n' $i 0; done", count, width)
		got := call(t, ts, map[string]any{"command": command})
		if len(got) > size {
			t.Errorf("%s: %d bytes, the limit is %d", command, len(got), size)
		}
		m := cutNote.FindStringSubmatch(got)
		lines := strings.Split(got, "\n")
		if m == nil {
			if len(lines) != count {
				t.Errorf("%s: %d lines of %d: %s", command, len(lines), count, got)
			}
			continue
		}
		first, _ := strconv.Atoi(m[1])
		last, _ := strconv.Atoi(m[2])
		kept := len(lines) - 1
		isSame := m[1] == m[4] && m[2] == m[5] && m[3] == strconv.Itoa(count)
		if !isSame || kept+last-first+1 != count {
			t.Errorf("%s: %d lines kept, %v left out, of %d", command, kept, m[1:], count)
		}
		if !strings.HasPrefix(lines[first], strconv.Itoa(last+1)+" ") {
			t.Errorf("%s: after the note comes %q, want line %d", command, lines[first], last+1)
		}
	}
}

// TestDescription checks that the description names only commands that exist.
func TestDescription(t *testing.T) {
	ts := open(t, shell.Options{}, gander.Limits{})
	for _, spec := range ts.Tools() {
		if spec.ID != "shell/bash" {
			continue
		}
		_, names, _ := strings.Cut(spec.Description, "globs with ")
		names, _, _ = strings.Cut(names, " and the like")
		for name := range strings.FieldsSeq(names) {
			got := call(t, ts, map[string]any{"command": "command -v " + name})
			if !strings.Contains(got, "/"+name) {
				t.Errorf("%s is in the description, but: %s", name, got)
			}
		}
	}
}

// TestOptions checks that an option out of range is an error.
func TestOptions(t *testing.T) {
	_, err := gander.Open(gander.Options{Sets: []gander.Set{shell.Tools(shell.Options{MaxBytes: 10})}})
	if err == nil || !strings.Contains(err.Error(), "shell.MaxBytes") {
		t.Errorf("the error is %v", err)
	}
}
