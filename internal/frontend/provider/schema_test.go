package provider

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/jsonschema-go/jsonschema"

	"gander/internal/jsonobject"
	"gander/tool"
)

// TestStrictForm checks the strict forms of schemas that tools of an embedding program may have; "" means that there is
// none.
func TestStrictForm(t *testing.T) {
	wrap := func(property string) string {
		return `{"type":"object","properties":{"p":` + property + `},"required":["p"],"additionalProperties":false}`
	}
	for _, c := range []struct{ name, schema, openai, anthropic, gemini string }{
		{"closed already", wrap(`{"type":"string"}`), wrap(`{"type":"string"}`), wrap(`{"type":"string"}`), wrap(`{"type":"string"}`)},
		{"no arguments", `{"type":"object","properties":{}}`, `{"type":"object","properties":{},"required":[],"additionalProperties":false}`, `{"type":"object","properties":{},"additionalProperties":false}`, `{"type":"object","properties":{},"additionalProperties":false}`},
		{"no arguments, closed", `{"type":"object","additionalProperties":false}`, `{"type":"object","properties":{},"required":[],"additionalProperties":false}`, `{"type":"object","properties":{},"additionalProperties":false}`, `{"type":"object","properties":{},"additionalProperties":false}`},
		{"keywords", wrap(`{"type":"number","minimum":1,"multipleOf":2,"examples":[2],"$comment":"c"}`), wrap(`{"type":"number","minimum":1,"multipleOf":2}`), wrap(`{"type":"number"}`), wrap(`{"type":"number","minimum":1}`)},
		{"text", wrap(`{"type":"string","pattern":"a","minLength":1,"format":"uuid"}`), wrap(`{"type":"string","pattern":"a","format":"uuid"}`), wrap(`{"type":"string","format":"uuid"}`), wrap(`{"type":"string","pattern":"a","minLength":1,"format":"uuid"}`)},
		{"own format", wrap(`{"type":"string","format":"glob"}`), wrap(`{"type":"string"}`), wrap(`{"type":"string"}`), wrap(`{"type":"string"}`)},
		{"alternatives", wrap(`{"anyOf":[{"type":"string"},{"type":"integer","default":1}]}`), wrap(`{"anyOf":[{"type":"string"},{"type":"integer"}]}`), wrap(`{"anyOf":[{"type":"string"},{"type":"integer","default":1}]}`), wrap(`{"anyOf":[{"type":"string"},{"type":"integer","default":1}]}`)},
		{
			"alternatives with options",
			wrap(`{"anyOf":[{"type":"object","properties":{"q":{"type":"string"}},"additionalProperties":false},{"type":"integer"}]}`),
			"",
			wrap(`{"anyOf":[{"type":"object","properties":{"q":{"type":"string"}},"additionalProperties":false},{"type":"integer"}]}`),
			wrap(`{"anyOf":[{"type":"object","properties":{"q":{"type":"string"}},"additionalProperties":false},{"type":"integer"}]}`),
		},
		{
			"objects in arrays",
			`{"type":"object","properties":{"p":{"type":"array","items":{"type":"object","properties":{"q":{"type":"string"}}}}}}`,
			`{"type":"object","properties":{"p":{"anyOf":[{"type":"array","items":{"type":"object","properties":{"q":{"anyOf":[{"type":"string"},{"type":"null"}]}},"required":["q"],"additionalProperties":false}},{"type":"null"}]}},"required":["p"],"additionalProperties":false}`,
			`{"type":"object","properties":{"p":{"type":"array","items":{"type":"object","properties":{"q":{"type":"string"}},"additionalProperties":false}}},"additionalProperties":false}`,
			`{"type":"object","properties":{"p":{"type":"array","items":{"type":"object","properties":{"q":{"type":"string"}},"additionalProperties":false}}},"additionalProperties":false}`,
		},
		{
			"null is a value",
			`{"type":"object","properties":{"p":{"type":["string","null"]}}}`,
			`{"type":"object","properties":{"p":{"type":["string","null"]}},"required":["p"],"additionalProperties":false}`,
			`{"type":"object","properties":{"p":{"type":["string","null"]}},"additionalProperties":false}`,
			`{"type":"object","properties":{"p":{"type":["string","null"]}},"additionalProperties":false}`,
		},

		{"open object", `{"type":"object"}`, "", "", ""},
		{"open on purpose", `{"type":"object","properties":{},"additionalProperties":true}`, "", "", ""},
		{"map", wrap(`{"type":"object","additionalProperties":{"type":"string"}}`), "", "", ""},
		{"anything", wrap(`{}`), "", "", ""},
		{"anything at all", wrap(`true`), "", "", ""},
		{"list of anything", wrap(`{"type":"array"}`), "", "", ""},
		{"reference", wrap(`{"type":"object","$ref":"#/$defs/x"}`), "", "", ""},
		{"condition", `{"type":"object","properties":{},"if":{}}`, "", "", ""},
		{"no object", `{"type":"string"}`, "", "", ""},
		{"no schema", `[]`, "", "", ""},
		{"no JSON", `{`, "", "", ""},
	} {
		for provider, f := range map[string]struct {
			subset subset
			want   string
		}{"openai": {openai{}.subset(), c.openai}, "anthropic": {anthropic{}.subset(), c.anthropic}, "gemini": {gemini{}.subset(), c.gemini}} {
			got, _, ok := f.subset.convert(json.RawMessage(c.schema))
			want := f.want
			if want == "" {
				want = c.schema
			}
			if ok != (f.want != "") || string(got) != want {
				t.Errorf("%s, %s: %v (-want +got)\n%s", c.name, provider, ok, cmp.Diff(want, string(got)))
			}
		}
	}
}

