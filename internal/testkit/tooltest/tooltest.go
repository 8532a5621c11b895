// Package tooltest opens workspaces and calls single tools for the tests of the built-in tools. Those tests cannot use
// the library for that, because it imports the packages under test.
package tooltest

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"gander/internal/files/workspace"
	"gander/internal/registry"
	"gander/tool"
)

// Workspace opens a workspace that is closed when the test ends.
func Workspace(t testing.TB, deny []string, roots ...string) *workspace.Workspace {
	t.Helper()
	w, err := workspace.Open(workspace.Options{Deny: deny}, roots...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close() })
	return w
}

// ClosedWorkspace returns a closed workspace with one root. A tool that looks at a file in it fails.
func ClosedWorkspace(t testing.TB) (w *workspace.Workspace, root string) {
	t.Helper()
	root = t.TempDir()
	w = Workspace(t, nil, root)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return w, root
}

// A Caller calls one tool through a registry, as all callers in the program do.
type Caller struct {
	T        testing.TB
	Registry *registry.Registry
	ID       string // of the tool
}

// NewCaller returns a caller of a tool.
func NewCaller(t testing.TB, called tool.Tool, o registry.Options) Caller {
	t.Helper()
	r, err := registry.New(o, called)
	if err != nil {
		t.Fatal(err)
	}
	return Caller{t, r, called.Spec().ID}
}

// Call calls the tool. A negative limit sets no limit on the bytes of the answer.
func (c Caller) Call(args string, limit int) (tool.Result, *tool.Error) {
	c.T.Helper()
	call := tool.Call{Args: json.RawMessage(args)}
	if limit >= 0 {
		call.Budget.MaxOutputBytes = &limit
	}
	result, err := c.Registry.Call(c.T.Context(), c.ID, call)
	var failure *tool.Error
	if err != nil && !errors.As(err, &failure) {
		c.T.Fatalf("%s: %T is not a *tool.Error", args, err)
	}
	return result, failure
}

// CanonicalJSON returns v as JSON without white space and with no more escapes than JSON requires.
func CanonicalJSON(t testing.TB, v any) string {
	t.Helper()
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		t.Fatal(err)
	}
	// encoding/json escapes U+2028 and U+2029 too.
	unescape := strings.NewReplacer(`\\`, `\\`, `\u2028`, "\u2028", `\u2029`, "\u2029")
	return unescape.Replace(strings.TrimSuffix(b.String(), "\n"))
}
