package test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestSize: gander adds less than 3 MB to a program: the tools alone to one that does nothing else, and all there is to one
// that reads JSON and logs, as agents do.
func TestSize(t *testing.T) {
	if testing.Short() {
		t.Skip("building programs takes a while")
	}
	const (
		open  = `ts, _ := gander.Open(gander.Options{})`
		call  = `; fmt.Println(ts.Call(context.Background(), "tree", tool.Call{}))`
		more  = `; fmt.Println(ts.Answer(context.Background(), gander.Anthropic, nil)); fmt.Println(ts.FS(".")); fmt.Println(ts.List(context.Background(), ".", gander.ListOptions{}))`
		agent = `; var v any; slog.Info("read", "error", json.Unmarshal(nil, &v))`
	)
	for _, c := range []struct{ name, without, with string }{
		{"the tools", program(``), program(open+call, "context", "gander", "gander/tool")},
		{"all there is", program(agent, "encoding/json", "log/slog"), program(open+call+more+agent, "context", "encoding/json", "gander", "gander/tool", "log/slog")},
	} {
		before, after := size(t, c.without), size(t, c.with)
		t.Logf("%s: %d bytes without, %d with, %.2f MB more", c.name, before, after, float64(after-before)/1e6)
		if after-before >= 3_000_000 {
			t.Errorf("%s: gander adds %d bytes", c.name, after-before)
		}
	}
}

// program returns the source of a program that does something beside saying hello.
func program(body string, imports ...string) string {
	source := "package main\n\nimport \"fmt\"\n"
	for _, path := range imports {
		source += "import \"" + path + "\"\n"
	}
	return source + "\nfunc main() { fmt.Println(\"hello\"); " + strings.TrimPrefix(body, "; ") + " }\n"
}

// size returns how large the stripped program is that a source makes.
func size(t *testing.T, source string) int64 {
	t.Helper()
	dir := t.TempDir()
	main, program := filepath.Join(dir, "main.go"), filepath.Join(dir, "program")
	if err := os.WriteFile(main, []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", program, main)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	info, err := os.Stat(program)
	if err != nil {
		t.Fatal(err)
	}
	return info.Size()
}
