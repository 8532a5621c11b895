package toolkit

import (
	"encoding/json"
	"errors"
	"testing"

	"gander/internal/engine/workspace"
	"gander/tool"
)

// specified are the defaults and caps of section 4.1.
func specified() Settings {
	return Settings{MaxDepth: 3, MaxEntries: 100, DepthCap: 12, EntriesCap: 1000, DefaultExcludes: true}
}

func openWorkspace(t testing.TB, deny []string, roots ...string) *workspace.Workspace {
	t.Helper()
	w, err := workspace.Open(workspace.Options{Deny: deny}, roots...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close() })
	return w
}

// A caller calls the tool as everybody does.
type caller struct {
	t        testing.TB
	registry *tool.Registry
}

func newCaller(t testing.TB, w *workspace.Workspace, s Settings, o tool.RegistryOptions) caller {
	t.Helper()
	tree, err := New(w, s)
	if err != nil {
		t.Fatal(err)
	}
	r, err := tool.NewRegistry(o, tree)
	if err != nil {
		t.Fatal(err)
	}
	return caller{t, r}
}

// over is a caller with the specified defaults.
func over(t testing.TB, root string) caller {
	t.Helper()
	return newCaller(t, openWorkspace(t, nil, root), specified(), tool.RegistryOptions{})
}

// call makes a call; a limit of less than 0 is none.
func (c caller) call(args string, limit int) (string, *tool.Error) {
	c.t.Helper()
	call := tool.Call{Args: json.RawMessage(args)}
	if limit >= 0 {
		call.Budget.MaxOutputBytes = &limit
	}
	result, err := c.registry.Call(c.t.Context(), "toolkit/tree", call)
	var e *tool.Error
	if err != nil && !errors.As(err, &e) {
		c.t.Fatalf("%s: %T is no *tool.Error", args, err)
	}
	return result.Text(), e
}

// A listed is a node as the tests look at it.
type listed struct {
	Path     string   `json:"path"`
	Error    string   `json:"error"`
	Children []listed `json:"children"`
}

// paths are the paths below the root that a call lists, in pre-order.
func (c caller) paths(args string) []string {
	c.t.Helper()
	content, failure := c.call(args, -1)
	if failure != nil {
		c.t.Fatalf("%s: %v", args, failure)
	}
	var answer struct{ Root listed }
	if err := json.Unmarshal([]byte(content), &answer); err != nil {
		c.t.Fatal(err)
	}
	paths := []string{}
	var gather func(listed)
	gather = func(n listed) {
		for _, child := range n.Children {
			paths = append(paths, child.Path+child.Error)
			gather(child)
		}
	}
	gather(answer.Root)
	return paths
}
