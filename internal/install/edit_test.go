package install

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/tailscale/hujson"

	"gander/internal/testkit/fixture"
)

func testKeys() []string { return []string{"mcpServers", "gander"} }

func testEntry() map[string]any { return map[string]any{"command": "gander"} }

func member(indent, step string) string {
	return `"gander": {` + "\n" + indent + step + `"command": "gander"` + "\n" + indent + "}"
}

func servers() string { return "\"mcpServers\": {\n    " + member("    ", "  ") + "\n  }" }

// TestSet adds an entry to documents and removes it again, which restores them.
func TestSet(t *testing.T) {
	for _, c := range []struct{ name, before, after string }{
		{"empty object", "{}", "{\n  " + servers() + "\n}"},
		{
			"no servers", "{ // top\n  \"a\": 1 // one\n}\n",
			"{\n  " + servers() + ", // top\n  \"a\": 1 // one\n}\n",
		},
		{
			"empty servers", "{\"a\": 1, \"mcpServers\": {}\n}",
			"{\"a\": 1, \"mcpServers\": {\n  " + member("  ", "  ") + "\n}\n}",
		},
		{
			"comments and tabs",
			"// top\n{\n    \"mcpServers\": {\n\t// about x\n\t\"x\": {}, // x\n    },\n} // end",
			"// top\n{\n    \"mcpServers\": {\n\t" + member("\t", "\t") +
				",\n\t// about x\n\t\"x\": {}, // x\n    },\n} // end",
		},
		{
			"block comment", "{ /* a\n b */ \"mcpServers\": {}}",
			"{ /* a\n b */ \"mcpServers\": {\n   " + member("   ", "  ") + "\n }}",
		},
		{"one line", "{\"a\": [1, 2]}", "{\n  " + servers() + ",\"a\": [1, 2]}"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var f jsonFormat
			after, err := f.set([]byte(c.before), testKeys(), testEntry())
			if err != nil || string(after) != c.after {
				t.Fatalf("added: %v\n%s\nwant\n%s", err, after, c.after)
			}
			removed, err := f.remove(after, testKeys())
			if err != nil || string(removed) != c.before {
				t.Errorf("removed: %v\n%s\nwant\n%s", err, removed, c.before)
			}
		})
	}
}

// TestRemove removes the entry after others have changed the file.
func TestRemove(t *testing.T) {
	const top = `{"mcpServers": {`
	const entry = `"gander": {"command":"gander"}`
	for before, want := range map[string]string{
		top + entry + `, "x": {}}}`:                    top + ` "x": {}}}`,
		top + "\n  " + entry + ",\n  \"x\": {}\n}}":    top + "\n  \"x\": {}\n}}",
		top + "\n  \"x\": {}, // x\n  " + entry + "}}": top + "\n  \"x\": {} // x\n  }}",
		`{"b": 1, "mcpServers": {` + entry + `}}`:      `{"b": 1, "mcpServers": {}}`,
		`{"b": 1}`: `{"b": 1}`,
	} {
		got, err := jsonFormat{}.remove([]byte(before), testKeys())
		if err != nil || string(got) != want {
			t.Errorf("%s: %v\n%s\nwant\n%s", before, err, got, want)
		}
	}
}

// TestDocumentErrors checks documents that cannot be changed.
func TestDocumentErrors(t *testing.T) {
	for text, want := range map[string]string{
		`{"mcpServers": {}, "mcpServers": {}}`:         `two keys "mcpServers"`,
		`{"mcpServers": {}, "mcp\u0053ervers": []}`:    `two keys "mcpServers"`,
		`{"mcpServers": {"gander": {}, "gander": {}}}`: `two keys "gander"`,
		"{":                                "",
		"[]":                               "not an object",
		`{"mcpServers": []}`:               "not an object",
		strings.Repeat("[", maxBrackets+1): "more than 20000 brackets",
		strings.Repeat("[", maxBrackets):   "",
	} {
		_, err := jsonFormat{}.set([]byte(text), testKeys(), testEntry())
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.50q: %v", text, err)
		}
	}
}

// TestTOML adds a table and keys to documents and removes them again.
func TestTOML(t *testing.T) {
	var f tomlFormat
	server := map[string]any{"command": "gander", "args": []string{"mcp", "--root", `C:\a "b"`}}
	for _, before := range []string{
		"", "model = \"x\"\n", "# mine\nmodel = \"x\"\n\n[features]\nother = true\n",
		"[mcp_servers.a]\ncommand = \"a\"\n",
	} {
		after, err := f.set([]byte(before), []string{"mcp_servers", "gander"}, server)
		fixture.Must(t, err)
		found, err := f.get(after, []string{"mcp_servers", "gander"})
		if err != nil || !isSame(found, server) {
			t.Errorf("%q: %v, %v", after, found, err)
		}
		after, err = f.set(after, []string{"features", "shell_tool"}, false)
		if err != nil || !bytes.Contains(after, []byte("[features]\nshell_tool = false\n")) {
			t.Errorf("%q, %v", after, err)
		}
		after, err = f.remove(after, []string{"features", "shell_tool"})
		if err != nil || bytes.Contains(after, []byte("shell_tool")) {
			t.Errorf("%q, %v", after, err)
		}
		after, err = f.remove(after, []string{"mcp_servers", "gander"})
		left := strings.TrimSpace(strings.ReplaceAll(string(after), "[features]\n", ""))
		want := strings.TrimSpace(strings.ReplaceAll(before, "[features]\n", ""))
		if err != nil || left != want {
			t.Errorf("%q: left %q, %v", before, after, err)
		}
	}
	for _, text := range []string{
		"mcp_servers = {gander = {command = \"x\"}}\n", "mcp_servers.gander.command = \"x\"\n", "a = [",
	} {
		if after, err := f.set([]byte(text), []string{"mcp_servers", "gander"}, server); err == nil {
			t.Errorf("%q becomes %q", text, after)
		}
	}
}

