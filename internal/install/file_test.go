package install

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/tailscale/hujson"
)

const (
	testKey   = "mcpServers"
	testEntry = `{"command":"gander"}`
)

// member returns a member with the entry as add writes it after indent.
func member(indent string) string {
	return `"gander": {` + "\n" + indent + `  "command": "gander"` + "\n" + indent + "}"
}

// servers returns a member with an object that has the entry, after two spaces.
func servers() string { return "\"mcpServers\": {\n    " + member("    ") + "\n  }" }

func TestEdit(t *testing.T) {
	for _, c := range []struct{ name, before, after string }{
		{"missing file", "", "{\n  " + servers() + "\n}\n"},
		{"empty object", "{}", "{\n  " + servers() + "\n}"},
		{
			"no servers", "{ // top\n  \"a\": 1 // one\n}\n",
			"{\n  " + servers() + ", // top\n  \"a\": 1 // one\n}\n",
		},
		{
			"empty servers", "{\"a\": 1, \"mcpServers\": {}\n}",
			"{\"a\": 1, \"mcpServers\": {\n  " + member("  ") + "\n}\n}",
		},
		{
			"comments",
			"// top\n{\n    \"mcpServers\": {\n\t// about x\n\t\"x\": {}, // x\n    },\n} // end",
			"// top\n{\n    \"mcpServers\": {\n\t" + member("\t") +
				",\n\t// about x\n\t\"x\": {}, // x\n    },\n} // end",
		},
		{
			"block comment", "{ /* a\n b */ \"mcpServers\": {}}",
			"{ /* a\n b */ \"mcpServers\": {\n   " + member("   ") + "\n }}",
		},
		{"one line", "{\"a\": [1, 2]}", "{\n  " + servers() + ",\"a\": [1, 2]}"},
		{
			"line endings", "{\r\n  \"a\": 1\r\n}\r\n",
			"{\n  " + servers() + ",\r\n  \"a\": 1\r\n}\r\n",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			after, err := add([]byte(c.before), testKey, []byte(testEntry))
			if err != nil || string(after) != c.after {
				t.Fatalf("added: %v\n%s\nwant\n%s", err, after, c.after)
			}
			again, err := add(after, testKey, []byte(testEntry))
			if err != nil || !bytes.Equal(again, after) {
				t.Errorf("added again: %v\n%s", err, again)
			}
			before := c.before
			if before == "" {
				before = "{}\n" // Who has made the file is not known.
			}
			removed, err := remove(after, testKey, []byte(testEntry))
			if err != nil || string(removed) != before {
				t.Errorf("removed: %v\n%s\nwant\n%s", err, removed, before)
			}
		})
	}
}

// TestRemove removes the entry after others have changed the file.
func TestRemove(t *testing.T) {
	const top = `{"mcpServers": {`
	const entry = `"gander": ` + testEntry
	for before, want := range map[string]string{
		top + entry + `, "x": {}}}`:                    top + ` "x": {}}}`,
		top + "\n  " + entry + ",\n  \"x\": {}\n}}":    top + "\n  \"x\": {}\n}}",
		top + "\n  \"x\": {}, // x\n  " + entry + "}}": top + "\n  \"x\": {} // x\n  }}",
		`{"b": 1, "mcpServers": {` + entry + `}}`:      `{"b": 1, "mcpServers": {}}`,
		`{"b": 1}`: `{"b": 1}`,
		top + `"gander": {"type":"stdio",` + testEntry[1:] + "}}": `{"mcpServers": {}}`,
		top + `"gander": {"env":{},` + testEntry[1:] + "}}":       `{"mcpServers": {}}`,
	} {
		got, err := remove([]byte(before), testKey, []byte(testEntry))
		if err != nil || string(got) != want {
			t.Errorf("%s: %v\n%s\nwant\n%s", before, err, got, want)
		}
	}
}

