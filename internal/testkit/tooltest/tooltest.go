// Package tooltest opens workspaces and calls single tools in the tests of the built-in tools. It
// does not import the library, which imports some of the packages under test.
package tooltest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"gander/internal/files/workspace"
	"gander/internal/testkit/fixture"
	"gander/internal/toolset"
	"gander/tool"
)

// Workspace opens a workspace until the test ends.
func Workspace(t testing.TB, deny []string, roots ...string) *workspace.Workspace {
	t.Helper()
	w, err := workspace.Open(workspace.Options{Deny: deny}, roots...)
	fixture.Must(t, err)
	t.Cleanup(func() { _ = w.Close() })
	return w
}

// ClosedWorkspace returns a closed workspace with one root. File access in it fails.
func ClosedWorkspace(t testing.TB) (w *workspace.Workspace, root string) {
	t.Helper()
	root = t.TempDir()
	w = Workspace(t, nil, root)
	fixture.Must(t, w.Close())
	return w, root
}

// Dir opens a directory until the test ends.
func Dir(t testing.TB, w *workspace.Workspace, path string) *workspace.Dir {
	t.Helper()
	location, err := w.Find(t.Context(), path)
	fixture.Must(t, err)
	dir, err := location.Dir()
	fixture.Must(t, err)
	t.Cleanup(func() { _ = dir.Close() })
	return dir
}

// A Fake is a tool that a function implements.
type Fake struct {
	Described tool.Spec
	Handler   tool.Handler
}

// NewFake returns a tool whose name is part of its ID.
func NewFake(id string, call tool.Handler) Fake {
	_, name, _ := strings.Cut(id, "/")
	return Fake{tool.Spec{ID: id, Name: name}, call}
}

// Spec implements [tool.Tool].
func (f Fake) Spec() tool.Spec { return f.Described }

// Call implements [tool.Tool].
func (f Fake) Call(ctx context.Context, c tool.Call) (tool.Result, error) {
	return f.Handler(ctx, c)
}

// A Caller calls one tool through a toolset, as all callers in the program do.
type Caller struct {
	T       testing.TB
	Toolset *toolset.Toolset
	ID      string // the ID of the tool
}

// NewCaller returns a caller of a tool.
func NewCaller(t testing.TB, called tool.Tool, o toolset.Options) Caller {
	t.Helper()
	o.Tools = []tool.Tool{called}
	ts, err := toolset.New(nil, o)
	fixture.Must(t, err)
	return Caller{t, ts, called.Spec().ID}
}

// Call calls the tool. A negative limit means no limit on the bytes of the result.
func (c Caller) Call(args string, limit int) (tool.Result, *tool.Error) {
	c.T.Helper()
	call := tool.Call{Args: json.RawMessage(args)}
	if limit >= 0 {
		call.Budget.MaxOutputBytes = &limit
	}
	result, err := c.Toolset.Call(c.T.Context(), c.ID, call)
	var failure *tool.Error
	if err != nil && !errors.As(err, &failure) {
		c.T.Fatalf("%s: %T is not a *tool.Error", args, err)
	}
	return result, failure
}

// Fail makes a call without a limit and returns its error, if any.
func (c Caller) Fail(args string) *tool.Error {
	_, err := c.Call(args, -1)
	return err
}

// CheckLimits makes a call under every limit. The result must be complete, or consist of its first
// lines, which include the given number of lines before the items, and a notice with a hint.
func (c Caller) CheckLimits(args string, head int, hint func(shown int) string) {
	c.T.Helper()
	whole, failure := c.Call(args, -1)
	if failure != nil {
		c.T.Fatal(args, failure)
	}
	text := whole.Text()
	for limit := range len(text) + 2 {
		got, err := c.Call(args, limit)
		n := strings.Count(got.Text(), "\n")
		reached := fmt.Sprintf("output limit of %d bytes ", limit)
		switch {
		case err != nil:
			if limit >= max(len(text), 1) || !strings.Contains(err.Message, reached+"is too small") {
				c.T.Errorf("%s within %d of %d: %v", args, limit, len(text), err)
			}
		case limit >= len(text):
			if !reflect.DeepEqual(got, whole) {
				c.T.Errorf("%s within %d\ngot  %q\nwant %q", args, limit, got.Text(), text)
			}
		default:
			want := strings.Join(strings.SplitAfter(text, "\n")[:n], "") +
				"[gander: " + reached + "reached; " + hint(n-head) + "]"
			hasRows := n > head && len(want) <= limit
			if got.Text() != want || !got.Truncated || !hasRows {
				c.T.Errorf("%s within %d\ngot  %q\nwant %q", args, limit, got.Text(), want)
			}
		}
	}
}