// TestTOMLKept removes a table among others, whose comments and empty lines stay.
func TestTOMLKept(t *testing.T) {
	var f tomlFormat
	keys := []string{"mcp_servers", "gander"}
	server := "[mcp_servers.gander]\ncommand = \"gander\"\n"
	tools := "[mcp_servers.gander.tools.read_file]\napproval_mode = \"approve\"\n"
	for before, want := range map[string]string{
		server + "\n# about b\n[b]\nx = 1\n":          "# about b\n[b]\nx = 1\n",
		"[a]\n\n" + server + "# about b\n[b]\n":       "[a]\n\n# about b\n[b]\n",
		"[a]\n\n" + server + "\n# about b\n[b]\n":     "[a]\n\n# about b\n[b]\n",
		"\n# mine\n\n" + server + "# end\n":           "\n# mine\n\n# end\n",
		"[a]\n\n" + server + "\n" + tools + "\n[b]\n": "[a]\n\n[b]\n",
		tools + "[b]\n" + server:                      "[b]\n",
		"[features]\na = 1\n\n" + server:              "[features]\na = 1\n",
	} {
		after, err := f.remove([]byte(before), keys)
		if err != nil || string(after) != want {
			t.Errorf("%q: %q, %v, want %q", before, after, err, want)
		}
	}
}

// TestIsGander checks which entries are gander's: others are not replaced.
func TestIsGander(t *testing.T) {
	for entry, want := range map[string]bool{
		`{"command":"gander","args":["mcp"]}`:                                 true,
		`{"type":"stdio","command":"gander","args":["mcp"]}`:                  true,
		`{"command":"/opt/gander","args":["mcp","--deny","x"]}`:               true,
		`{"type":"local","command":["C:/gander.exe","mcp"],"enabled":false}`:  true,
		`{"command":"npx","args":["-y","gander","mcp","--root","."]}`:         true,
		`{"command":"npx","args":["-y","@owner/gander@1.2.0","mcp"]}`:         true,
		`{"command":"npx","args":["-y","ganderous","mcp"]}`:                   false,
		`{"command":"gander","args":["mcp"],"env":{}}`:                        true,
		`{"command":"gander","args":["mcp"],"env":{"A":"b"}}`:                 true,
		`{"command":"gander","args":["mcp"],"timeout":9,"autoApprove":["x"]}`: true,
		`{"command":"/opt/gander","args":["list"]}`:                           false,
		`{"command":"/opt/other","args":["mcp"]}`:                             false,
		`{"command":"docker","args":["run","gander","mcp"]}`:                  false,
		`{"url":"x"}`: false, `[]`: false, `null`: false, `"gander"`: false,
	} {
		var value any
		fixture.Must(t, json.Unmarshal([]byte(entry), &value))
		if got := isGander(value); got != want {
			t.Errorf("%s: %v", entry, got)
		}
	}
}

func dense(text []byte) string { return strings.Join(strings.Fields(string(text)), "") }

func FuzzSet(f *testing.F) {
	for _, seed := range []string{
		"{}", "{\n}", `{"a":1,}`, "// x\n{/**/}", `{"mcpServers":{"a":{},},}`, `{"mcpServers":{/* x */}}`,
		"{\"\\u0061\":1}", "\r\n{\r\n}", `{"mcpServers":{},"mcpServers":{"gander":{}}}`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var format jsonFormat
		if found, err := format.get([]byte(text), testKeys()); err != nil || found != nil {
			return
		}
		after, err := format.set([]byte(text), testKeys(), testEntry())
		if err != nil {
			return
		}
		standard, err := hujson.Standardize(bytes.Clone(after))
		if err != nil || !json.Valid(standard) || !strings.Contains(string(standard), `"gander"`) {
			t.Fatalf("%q: %q has no entry, %v", text, after, err)
		}
		removed, err := format.remove(after, testKeys())
		if err != nil || dense(removed) != dense([]byte(text)) {
			t.Errorf("%q: added %q, removed %q, %v", text, after, removed, err)
		}
	})
}

func FuzzTOML(f *testing.F) {
	for _, seed := range []string{"", "a = 1\n", "[mcp_servers]\n", "[[a]]\n[a.b]", "x = \"\"\"\n[mcp_servers.gander]\n\"\"\"\n"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var format tomlFormat
		keys := []string{"mcp_servers", "gander"}
		before, err := format.get([]byte(text), nil)
		if err != nil {
			return
		}
		if found, _ := format.get([]byte(text), keys); found != nil {
			return
		}
		after, err := format.set([]byte(text), keys, testEntry())
		if err != nil {
			return
		}
		removed, err := format.remove(after, keys)
		if err != nil {
			return
		}
		left, err := format.get(removed, nil)
		if err != nil || !isSame(before, left) {
			t.Errorf("%q: added %q, removed %q, %v", text, after, removed, err)
		}
	})
}
