package gemini

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gander/internal/engine/workspace"
	"gander/tool"
)

func respectful() Settings {
	return Settings{RespectGitIgnore: true, RespectGeminiIgnore: true, VerbatimNames: true}
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

// over is a caller over a workspace that respects ignore files and prints names as they are.
func over(t testing.TB, roots ...string) caller {
	t.Helper()
	return newCaller(t, open(t, nil, roots...), respectful(), tool.RegistryOptions{})
}

// call makes a call; a limit of less than 0 is none.
func (c caller) call(args string, limit int) (tool.Result, *tool.Error) {
	c.t.Helper()
	call := tool.Call{Args: json.RawMessage(args)}
	if limit >= 0 {
		call.Budget.MaxOutputBytes = &limit
	}
	result, err := c.registry.Call(c.t.Context(), "gemini/list_directory", call)
	var e *tool.Error
	if err != nil && !errors.As(err, &e) {
		c.t.Fatalf("%s: %T is no *tool.Error", args, err)
	}
	return result, e
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

// body is what a call prints below its first line; it must succeed.
func (c caller) body(a arguments) string {
	c.t.Helper()
	result, err := c.call(a.json(c.t), -1)
	if err != nil {
		c.t.Fatalf("%v: %v", a, err)
	}
	head, body, _ := strings.Cut(result.Text(), "\n")
	if path := a["path"].(string); head != "Directory listing for "+path+":" && head != "Directory "+path+" is empty." {
		c.t.Fatalf("%v: the first line is %q", a, head)
	}
	return body
}

// write makes files with the content given, and directories where a name ends in a slash.
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

// askNode runs a script in Node.js with questions, as JSON, and reads what it prints into answers.
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
	cmd := exec.CommandContext(t.Context(), node, "-e", `const questions = JSON.parse(require("fs").readFileSync(0, "utf8"));`+script)
	cmd.Stdin = bytes.NewReader(in)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("node: %v", err)
	}
	if err := json.Unmarshal(out, answers); err != nil {
		t.Fatalf("node printed no JSON: %v", err)
	}
}

// lines splits a body into entries and the number that is ignored.
func lines(body string) (entries []string, ignored string) {
	body, ignored, _ = strings.Cut(body, "\n\n(")
	for line := range strings.SplitSeq(body, "\n") {
		if line != "" {
			entries = append(entries, line)
		}
	}
	return slices.Clip(entries), strings.TrimSuffix(ignored, " ignored)")
}
