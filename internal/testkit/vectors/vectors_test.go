//go:build unix

package vectors

import (
	"strings"
	"testing"
	"testing/fstest"
)

// load reads one file of vectors.
func load(t *testing.T, text string) File {
	t.Helper()
	files, err := Load(fstest.MapFS{"a.json": {Data: []byte(text)}, "README.md": {Data: []byte("#")}})
	if err != nil {
		t.Fatal(err)
	}
	if len(files) != 1 {
		t.Fatalf("%d files were loaded, want 1", len(files))
	}
	return files[0]
}

func TestLoad(t *testing.T) {
	f := load(t, `{
		"tool": "d/n", "about": "a note",
		"definition": {"name": "n", "schema": {"type": "object"}, "is_side_effecting": false},
		"fixtures": {"x": [{"path_b64": "Zm9v/w==", "type": "file", "content_b64": "AAH/", "mtime_ms": -5, "nofollow": true, "mode": "0444"}], "none": []},
		"cases": [
			{"name": "one", "fixture": "x", "args": {"n": 2.0, "s": "${ROOT}/<é>"}, "needs_unprivileged": true,
			 "config": {"max_output_bytes": 0, "workspace_root": "${ROOT}/a", "sandbox": {"allow_absolute": false}},
			 "expect": {"ok": false, "message": "at ${ROOT}", "code": "C"}},
			{"name": "two", "fixture": "none", "args": [], "expect": {"ok": true, "json": {"p": "${ROOT}"}, "content": ""}}
		]}`)
	item := f.Fixtures["x"][0]
	if item.name() != "foo\xff" || string(item.content()) != "\x00\x01\xff" || *item.MtimeMS != -5 || !item.NoFollow || item.Mode != "0444" {
		t.Errorf("the item is %+v", item)
	}
	if d := f.Definition; f.Tool != "d/n" || *d.Name != "n" || string(d.Schema) != `{"type": "object"}` || *d.SideEffects || d.Description != nil {
		t.Errorf("the definition is %+v", d)
	}
	one, err := f.Cases[0].at(`/r"\é`)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := string(one.Args), `{"n":2.0,"s":"/r\"\\é/<é>"}`; got != want {
		t.Errorf("the arguments are %s, want %s", got, want)
	}
	if got := one.Config; *got.MaxOutputBytes != 0 || got.AvailableCapacityBytes != nil || got.WorkspaceRoot != `/r"\é/a` || *got.Sandbox.AllowAbsolute {
		t.Errorf("the config is %+v", got)
	}
	if got := one.Expect; *got.OK || *got.Message != `at /r"\é` || *got.Code != "C" || got.Content != nil || !one.NeedsUnprivileged {
		t.Errorf("the case is %+v", one)
	}
	two, err := f.Cases[1].at("/r")
	if err != nil {
		t.Fatal(err)
	}
	if got := two.Expect; !*got.OK || string(got.JSON) != `{"p": "/r"}` || *got.Content != "" || string(two.Args) != "[]" {
		t.Errorf("the case is %+v with %s", two, got.JSON)
	}
}

func TestLoadRefuses(t *testing.T) {
	const head, tail = `{"tool":"d/n","fixtures":{"x":[]},"cases":[`, `]}`
	tests := []struct{ name, text, message string }{
		{"no JSON", `{`, "a.json"},
		{"no tool", `{"fixtures":{},"cases":[]}`, "no tool"},
		{"unknown key of a definition", `{"tool":"t","definition":{"title":"x"},"fixtures":{},"cases":[]}`, "title"},
		{"unknown key of an item", `{"tool":"t","fixtures":{"x":[{"path":"a","kind":"file"}]},"cases":[]}`, "kind"},
		{"unknown key of a case", head + `{"name":"a","fixture":"x","args":{},"skip":true,"expect":{"ok":true}}` + tail, "skip"},
		{"unknown key of a config", head + `{"name":"a","fixture":"x","args":{},"config":{"list_directory":{"depth":1}},"expect":{"ok":true}}` + tail, "depth"},
		{"unknown key of an expectation", head + `{"name":"a","fixture":"x","args":{},"expect":{"ok":true,"text":""}}` + tail, "text"},
		{"no name", head + `{"fixture":"x","args":{},"expect":{"ok":true}}` + tail, "no name"},
		{"no such fixture", head + `{"name":"a","fixture":"y","args":{},"expect":{"ok":true}}` + tail, `no fixture "y"`},
		{"no ok", head + `{"name":"a","fixture":"x","args":{},"expect":{"content":""}}` + tail, "expect.ok"},
		{"a name twice", head + `{"name":"a","fixture":"x","expect":{"ok":true}},{"name":"a","fixture":"x","expect":{"ok":true}}` + tail, "same name"},
	}
	for _, tt := range tests {
		_, err := Load(fstest.MapFS{"a.json": {Data: []byte(tt.text)}})
		if err == nil {
			t.Errorf("%s: accepted", tt.name)
		} else if !strings.Contains(err.Error(), tt.message) {
			t.Errorf("%s: the message is %q, want %q in it", tt.name, err, tt.message)
		}
	}
}
