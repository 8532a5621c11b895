package forge

import (
	"encoding/json"
	"testing"

	"gander/internal/files/workspace"
	"gander/internal/registry"
	"gander/internal/testkit/tooltest"
	"gander/tool"
)

// A caller calls the tool.
type caller struct{ tooltest.Caller }

func newCaller(t testing.TB, w *workspace.Workspace, s Settings, o registry.Options) caller {
	t.Helper()
	return caller{tooltest.NewCaller(t, New(w, s), o)}
}

// over returns a caller over a workspace with the published defaults.
func over(t testing.TB, root string) caller {
	t.Helper()
	return newCaller(t, tooltest.Workspace(t, nil, root), DefaultSettings(), registry.Options{})
}

// A listing is a part of a result (section 3.5).
type listing struct {
	Path    string `json:"path"`
	Entries []struct {
		Name     string  `json:"name"`
		Path     string  `json:"path"`
		Type     string  `json:"type"`
		Modified *int64  `json:"modified_epoch_ms"`
		Code     *string `json:"error_code"`
		Error    *string `json:"error"`
	} `json:"entries"`
	Returned  int     `json:"returned"`
	Truncated bool    `json:"truncated"`
	Reason    *string `json:"truncated_reason"`
}

// fail returns the error of a call.
func (c caller) fail(args string) *tool.Error {
	_, err := c.Call(args, -1)
	return err
}

// list makes a call that must succeed.
func (c caller) list(args string) listing {
	c.T.Helper()
	result, err := c.Call(args, -1)
	if err != nil {
		c.T.Fatalf("%s: %v", args, err)
	}
	var l listing
	if err := json.Unmarshal([]byte(result.Text()), &l); err != nil {
		c.T.Fatalf("%v in %s", err, result.Text())
	}
	return l
}

// paths returns the paths of the entries with their types.
func (l listing) paths() []string {
	paths := []string{}
	for _, e := range l.Entries {
		paths = append(paths, e.Path+" "+e.Type)
	}
	return paths
}