func TestRestoreArgs(t *testing.T) {
	const schema = `{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"integer"},"n":{"type":["string","null"]},` +
		`"o":{"type":"object","properties":{"b":{"type":"boolean"}}},"l":{"type":"array","items":{"type":"object","properties":{"b":{"type":"boolean"}}}}},"required":["a"]}`
	for _, c := range []struct{ args, want string }{
		{`{"a":"x","b":null,"n":null,"o":null,"l":null}`, `{"a":"x","n":null}`},
		{`{"a":"x","b":1.0,"o":{"b":null},"l":[{"b":null},{"b":true}]}`, `{"a":"x","b":1.0,"o":{},"l":[{},{"b":true}]}`},
		{`{"a":null}`, `{"a":null}`}, // for the tool to refuse
		{`{"c":null}`, `{"c":null}`},
		{`{"a":"\u00e9"}`, `{"a":"\u00e9"}`},
		{`{"o":[null],"l":{"b":null}}`, `{"o":[null],"l":{"b":null}}`},
		{``, ``},
		{`{`, `{`},
		{`{"b":null,"b":null}`, `{"b":null,"b":null}`},
		{`null`, `null`},
	} {
		for name, want := range map[string]string{"openai": c.want, "anthropic": c.want, "gemini": c.args} {
			if got := string(New(name).RestoreArgs(tool.Spec{Input: json.RawMessage(schema)}, json.RawMessage(c.args))); got != want {
				t.Errorf("%s: %s becomes %s, want %s", name, c.args, got, want)
			}
		}
	}
	open := tool.Spec{Input: json.RawMessage(`{"type":"object"}`)}
	if got := string(New("openai").RestoreArgs(open, json.RawMessage(`{"a":null}`))); got != `{"a":null}` {
		t.Errorf("arguments of a tool that is not strict become %s", got)
	}
}

// TestLimits checks that the first tools are strict if one request to Anthropic cannot hold all of them.
func TestLimits(t *testing.T) {
	defs := func(n, optionals int, property string) []tool.Definition {
		var all []tool.Definition
		for i := range n {
			var properties []string
			for j := range optionals {
				properties = append(properties, fmt.Sprintf(`"p%d":%s`, j, property))
			}
			input := `{"type":"object","properties":{` + strings.Join(properties, ",") + `},"additionalProperties":false}`
			all = append(all, tool.Definition{Name: fmt.Sprint("t", i), Spec: tool.Spec{Input: json.RawMessage(input)}})
		}
		return all
	}
	for _, c := range []struct {
		name string
		defs []tool.Definition
		want int
	}{
		{"tools", defs(30, 0, ""), 20},
		{"optional properties", defs(10, 5, `{"type":"string"}`), 7}, // four with optional properties, three with unions
		{"as many as there may be", defs(2, 12, `{"type":"string"}`), 2},
		{"unions", defs(10, 3, `{"type":["string","null"]}`), 5},
		{"one too large", append(defs(1, 25, `{"type":"string"}`), defs(2, 1, `{"type":"string"}`)...), 2},
	} {
		if got := strings.Count(string(anthropic{}.Tools(c.defs)), `"strict":true`); got != c.want {
			t.Errorf("%s: %d tools are strict, want %d", c.name, got, c.want)
		}
	}
}

