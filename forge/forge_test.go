package forge

import (
	"encoding/json"
	"testing"

	"gander/internal/files/workspace"
	"gander/internal/testkit/tooltest"
	"gander/internal/tools/definition"
	"gander/internal/toolset"
	"gander/tool"
)

// newTool returns the tool over a workspace.
func newTool(w *workspace.Workspace, o Options) tool.Tool {
	return definition.Set(Tools(o)).Definition().Build(w)[0]
}

func newCaller(t testing.TB, w *workspace.Workspace, o Options) tooltest.Caller {
	t.Helper()
	return tooltest.NewCaller(t, newTool(w, o), toolset.Options{})
}

// over returns a caller over a workspace with the published defaults.
func over(t testing.TB, root string) tooltest.Caller {
	t.Helper()
	return newCaller(t, tooltest.Workspace(t, nil, root), Options{})
}

// A document is a result, with its keys in the published order.
type document struct {
	Path       string   `json:"path"`
	Entries    []listed `json:"entries"`
	Returned   int      `json:"returned"`
	MaxEntries int      `json:"max_entries"`
	Truncated  bool     `json:"truncated"`
	Reason     *string  `json:"truncated_reason"`
}

type listed struct {
	Name     string  `json:"name"`
	Path     string  `json:"path"`
	Depth    int     `json:"depth"`
	Type     string  `json:"type"`
	Size     *int64  `json:"size_bytes"`
	Modified *int64  `json:"modified_epoch_ms"`
	Hidden   bool    `json:"is_hidden"`
	Code     *string `json:"error_code"`
	Error    *string `json:"error"`

	raw string
}

// list makes a call that must succeed. It returns the entries, and their paths with their types.
func list(c tooltest.Caller, args string) (entries []listed, paths []string) {
	c.T.Helper()
	result, err := c.Call(args, -1)
	if err != nil {
		c.T.Fatalf("%s: %v", args, err)
	}
	var l document
	if err := json.Unmarshal([]byte(result.Text()), &l); err != nil {
		c.T.Fatalf("%v in %s", err, result.Text())
	}
	failed := false
	for _, e := range l.Entries {
		paths = append(paths, e.Path+" "+e.Type)
		failed = failed || e.Error != nil
	}
	if result.Unreadable != failed {
		c.T.Errorf("%s: unreadable %t: %s", args, result.Unreadable, result.Text())
	}
	return l.Entries, paths
}
