package gemini

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gander/internal/files/workspace"
	"gander/internal/registry"
	"gander/internal/testkit/tooltest"
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
	return caller{tooltest.NewCaller(t, New(w, s), registry.Options{})}
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

// write makes files with the given content. A name with a trailing slash is a directory.
func write(t testing.TB, root string, files map[string]string) {
	t.Helper()
	for name, content := range files {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		var err error
		if strings.HasSuffix(name, "/") {
			err = os.MkdirAll(path, 0o755)
		} else {
			err = os.WriteFile(path, []byte(content), 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// askNode runs a script in Node.js with questions in a variable, and decodes its output.
func askNode(t *testing.T, script string, questions, answers any) {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("needs node, the program compared with: ", err)
	}
	in, err := json.Marshal(questions)
	if err != nil {
		t.Fatal(err)
	}
	const input = `const questions = JSON.parse(require("fs").readFileSync(0, "utf8"));`
	cmd := exec.CommandContext(t.Context(), node, "-e", input+script)
	cmd.Stdin = bytes.NewReader(in)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("node: %v", err)
	}
	if err := json.Unmarshal(out, answers); err != nil {
		t.Fatalf("node printed no JSON: %v", err)
	}
}

// lines splits a body into the entries and the number of ignored entries.
func lines(body string) (entries []string, ignored string) {
	body, ignored, _ = strings.Cut(body, "\n\n(")
	for line := range strings.SplitSeq(body, "\n") {
		if line != "" {
			entries = append(entries, line)
		}
	}
	return slices.Clip(entries), strings.TrimSuffix(ignored, " ignored)")
}
