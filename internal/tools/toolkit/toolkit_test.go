package toolkit

import (
	"encoding/json"
	"testing"

	"gander/internal/files/workspace"
	"gander/internal/testkit/tooltest"
	"gander/internal/toolset"
)

func newCaller(t testing.TB, w *workspace.Workspace, s Settings) tooltest.Caller {
	t.Helper()
	tree, err := New(w, s)
	if err != nil {
		t.Fatal(err)
	}
	return tooltest.NewCaller(t, tree, toolset.Options{})
}

// over returns a caller over a workspace with the published defaults.
func over(t testing.TB, root string) tooltest.Caller {
	t.Helper()
	return newCaller(t, tooltest.Workspace(t, nil, root), DefaultSettings())
}

// A listed is a part of a node.
type listed struct {
	Path     string   `json:"path"`
	Error    string   `json:"error"`
	Children []listed `json:"children"`
}

// paths returns the listed paths below the root in pre-order, each with its error.
func paths(c tooltest.Caller, args string) []string {
	c.T.Helper()
	result, failure := c.Call(args, -1)
	if failure != nil {
		c.T.Fatalf("%s: %v", args, failure)
	}
	var answer struct{ Root listed }
	if err := json.Unmarshal([]byte(result.Text()), &answer); err != nil {
		c.T.Fatal(err)
	}
	all := []string{}
	var gather func(listed)
	gather = func(n listed) {
		for _, child := range n.Children {
			all = append(all, child.Path+child.Error)
			gather(child)
		}
	}
	gather(answer.Root)
	return all
}
