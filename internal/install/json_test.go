package install

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/tailscale/hujson"
)

var testPath = []string{"mcpServers", "gander"}

const testEntry = `{"command":"gander","args":["mcp"]}`

// indented returns the entry as add writes it after indent.
func indented(indent string) string { return string(format([]byte(testEntry), indent, "\n")) }

func TestEdit(t *testing.T) {
	for _, c := range []struct{ name, before, after string }{
		{"empty object", "{}", "{\n  \"mcpServers\": {\n    \"gander\": " + indented("    ") + "\n  }\n}"},
		{"no servers", "{\n  \"a\": 1 // one\n}\n", "{\n  \"a\": 1, // one\n  \"mcpServers\": {\n    \"gander\": " + indented("    ") + "\n  }\n}\n"},
		{"empty servers", "{  \"mcpServers\": {}\n}", "{  \"mcpServers\": {\n  \"gander\": " + indented("  ") + "\n}\n}"},
		{"servers", "{\"mcpServers\": {\n  \"x\": {\"command\": \"y\"}\n}}", "{\"mcpServers\": {\n  \"x\": {\"command\": \"y\"},\n  \"gander\": " + indented("  ") + "\n}}"},
		{
			"trailing comma and comments", "// top\n{\n    \"mcpServers\": {\n        \"x\": {}, // about x\n        // \"old\": {},\n    }, // end\n} // last",
			"// top\n{\n    \"mcpServers\": {\n        \"x\": {}, // about x\n        // \"old\": {},\n        \"gander\": " + indented("        ") + ",\n    }, // end\n} // last",
		},
		{"one line", "{\"a\": [1, 2]}", "{\"a\": [1, 2],\n  \"mcpServers\": {\n    \"gander\": " + indented("    ") + "\n  }}"},
		{"line endings", "{\r\n  \"a\": 1\r\n}\r\n", strings.ReplaceAll("{\n  \"a\": 1,\n  \"mcpServers\": {\n    \"gander\": "+indented("    ")+"\n  }\n}\n", "\n", "\r\n")},
		{"twice", `{"mcpServers":{},"mcpServers":{"x":{}}}`, "{\"mcpServers\":{},\"mcpServers\":{\"x\":{},\n  \"gander\": " + indented("  ") + "}}"},
	} {
		t.Run(c.name, func(t *testing.T) {
			after, err := add([]byte(c.before), testPath, []byte(testEntry))
			if err != nil || string(after) != c.after {
				t.Fatalf("added: %v\n%s\nwant\n%s", err, after, c.after)
			}
			if again, err := add(after, testPath, []byte(testEntry)); err != nil || !bytes.Equal(again, after) {
				t.Errorf("added again: %v\n%s", err, again)
			}
			if removed, err := remove(after, testPath); err != nil || string(removed) != c.before {
				t.Errorf("removed: %v\n%s\nwant\n%s", err, removed, c.before)
			}
		})
	}
}

func TestEditMissingFile(t *testing.T) {
	after, err := add(nil, testPath, []byte(testEntry))
	if want := "{\n  \"mcpServers\": {\n    \"gander\": " + indented("    ") + "\n  }\n}\n"; err != nil || string(after) != want {
		t.Fatalf("%v\n%s", err, after)
	}
	if removed, err := remove(after, testPath); err != nil || removed != nil {
		t.Errorf("removed: %v, %q; want no file", err, removed)
	}
}

// TestRemoveFromChanged removes the entry after others have changed the file.
func TestRemoveFromChanged(t *testing.T) {
	for before, want := range map[string]string{
		`{"mcpServers": {"gander": {"command": "g"}, "x": {}}}`:                    `{"mcpServers": { "x": {}}}`,
		"{\"mcpServers\": {\n  \"gander\": {\"command\": \"g\"},\n  \"x\": {}\n}}": "{\"mcpServers\": {\n  \"x\": {}\n}}",
		`{"mcpServers": {"gander": {"command": "g"}}, "b": 1}`:                     `{"mcpServers": {}, "b": 1}`,
		`{"b": 1}`: `{"b": 1}`,
	} {
		got, err := remove([]byte(before), testPath)
		if err != nil || string(got) != want {
			t.Errorf("%s: %v\n%s\nwant\n%s", before, err, got, want)
		}
	}
}

func TestEditErrors(t *testing.T) {
	for text, want := range map[string]string{
		"{":                  "",
		"[]":                 "not an object",
		`{"mcpServers": []}`: "not an object",
		`{"mcpServers": {"gander": {"url": "x"}}}`: `"gander" is another server: {"url":"x"}; remove it first`,
		strings.Repeat("[", maxBrackets+1):         "more than 20000 objects and arrays",
	} {
		if got, err := add([]byte(text), testPath, []byte(testEntry)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.50q: %q, %v", text, got, err)
		}
	}
	if _, err := parse([]byte(strings.Repeat("[", maxBrackets))); err == nil {
		t.Error("no error")
	}
}

func dense(text []byte) string { return strings.Join(strings.Fields(string(text)), "") }

func FuzzEdit(f *testing.F) {
	for _, seed := range []string{"{}", "{\n}", `{"a":1,}`, "// x\n{/**/}", `{"mcpServers":{"a":{},},}`, `{"mcpServers":{/* x */}}`, "{\"\\u0061\":1}", "\r\n{\r\n}"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		after, err := add([]byte(text), testPath, []byte(testEntry))
		if err != nil || string(after) == text {
			return
		}
		var document struct {
			Servers map[string]json.RawMessage `json:"mcpServers"`
		}
		standard, err := hujson.Standardize(bytes.Clone(after))
		if err != nil {
			t.Fatalf("%q: %q is not JSON: %v", text, after, err)
		}
		if json.Unmarshal(standard, &document) == nil && len(document.Servers["gander"]) == 0 {
			t.Fatalf("%q: %q has no entry", text, after)
		}
		removed, err := remove(after, testPath)
		// Empty objects may lose white space.
		if err != nil || len(strings.TrimSpace(text)) > 0 && dense(removed) != dense([]byte(text)) {
			t.Errorf("%q: added %q, removed %q, %v", text, after, removed, err)
		}
	})
}