// TestReplace replaces entries that gander could have made with other options.
func TestReplace(t *testing.T) {
	want, err := add([]byte(`{"mcpServers": {}}`), testKey, []byte(testEntry))
	if err != nil {
		t.Fatal(err)
	}
	for _, old := range []string{
		`{"command":"gander","args":["mcp"]}`, `{"type":"stdio","command":"gander","args":["mcp"]}`,
		`{"command":"/opt/gander","args":["mcp","--deny","x"]}`,
		`{"type":"local","command":["C:/gander.exe","mcp"],"enabled":false}`,
		`{"command":"npx","args":["-y","gander","mcp","--root","."]}`,
		`{"command":"gander","args":["mcp"],"env":{}}`,
	} {
		text := `{"mcpServers": {"gander": ` + old + `}}`
		got, err := add([]byte(text), testKey, []byte(testEntry))
		if err != nil || string(got) != string(want) {
			t.Errorf("%s becomes %s, %v", text, got, err)
		}
		if again, err := remove([]byte(text), testKey, []byte(testEntry)); err == nil {
			t.Errorf("%s: removed: %s", text, again)
		}
	}
}

// TestEditErrors checks documents that cannot be changed, among them those with another server.
func TestEditErrors(t *testing.T) {
	tests := map[string]string{
		`{"mcpServers": {}, "mcpServers": {}}`:      `two keys "mcpServers"`,
		`{"mcpServers": {}, "mcp\u0053ervers": []}`: `two keys "mcpServers"`,

		`{"mcpServers": {"gander": ` + testEntry + `, "gander": ` + testEntry + `}}`: `two keys "gander"`,
		"{":                                "",
		"[]":                               "not an object",
		`{"mcpServers": []}`:               "not an object",
		strings.Repeat("[", maxBrackets+1): "more than 20000 objects and arrays",
		strings.Repeat("[", maxBrackets):   "",
	}
	for _, other := range []string{
		`{"command":"gander","args":["mcp"],"env":{"A":"b"}}`, `{"command":"gander","env":{"A":"b"}}`, `{"url":"x"}`,
		`{"type":"sse","command":"gander"}`, `{"command":"/opt/gander"}`,
		`{"command":"docker","args":["run","gander","mcp"]}`, `[]`, `null`, `"gander"`,
	} {
		tests[`{"mcpServers": {"gander": `+other+`}}`] = `"gander" is another server: ` + other
	}
	for text, want := range tests {
		_, err := add([]byte(text), testKey, []byte(testEntry))
		_, err2 := remove([]byte(text), testKey, []byte(testEntry))
		if err == nil || !strings.Contains(err.Error(), want) ||
			strings.Contains(text, "gander") && (err2 == nil || err2.Error() != err.Error()) {
			t.Errorf("%.50q: %v, %v", text, err, err2)
		}
	}
}

// TestManyValues parses a file of the maximum size.
func TestManyValues(t *testing.T) {
	text := "[" + strings.Repeat("0,", maxFileSize/2-1) + "0]"
	if _, _, err := parse([]byte(text), testKey); err != nil {
		t.Error(err)
	}
}

func dense(text []byte) string { return strings.Join(strings.Fields(string(text)), "") }

func FuzzEdit(f *testing.F) {
	for _, seed := range []string{
		"{}", "{\n}", `{"a":1,}`, "// x\n{/**/}", `{"mcpServers":{"a":{},},}`, `{"mcpServers":{/* x */}}`,
		"{\"\\u0061\":1}", "\r\n{\r\n}", `{"mcpServers":{},"mcpServers":{"gander":{}}}`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		after, err := add([]byte(text), testKey, []byte(testEntry))
		if err != nil || string(after) == text {
			return
		}
		standard, err := hujson.Standardize(bytes.Clone(after))
		if err != nil || !json.Valid(standard) || !strings.Contains(string(standard), `"gander"`) {
			t.Fatalf("%q: %q has no entry, %v", text, after, err)
		}
		removed, err := remove(after, testKey, []byte(testEntry))
		if err != nil {
			t.Fatalf("%q: added %q, removed %q, %v", text, after, removed, err)
		}
		// An empty object may lose white space, and an empty file becomes an empty object.
		if dense([]byte(text)) != "" && dense(removed) != dense([]byte(text)) {
			t.Errorf("%q: added %q, removed %q", text, after, removed)
		}
	})
}
