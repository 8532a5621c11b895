package native

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"gander/internal/native/call"
	"gander/internal/native/foreign"
	"gander/internal/testkit/nativetest"
	"gander/internal/testkit/tooltest"
)

// newForeignEnvironment returns the tools over the files of the calls in testdata/foreign.txt.
func newForeignEnvironment(t *testing.T) *call.Environment {
	if testing.Short() {
		t.Skip("makes a thousand calls, which are slow under Wine")
	}
	root := t.TempDir()
	for name, content := range map[string]string{
		".gitignore": "*.log\n", ".git/HEAD": "x", "a.log": "Open\n", "README.md": "# Open\n",
		"cmd/gander/main.go":     "package main\n\nfunc main() {\n\tOpen()\n}\n",
		"internal/cli/cli.go":    "package cli\n\n// Open opens.\nfunc Open() {}\n",
		"internal/cli/main.py":   "def open():\n    pass\n",
		"lib/gander.go":          "package lib\n\nfunc open() { Open() }\n",
		"lib/deep/down/notes.md": "open\nOpen(x)\n",
	} {
		tooltest.Put(t, root, name, content)
	}
	return nativetest.Environment(tooltest.Workspace(t, nil, root))
}

// TestForeignCalls makes calls in the arguments of other tools. Each line of the file has a tool,
// arguments, and after "=" arguments with the same result, after "~" a part of the result, or after
// "!" a part of the error.
func TestForeignCalls(t *testing.T) {
	e := newForeignEnvironment(t)
	calls, err := os.ReadFile("testdata/foreign.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(calls)) {
		line = strings.TrimSpace(line)
		name, call, _ := strings.Cut(line, " ")
		args, rest, ok := strings.Cut(call, "} ")
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		} else if !ok {
			t.Fatalf("no result: %s", line)
		}
		tool := callerIn(t, e, name)
		kind, want, _ := strings.Cut(rest, " ")
		got := tooltest.Output(tool, args+"}", -1)
		isError := strings.HasPrefix(got, "bad_arguments: ") || strings.HasPrefix(got, "not_found: ")
		switch kind {
		case "=":
			if same := tooltest.Output(tool, want, -1); got != same || isError {
				t.Errorf("%s\ngot  %s\nwant %s", line, got, same)
			}
		case "~", "!":
			if !strings.Contains(got, want) || isError != (kind == "!") {
				t.Errorf("%s\ngot %s", line, got)
			}
		default:
			t.Fatalf("neither =, ~ nor !: %s", line)
		}
	}
}

// TestForeignValues gives each foreign argument of each tool values of every type. An empty value,
// or one that asks for what is already so, never changes the result. Any other is an error with the advice.
func TestForeignValues(t *testing.T) {
	e := newForeignEnvironment(t)
	values := []string{
		"null", "true", "false", `"true"`, "0", "7", `""`, `"x"`, "[]", `["x"]`, "{}",
		`{"x":1}`, `"path"`, `"utf-8"`, `"slice"`, `{"respect_git_ignore": false}`,
	}
	for name, args := range map[string]string{
		// Each result needs few files, because there are a thousand calls.
		"list_dir": `"path":"cmd"`, "read_file": `"path":"README.md"`,
		"find_files":  `"pattern":"*.go","path":"cmd"`,
		"search_text": `"pattern":"Open","path":"README.md"`,
	} {
		tool := callerIn(t, e, name)
		plain := tooltest.Output(tool, "{"+args+"}", -1)
		for _, other := range foreign.Arguments() {
			if !slices.Contains(strings.Fields(other.Tools), name) {
				continue
			}
			for _, key := range strings.Fields(other.Names) {
				for _, value := range append(acceptedValues(other), values...) {
					got := tooltest.Output(tool, fmt.Sprintf("{%s,%q:%s}", args, key, value), -1)
					isAdvice := strings.HasPrefix(got, "bad_arguments: "+key+" cannot be ") &&
						strings.HasSuffix(got, ": "+other.Advice)
					isAccepted := takes(other, value)
					if isAccepted && got != plain {
						t.Errorf("%s %s=%s changes the result: %s", name, key, value, got)
					}
					if !isAccepted && !isAdvice {
						t.Errorf("%s %s=%s: %s", name, key, value, got)
					}
				}
			}
		}
	}
}

// acceptedValues returns values that the tools accept, in JSON.
func acceptedValues(f foreign.Argument) []string {
	if f.Values == foreign.AnyValue {
		return []string{"null"}
	}
	return append(strings.Fields(f.Values), "null", `""`, "[]", "{}")
}

// takes reports whether the tools accept a value in JSON, or the one that a string spells.
func takes(f foreign.Argument, value string) bool {
	spelled, compact := strings.Trim(value, `"`), strings.ReplaceAll(value, " ", "")
	isOwn := slices.ContainsFunc([]string{spelled, compact}, func(v string) bool {
		return slices.Contains(acceptedValues(f), v)
	})
	return f.Values == foreign.AnyValue || isOwn
}
