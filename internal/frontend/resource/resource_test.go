package resource

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"gander"
	"gander/tool"
)

// tree makes a workspace and a directory of secrets beside it, and returns the root of the workspace.
func tree(t *testing.T) string {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("Windows has a device of the name nul")
	}
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	root := filepath.Join(top, "root")
	for name, text := range map[string]string{
		"root/README.md":      "# Title\n",
		"root/a b%.txt":       "odd name",
		"root/utf16.txt":      "\xff\xfea\x00",
		"root/latin1.txt":     "caf\xe9",
		"root/nul":            "a\x00b",
		"root/pixel.png":      "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR",
		"root/empty":          "",
		"root/id_rsa":         "key",
		"root/.hidden":        "",
		"root/sub/dir/x.json": "{}",
		"root/sub/y":          "",
		"secrets/key":         "secret",
	} {
		path := filepath.Join(top, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for link, target := range map[string]string{"out": "../secrets", "leak": "../secrets/key", "in": "sub", "dangling": "nowhere"} {
		if err := os.Symlink(target, filepath.Join(root, link)); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func open(t *testing.T, o gander.Options) *Files {
	t.Helper()
	ts, err := gander.Open(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ts.Close() })
	return New(ts)
}

func TestRead(t *testing.T) {
	root := tree(t)
	f := open(t, gander.Options{Roots: []string{root}, Limits: gander.Limits{MaxOutputBytes: 300, MaxDataBytes: 500}})
	if err := os.WriteFile(filepath.Join(root, "limit"), []byte(strings.Repeat("x", 300)), 0o644); err != nil {
		t.Fatal(err)
	}
	for name, size := range map[string]int{"large": 301, "large.bin": 501, "limit.bin": 500} {
		data := append(make([]byte, size-1), 'x')
		if name == "large" {
			data = []byte(strings.Repeat("x", size))
		}
		if err := os.WriteFile(filepath.Join(root, name), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct {
		path, mime, text string
		blob             bool
		kind             tool.Kind
	}{
		{path: "README.md", mime: "text/markdown", text: "# Title\n"},
		{path: "a%20b%25.txt", mime: "text/plain", text: "odd name"},
		{path: "empty", mime: "text/plain"},
		{path: "in/dir/x.json", mime: "application/json", text: "{}"},
		{path: "utf16.txt", mime: "text/plain; charset=utf-16le", blob: true},
		{path: "latin1.txt", mime: "application/octet-stream", blob: true},
		{path: "nul", mime: "application/octet-stream", blob: true},
		{path: "pixel.png", mime: "image/png", blob: true},
		{path: "limit", mime: "text/plain", text: strings.Repeat("x", 300)},
		{path: "limit.bin", mime: "application/octet-stream", blob: true},
		{path: "large", kind: tool.BadArguments},
		{path: "large.bin", kind: tool.BadArguments},
		{path: "missing", kind: tool.NotFound},
		{path: "README.md/x", kind: tool.Failed},
		{path: "id_rsa", kind: tool.Denied},
		{path: "leak", kind: tool.Outside},
		{path: "out/key", kind: tool.Outside},
		{path: "out/missing", kind: tool.Outside},
		{path: "dangling", kind: tool.NotFound},
		{path: "../secrets/key", kind: tool.BadArguments},
		{path: "sub%2fy", kind: tool.BadArguments},
	} {
		uri := URI(root) + "/" + tt.path
		c, err := f.Read(t.Context(), uri)
		if kind := kindOf(err); kind != tt.kind || c.MIME != tt.mime || c.Text != tt.text || (c.Blob != nil) != tt.blob {
			t.Errorf("%s: %+v, %v", tt.path, c, err)
		}
		path, err := Path(uri)
		if !tt.blob || err != nil {
			continue
		}
		if want, err := os.ReadFile(path); err != nil || string(want) != string(c.Blob) {
			t.Errorf("%s: %q, want %q, %v", tt.path, c.Blob, want, err)
		}
	}
	// The error about a path outside does not tell whether it exists.
	_, err1 := f.Read(t.Context(), "file:///etc/passwd")
	_, err2 := f.Read(t.Context(), "file:///etc/no-such-file")
	if kindOf(err1) != tool.Outside || fmt.Sprint(err1) != fmt.Sprint(err2) {
		t.Errorf("outside: %v, %v", err1, err2)
	}
}

// kindOf returns the kind of an error, or "" if there is none.
func kindOf(err error) tool.Kind {
	var e *tool.Error
	if errors.As(err, &e) {
		return e.Kind
	}
	if err != nil {
		return "other"
	}
	return ""
}

// TestReadDirectory checks that reading a directory gives the URIs of its entries.
func TestReadDirectory(t *testing.T) {
	root := tree(t)
	c, err := open(t, gander.Options{Roots: []string{root}}).Read(t.Context(), URI(root)+"/sub/")
	want := URI(root) + "/sub/dir\r\n" + URI(root) + "/sub/y\r\n"
	if err != nil || c.MIME != "text/uri-list" || c.Text != want {
		t.Errorf("%+v, %v; want %q", c, err, want)
	}
}

// TestRules checks that a resource can be read exactly if the tool whose rules hold for it could.
func TestRules(t *testing.T) {
	root := tree(t)
	var seen []string
	observe := func(_ context.Context, r tool.Record) {
		seen = append(seen, fmt.Sprintf("%s %s %s %s %d", r.Tool.ID, r.Call.Args, r.Outcome(), r.Root, r.Bytes))
	}
	for _, tt := range []struct {
		name         string
		o            gander.Options
		read, list   tool.Kind
		reads, lists bool
	}{
		{"all", gander.Options{}, "", "", true, true},
		{"only a tool that reads", gander.Options{Tools: []string{"codex/read_file"}}, "", tool.Denied, true, false},
		{"only a tool that lists", gander.Options{Tools: []string{"toolkit"}}, tool.NotDirectory, "", false, true},
		{"reading denied", gander.Options{Policy: tool.Policy{Deny: []string{"gander/read_file"}}}, tool.Denied, "", true, true},
		{"listing denied", gander.Options{Policy: tool.Policy{Allow: []string{"gander/read_file"}}}, "", tool.Denied, true, true},
		{"nobody to approve", gander.Options{Policy: tool.Policy{Prompt: []string{"gander/read_file"}}}, tool.Denied, "", true, true},
		{"approved", gander.Options{Policy: tool.Policy{Prompt: []string{"gander/read_file"}}, Approver: func(context.Context, tool.Spec, tool.Call) error { return nil }}, "", "", true, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.o.Roots, tt.o.Observe = []string{root}, observe
			f := open(t, tt.o)
			if f.ReadsFiles() != tt.reads || f.ListsDirectories() != tt.lists {
				t.Errorf("reads %v, lists %v", f.ReadsFiles(), f.ListsDirectories())
			}
			if _, err := f.Read(t.Context(), URI(root)+"/README.md"); kindOf(err) != tt.read {
				t.Errorf("read: %v", err)
			}
			if _, err := f.List(t.Context(), URI(root), ""); kindOf(err) != tt.list {
				t.Errorf("list: %v", err)
			}
			if tt.read != "" && tt.reads {
				if _, err := f.Fingerprint(t.Context(), URI(root)+"/README.md"); kindOf(err) != tt.read {
					t.Errorf("fingerprint: %v", err)
				}
			}
		})
	}
	if want := fmt.Sprintf(`gander/read_file {"path":"%s/README.md"} ok %[1]s 8`, root); len(seen) == 0 || runtime.GOOS != "windows" && seen[0] != want {
		t.Errorf("records %q, want %q first", seen, want)
	}
}

// TestMiddleware checks that middleware can change what a resource holds.
func TestMiddleware(t *testing.T) {
	root := tree(t)
	f := open(t, gander.Options{Roots: []string{root}, Wrap: []tool.Middleware{func(_ tool.Spec, next tool.Handler) tool.Handler {
		return func(ctx context.Context, c tool.Call) (tool.Result, error) {
			r, err := next(ctx, c)
			r.Parts = tool.Text(strings.ReplaceAll(r.Text(), "Title", "******"))
			return r, err
		}
	}}})
	if c, err := f.Read(t.Context(), URI(root)+"/README.md"); err != nil || c.Text != "# ******\n" {
		t.Errorf("%+v, %v", c, err)
	}
}

// TestFingerprint checks that changes show, and that what may not be seen has no fingerprint.
func TestFingerprint(t *testing.T) {
	root := tree(t)
	f := open(t, gander.Options{Roots: []string{root}})
	path := filepath.Join(root, "sub", "y")
	fingerprint := func() string {
		t.Helper()
		text, err := f.Fingerprint(t.Context(), URI(path))
		if err != nil {
			t.Error(err)
		}
		return text
	}
	before := fingerprint()
	if before == "" || fingerprint() != before {
		t.Errorf("fingerprints %q, %q", before, fingerprint())
	}
	if err := os.WriteFile(path, []byte("changed"), 0o644); err != nil {
		t.Fatal(err)
	}
	if fingerprint() == before {
		t.Error("a change does not show")
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if after := fingerprint(); after != "" {
		t.Errorf("removed: %q", after)
	}
	for path, kind := range map[string]tool.Kind{"/leak": tool.Outside, "/../x": tool.BadArguments} {
		if _, err := f.Fingerprint(t.Context(), URI(root)+path); kindOf(err) != kind {
			t.Errorf("%s: %v, want %s", path, err, kind)
		}
	}
}

// TestMiddlewareCallsTwice checks that middleware may make the call of a resource twice, as often as it likes, and that it takes
// no place for good: the bound of calls at once is one.
func TestMiddlewareCallsTwice(t *testing.T) {
	root := t.TempDir()
	if err := os.WriteFile(filepath.Join(root, "f"), []byte("text"), 0o644); err != nil {
		t.Fatal(err)
	}
	made := 0
	f := open(t, gander.Options{Roots: []string{root}, Limits: gander.Limits{MaxCalls: 1}, Wrap: []tool.Middleware{func(_ tool.Spec, next tool.Handler) tool.Handler {
		return func(ctx context.Context, c tool.Call) (tool.Result, error) {
			made++
			if _, err := next(ctx, c); err != nil {
				return tool.Result{}, err
			}
			return next(ctx, c)
		}
	}}})
	for i := range 3 {
		for _, path := range []string{root, filepath.Join(root, "f")} {
			ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
			_, err := f.Read(ctx, URI(path))
			cancel()
			if err != nil {
				t.Fatalf("%s, for the time %d: %v", path, i+1, err)
			}
		}
	}
	if made == 0 {
		t.Error("the middleware is not called")
	}
}

// TestRefresh checks that a fingerprint is looked at again without another call of a tool, and that middleware does not change it.
func TestRefresh(t *testing.T) {
	root := tree(t)
	calls := 0
	f := open(t, gander.Options{Roots: []string{root}, Observe: func(context.Context, tool.Record) { calls++ }, Wrap: []tool.Middleware{func(_ tool.Spec, next tool.Handler) tool.Handler {
		return func(ctx context.Context, c tool.Call) (tool.Result, error) {
			r, err := next(ctx, c)
			r.Parts = tool.Text("changed")
			return r, err
		}
	}}})
	uri := URI(root) + "/README.md"
	first, err := f.Fingerprint(t.Context(), uri)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := f.Refresh(t.Context(), uri); err != nil || again != first || calls != 1 {
		t.Errorf("%q, then %q, %v; %d calls", first, again, err, calls)
	}
	if _, err := f.Refresh(t.Context(), URI(root)+"/leak"); kindOf(err) != tool.Outside {
		t.Errorf("outside: %v", err)
	}
}
