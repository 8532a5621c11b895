package jsonl

import (
	"encoding/json"
	"errors"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"gander/tool"
)

// schema returns a definition of the published schema of the protocol.
func schema(t *testing.T, definition string) *jsonschema.Resolved {
	t.Helper()
	data, err := os.ReadFile("../../../docs/jsonl.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	var s jsonschema.Schema
	if err := json.Unmarshal(data, &s); err != nil {
		t.Fatal(err)
	}
	if s.Defs[definition] == nil {
		t.Fatalf("the schema does not define %q", definition)
	}
	s.AnyOf, s.Ref = nil, "#/$defs/"+definition
	resolved, err := s.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	return resolved
}

// fits reports whether a line is valid by the schema.
func fits(s *jsonschema.Resolved, line string) bool {
	var value any
	return json.Unmarshal([]byte(line), &value) == nil && s.Validate(value) == nil
}

// TestSchemaOfRequests checks that the schema and the program accept the same requests. Two differences are not shown here:
// only the program refuses duplicate keys, and only the schema demands that args is an object, which the tools check.
func TestSchemaOfRequests(t *testing.T) {
	requests := schema(t, "request")
	for _, line := range []string{
		`{"id":1,"tool":"codex/list_dir","args":{"dir_path":"/src"},"max_output_bytes":8000,"available_capacity_bytes":9000}`,
		`{"id":"a","tool":"tree"}`,
		`{"id":-1.5e3,"tool":"","args":{}}`,
		`{"id":1,"tool":"tree","max_output_bytes":0}`,
		`{"id":1,"tool":"tree","max_output_bytes":2.0}`,
		`{"id":2,"cancel":1}`,
		`{"id":2,"cancel":"a"}`,
		`{"id":3,"definitions":true}`,
		`{"id":3,"definitions":false}`,
		`{"id":3,"definitions":true,"tool":"tree"}`,

		`{}`, `[]`, `null`, `"tree"`,
		`{"id":1}`,
		`{"tool":"tree"}`,
		`{"id":null,"tool":"tree"}`,
		`{"id":true,"tool":"tree"}`,
		`{"id":1,"tool":null}`,
		`{"id":1,"tool":1}`,
		`{"ID":1,"tool":"tree"}`,
		`{"id":1,"tool":"tree","more":1}`,
		`{"id":1,"tool":"tree","max_output_bytes":-1}`,
		`{"id":1,"tool":"tree","max_output_bytes":1.5}`,
		`{"id":1,"tool":"tree","max_output_bytes":null}`,
		`{"id":1,"tool":"tree","available_capacity_bytes":"1"}`,
		`{"id":1,"tool":"tree","max_output_bytes":1e30}`,
		`{"id":2,"cancel":null}`,
		`{"id":2,"cancel":1,"tool":"tree"}`,
		`{"cancel":1}`,
	} {
		_, err := parse([]byte(line))
		if fits := fits(requests, line); fits != (err == nil) {
			t.Errorf("%s: valid by the schema is %v, the program says %v", line, fits, err)
		}
	}
}

func TestSchemaOfReplies(t *testing.T) {
	valid := schema(t, "reply")
	kinds := []tool.Kind{
		tool.BadArguments, tool.Outside, tool.Denied, tool.NotFound, tool.NotDirectory, tool.Failed, tool.Cancelled, tool.Timeout,
		tool.Internal,
	}
	replies := []reply{
		{id: `1`, result: &tool.Result{Parts: tool.Text("a"), Display: "b"}},
		{id: `"x"`, result: &tool.Result{}},
		{id: `2`},
		{err: errors.New("not JSON")},
		{id: `1`, err: &tool.Error{Kind: tool.Failed, Code: "C", Message: "m", Display: "d"}},
	}
	for _, kind := range kinds {
		replies = append(replies, reply{id: `1`, err: &tool.Error{Kind: kind, Message: "m"}})
	}
	for _, r := range replies {
		if line := lineOf(t, r); !fits(valid, line) {
			t.Errorf("not valid by the schema: %s", line)
		}
	}
	for _, line := range []string{
		`{"id":1,"ok":true,"content":"a","error":{"kind":"failed","message":"m"}}`,
		`{"id":1,"ok":false,"content":"a"}`,
		`{"id":null,"ok":true,"content":"a"}`,
		`{"id":1,"ok":false,"error":{"kind":"broken","message":"m"}}`,
		`{"id":1,"ok":true,"content":"a","display":""}`,
	} {
		if fits(valid, line) {
			t.Errorf("valid by the schema, but no reply: %s", line)
		}
	}
	declared := valid.Schema().Defs["failure"].Properties["error"].Properties["kind"].Enum
	if len(declared) != len(kinds) || slices.ContainsFunc(kinds, func(k tool.Kind) bool { return !slices.Contains(declared, any(string(k))) }) {
		t.Errorf("the schema has the kinds %v, the program %v", declared, kinds)
	}
}

// TestSchemaOfDocuments checks every line that the documents show.
func TestSchemaOfDocuments(t *testing.T) {
	requests, replies := schema(t, "request"), schema(t, "reply")
	for _, name := range []string{"../../../docs/jsonl.md", "doc.go"} {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		text := strings.ReplaceAll(string(data), "'$PWD'", "")
		shown := regexp.MustCompile(`\{"id":.*\}`).FindAllString(text, -1)
		if len(shown) < 2 {
			t.Errorf("%s shows %d lines", name, len(shown))
		}
		for _, line := range shown {
			line, _, _ = strings.Cut(line, "`")
			line, _, _ = strings.Cut(line, "' |")
			if line == `{"id":1,"tool":"read_file","tool":"tree"}` { // shown as wrong
				continue
			}
			if !fits(requests, line) && !fits(replies, line) {
				t.Errorf("%s: not valid by the schema: %s", name, line)
			}
		}
	}
}

// TestParts checks that a line stands for what text cannot carry.
func TestParts(t *testing.T) {
	parts := append(tool.Text("a picture:"), tool.Part{Type: tool.ImagePart, Data: []byte("pixels"), MIMEType: "image/png"})
	line := lineOf(t, reply{id: "1", result: &tool.Result{Parts: parts}})
	if want := `{"id":1,"ok":true,"content":"a picture:\n[image: image/png, 6 bytes]"}` + "\n"; line != want {
		t.Errorf("%s, want %s", line, want)
	}
}

func TestTextThatIsNotUTF8(t *testing.T) {
	line := lineOf(t, reply{id: "1", result: &tool.Result{Parts: tool.Text("a\xe2\x82b\xff\xff")}})
	if want := `{"id":1,"ok":true,"content":"a�b��"}` + "\n"; line != want {
		t.Errorf("%s, want %s", line, want)
	}
}

// lineOf returns the line of a reply.
func lineOf(t *testing.T, r reply) string {
	t.Helper()
	var out strings.Builder
	if _, err := r.writeTo(&out, nil); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// TestLongReply: a long text is written in pieces that end between characters, whatever lies at their ends.
func TestLongReply(t *testing.T) {
	for _, unit := range []string{"x", "é", "漢", "😀", "\"\n", "\xff", "a\xe2\x82"} {
		for shift := range 4 {
			text := strings.Repeat("-", shift) + strings.Repeat(unit, 3*pieceLen/len(unit))
			var got struct{ Content string }
			line := lineOf(t, reply{id: "1", result: &tool.Result{Parts: tool.Text(text)}})
			if err := json.Unmarshal([]byte(line), &got); err != nil || got.Content != wellFormed(text) {
				t.Errorf("%q, shifted by %d: %d bytes came out as %d, %v", unit, shift, len(text), len(got.Content), err)
			}
		}
	}
}