// CheckRefusals checks the errors for calls rejected by the toolset. The calls are "denied" or
// "prompted" by its policy, "late" or "cancelled".
func CheckRefusals(t testing.TB, called tool.Tool, args string, want map[string]string) {
	t.Helper()
	options := map[string]toolset.Options{
		"denied":   {Policy: tool.Policy{Deny: []string{"all"}}},
		"prompted": {Policy: tool.Policy{Prompt: []string{"all"}}},
		"late":     {Timeout: 1},
	}
	for reason, message := range want {
		ctx, cancel := context.WithCancel(t.Context())
		if reason == "cancelled" {
			cancel()
		}
		c := NewCaller(t, called, options[reason])
		_, err := c.Toolset.Call(ctx, c.ID, tool.Call{Args: []byte(args)})
		for range 1000 {
			if reason != "late" || err != nil {
				break
			}
			// The clock of Windows can stand still during a call.
			_, err = c.Toolset.Call(ctx, c.ID, tool.Call{Args: []byte(args)})
		}
		cancel()
		failure, _ := errors.AsType[*tool.Error](err)
		if got := Describe(failure); got != message {
			t.Errorf("%s: got %s, want %s", reason, got, message)
		}
	}
}

// CanonicalJSON returns v as JSON without white space and with no more escapes than JSON requires.
func CanonicalJSON(t testing.TB, v any) string {
	t.Helper()
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	fixture.Must(t, e.Encode(v))
	// encoding/json escapes U+2028 and U+2029 too.
	unescape := strings.NewReplacer(`\\`, `\\`, `\u2028`, "\u2028", `\u2029`, "\u2029")
	return unescape.Replace(strings.TrimSuffix(b.String(), "\n"))
}

// Rows returns the rows of a file in testdata. A row is a line, and the text below it up to the
// next empty line. Lines that begin with # are comments:
//
//	# An error
//	{"path":"ROOT/none"}
//	not_found NOT_FOUND: path does not exist
//
//	{"path":7}
//	bad_arguments INVALID_ARGUMENT: path must be a string
func Rows(t testing.TB, file string) iter.Seq2[string, string] {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", file))
	fixture.Must(t, err)
	return func(yield func(string, string) bool) {
		for row := range strings.SplitSeq(strings.TrimSpace(string(data)), "\n\n") {
			for strings.HasPrefix(row, "#") {
				_, row, _ = strings.Cut(row, "\n")
			}
			first, rest, _ := strings.Cut(row, "\n")
			if row != "" && !yield(first, rest) {
				return
			}
		}
	}
}

// CheckErrors compares errors with a file in testdata. Each row contains the arguments for call,
// and the error as [Describe] returns it. ROOT stands for root in both.
func CheckErrors(t testing.TB, file, root string, call func(args string) *tool.Error) {
	t.Helper()
	for args, want := range Rows(t, file) {
		checkError(t, args, want, root, call)
	}
}

func checkError(
	t testing.TB, args, want, root string, call func(args string) *tool.Error,
) {
	t.Helper()
	slashed := filepath.ToSlash(root)
	got := Describe(call(strings.ReplaceAll(args, "ROOT", slashed)))
	got = strings.NewReplacer(root, "ROOT", slashed, "ROOT").Replace(got)
	if got != want {
		t.Errorf("%s\ngot  %s\nwant %s", args, got, want)
	}
}

// CheckPaths is [CheckErrors] with testdata/paths.txt, over a directory with entries and deny
// patterns. It leaves out the rows with an entry, or on Windows an absolute path, that the system
// does not have.
func CheckPaths(
	t *testing.T, entries, deny []string,
	callIn func(w *workspace.Workspace, args string) *tool.Error,
) {
	t.Helper()
	root, missing := fixture.MakePossible(t, entries...)
	w := Workspace(t, deny, root)
	call := func(args string) *tool.Error { return callIn(w, args) }
	for args, want := range Rows(t, "paths.txt") {
		segments := strings.FieldsFunc(args, func(r rune) bool { return r == '/' || r == '"' })
		if slices.ContainsFunc(segments, func(s string) bool { return slices.Contains(missing, s) }) ||
			runtime.GOOS == "windows" && strings.Contains(args, `"/`) {
			t.Log("left out, because the system has no such path: ", args)
			continue
		}
		checkError(t, args, want, root, call)
	}
}

// Describe returns the kind, code and message of an error, which may be nil.
func Describe(err *tool.Error) string {
	if err == nil {
		return "no error"
	}
	description := fmt.Sprintf("%s %s: %s", err.Kind, err.Code, err.Message)
	return strings.Replace(description, " : ", ": ", 1)
}