// TestRestoredArgsFit checks that arguments for the strict form of a schema fit the schema itself once restored. Schemas
// and arguments are random, and a validator of another project checks them.
func TestRestoredArgsFit(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		published := randomObject(r, 3)
		strict, _, ok := openai{}.subset().convert(json.RawMessage(published))
		if !ok {
			t.Fatalf("no strict form of %s", published)
		}
		o, err := jsonobject.Parse(strict)
		if err != nil {
			t.Fatal(err)
		}
		fitsStrict, fitsPublished := validator(t, string(strict)), validator(t, published)
		for range 20 {
			args := randomArgs(r, o)
			if err := fitsStrict(args); err != nil {
				t.Fatalf("%s does not fit %s: %v", args, strict, err)
			}
			restored := New("openai").RestoreArgs(tool.Spec{Input: json.RawMessage(published)}, json.RawMessage(args))
			if err := fitsPublished(string(restored)); err != nil {
				t.Fatalf("%s, restored from %s, does not fit %s: %v", restored, args, published, err)
			}
		}
	}
}

func randomObject(r *rand.Rand, depth int) string {
	var properties, required []string
	for i := range r.IntN(4) {
		name := fmt.Sprintf("p%d", i)
		properties = append(properties, fmt.Sprintf("%q:%s", name, randomSchema(r, depth-1)))
		if r.IntN(3) == 0 {
			required = append(required, fmt.Sprintf("%q", name))
		}
	}
	return `{"type":"object","properties":{` + strings.Join(properties, ",") + `},"required":[` + strings.Join(required, ",") + `]}`
}

func randomSchema(r *rand.Rand, depth int) string {
	switch n := r.IntN(7); {
	case n == 0 && depth > 0:
		return randomObject(r, depth)
	case n == 1 && depth > 0:
		return `{"type":"array","items":` + randomSchema(r, depth-1) + `}`
	case n == 2:
		return `{"type":"string","enum":["a","b"],"default":"a"}`
	case n == 3:
		return `{"type":["integer","null"],"minimum":1}`
	case n == 4:
		return `{"type":"boolean","description":"d","default":true}`
	default:
		return `{"type":"integer","minimum":1,"maximum":9}`
	}
}

// randomArgs returns a value that fits a strict schema.
func randomArgs(r *rand.Rand, s *jsonobject.Object) string {
	if alternatives, ok := s.Get("anyOf"); ok {
		all, _ := alternatives.Array()
		one, _ := all[r.IntN(len(all))].Object()
		return randomArgs(r, one)
	}
	switch types := s.Texts("type"); types[r.IntN(len(types))] {
	case "object":
		var fields []string
		properties := s.Object("properties")
		for _, name := range properties.Keys() {
			v, _ := properties.Get(name)
			property, _ := v.Object()
			fields = append(fields, fmt.Sprintf("%q:%s", name, randomArgs(r, property)))
		}
		return "{" + strings.Join(fields, ",") + "}"
	case "array":
		v, _ := s.Get("items")
		items, _ := v.Object()
		return "[" + randomArgs(r, items) + "," + randomArgs(r, items) + "]"
	case "string":
		return `"b"`
	case "boolean":
		return "false"
	case "null":
		return "null"
	default:
		return fmt.Sprint(1 + r.IntN(9))
	}
}

// validator returns a function that checks whether a value fits a schema.
func validator(t *testing.T, schema string) func(value string) error {
	t.Helper()
	var s jsonschema.Schema
	if err := json.Unmarshal([]byte(schema), &s); err != nil {
		t.Fatal(err)
	}
	resolved, err := s.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	return func(value string) error {
		var v any
		if err := json.Unmarshal([]byte(value), &v); err != nil {
			return err
		}
		return resolved.Validate(v)
	}
}

// FuzzForm checks that any schema has a strict form that is JSON, or none, and that any arguments can be restored.
func FuzzForm(f *testing.F) {
	f.Add(`{"type":"object","properties":{"a":{"type":"array","items":{"anyOf":[{"type":"null"}]}}},"required":["a"]}`, `{"a":null,"b":[{}]}`)
	f.Add(`{"type":["object"],"properties":{"a":7}}`, `{"a":{"b":null}}`)
	f.Add(`{"type":"object","properties":{"a":{"type":"object","properties":{"b":{"type":"array","items":true}}}}}`, ``)
	f.Fuzz(func(t *testing.T, schema, args string) {
		for _, name := range Names() {
			d := tool.Definition{Name: "t", Spec: tool.Spec{Input: json.RawMessage(schema)}}
			if tools := New(name).Tools([]tool.Definition{d}); json.Valid([]byte(schema)) && !json.Valid(tools) {
				t.Errorf("%s: not JSON: %s", name, tools)
			}
			if restored := New(name).RestoreArgs(d.Spec, json.RawMessage(args)); json.Valid([]byte(args)) && !json.Valid(restored) {
				t.Errorf("%s: not JSON: %s", name, restored)
			}
		}
	})
}
