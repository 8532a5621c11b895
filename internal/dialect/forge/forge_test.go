package forge

import (
	"encoding/json"
	"errors"
	"testing"

	"gander/internal/engine/workspace"
	"gander/tool"
)

// builtIn are the defaults of CFG-LD-05.
func builtIn() Settings {
	return Settings{MaxEntries: 200, MaxDepth: 4, IncludeFiles: true, IncludeDirs: true, IncludeSymlinks: true, AllowAbsolute: true}
}

func open(t testing.TB, deny []string, roots ...string) *workspace.Workspace {
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
	r, err := tool.NewRegistry(o, New(w, s))
	if err != nil {
		t.Fatal(err)
	}
	return caller{t, r}
}

// over is a caller with the built-in defaults.
func over(t testing.TB, root string) caller {
	t.Helper()
	return newCaller(t, open(t, nil, root), builtIn(), tool.RegistryOptions{})
}

// call makes a call; a limit of less than 0 is none.
func (c caller) call(args string, limit int) (string, *tool.Error) {
	c.t.Helper()
	call := tool.Call{Args: json.RawMessage(args)}
	if limit >= 0 {
		call.Budget.AvailableBytes = &limit
	}
	result, err := c.registry.Call(c.t.Context(), "forge/list_directory", call)
	var e *tool.Error
	if err != nil && !errors.As(err, &e) {
		c.t.Fatalf("%s: %T is no *tool.Error", args, err)
	}
	return result.Text(), e
}

// A listing is the document of section 3.5, as far as these tests look into it.
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

// list makes a call that must succeed.
func (c caller) list(args string) listing {
	c.t.Helper()
	content, err := c.call(args, -1)
	if err != nil {
		c.t.Fatalf("%s: %v", args, err)
	}
	return parse(c.t, content)
}

func parse(t testing.TB, content string) (l listing) {
	t.Helper()
	if err := json.Unmarshal([]byte(content), &l); err != nil {
		t.Fatalf("%v in %s", err, content)
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
