package gemini

import (
	"encoding/json"
	"strings"
	"testing"

	"gander/internal/files/workspace"
	"gander/internal/testkit/tooltest"
	"gander/internal/toolset"
)

// verbatimSettings returns the published defaults with verbatim names.
func verbatimSettings() Settings {
	s := DefaultSettings()
	s.VerbatimNames = true
	return s
}

// A caller calls the tool.
type caller struct{ tooltest.Caller }

func newCaller(t testing.TB, w *workspace.Workspace, s Settings) caller {
	t.Helper()
	return caller{tooltest.NewCaller(t, New(w, s), toolset.Options{})}
}

// over returns a caller over a workspace with the given roots.
func over(t testing.TB, roots ...string) caller {
	t.Helper()
	return newCaller(t, tooltest.Workspace(t, nil, roots...), verbatimSettings())
}

type arguments map[string]any

func (a arguments) json(t testing.TB) string {
	t.Helper()
	b, err := json.Marshal(a)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// body returns the result of a successful call without its first line.
func (c caller) body(a arguments) string {
	c.T.Helper()
	result, err := c.Call(a.json(c.T), -1)
	if err != nil {
		c.T.Fatalf("%v: %v", a, err)
	}
	head, body, _ := strings.Cut(result.Text(), "\n")
	path := a["path"].(string)
	if head != "Directory listing for "+path+":" && head != "Directory "+path+" is empty." {
		c.T.Fatalf("%v: the first line is %q", a, head)
	}
	return body
}
