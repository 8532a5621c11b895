package toolset_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"gander/internal/tools/shared"
	"gander/internal/toolset"
	"gander/tool"
)

func TestDefinitions(t *testing.T) {
	tests := []struct{ name, ids, choice, want string }{
		{"none", "", "", ""},
		{"unique names", "a/x b/y", "", "x y"},
		{"a shared name", "a/x b/y c/x", "", "a_x y c_x"},
		{"shared, but not among the selected", "a/x b/y c/x", "c y", "y x"},
		{"all by that word", "a/x c/x", "all", "a_x c_x"},
		{"by id, once", "a/x a/y c/x", "c/x c c_x", "x"},
		{"a set", "a/x b/y a/z", "a", "x z"},
		{"a set precedes a name", "a/x b/a", "a", "x"},
		{"in the given order", "a/x b/y", "y x", "x y"},
		{"a name that yields", "a/x mcp/x b/y", "", "x mcp_x y"},
		{"the only one with its name yields", "mcp/x b/y", "", "x y"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tools := fakes(strings.Fields(tt.ids)...)
			for i, each := range tools {
				if strings.HasPrefix(each.Spec().ID, "mcp/") {
					tools[i] = published{each}
				}
			}
			r := open(t, toolset.Options{Select: strings.Fields(tt.choice)}, tools...)
			var got []string
			for _, d := range r.Definitions() {
				got = append(got, d.Name)
				if found, err := r.Lookup(d.Name); err != nil || found.ID != d.ID {
					t.Errorf("Lookup(%q): %s, %v; want %s", d.Name, found.ID, err, d.ID)
				}
			}
			if !slices.Equal(got, strings.Fields(tt.want)) {
				t.Errorf("got %q, want %s", got, tt.want)
			}
		})
	}
}

// published is a tool of another program's MCP server.
type published struct{ tool.Tool }

func (p published) Definition() shared.Definition {
	return shared.Definition{Spec: p.Spec(), MCP: new(shared.MCP)}
}

func TestNewRejects(t *testing.T) {
	long := strings.Repeat("n", 60)
	selecting := func(words ...string) toolset.Options { return toolset.Options{Select: words} }
	policy := func(p tool.Policy) toolset.Options { return toolset.Options{Policy: p} }
	words := func(words ...string) []string { return words }
	tests := []struct {
		name    string
		tools   []tool.Tool
		options toolset.Options
		message string
	}{
		{"a tool twice", fakes("a/x", "b/y", "a/x"), selecting(), `"a/x"`},
		{"the same set_name", fakes("a_b/c", "a/b_c"), selecting(), `"a_b_c"`},
		{"a name that is the set_name of another", fakes("a/x", "b/x", "c/a_x"), selecting(), `"a_x"`},
		{"no set", fakes("/x"), selecting(), `"/x"`},
		{"no slash", []tool.Tool{fake{spec: tool.Spec{ID: "x", Name: "x"}}}, selecting(), `"x"`},
		{"no name", fakes("a/"), selecting(), `"a/"`},
		{"no id", []tool.Tool{fake{}}, selecting(), `""`},
		{"two slashes", fakes("a/b/c"), selecting(), `"a/b/c"`},
		{"another name", []tool.Tool{fake{spec: tool.Spec{ID: "a/x", Name: "y"}}}, selecting(), `"a/x"`},
		{"a space", fakes("a/x y"), selecting(), `"a/x y"`},
		{"a letter that is not ASCII", fakes("ä/x"), selecting(), `"ä/x"`},
		{"65 characters", fakes("abcd/" + long), selecting(), long},
		{"a schema that is no object", []tool.Tool{
			fake{spec: tool.Spec{ID: "a/x", Name: "x", Input: []byte(`{"type":"string"}`)}},
		}, selecting(), "type \"object\""},
		{
			"an unknown word", fakes("a/x"), selecting("a/x", "z"),
			`"z"; the tools are: a/x; a selector can also be a set`,
		},
		{"an empty word", fakes("a/x"), selecting(""), `""`},
		{"an ambiguous word", fakes("a/x", "b/x"), selecting("x"), `say which: a/x, b/x`},
		{
			"an unknown word to allow", fakes("a/x"), policy(tool.Policy{Allow: words("X")}),
			`policy allow: unknown tool "X"`,
		},
		{
			"an unknown word to deny", fakes("a/x"), policy(tool.Policy{Deny: words("a/")}),
			`policy deny: unknown tool "a/"`,
		},
		{
			"an ambiguous word to prompt", fakes("a/x", "b/x"),
			policy(tool.Policy{Prompt: words("x")}), `policy prompt: `,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r, err := toolset.New(nil, with(tt.options, tt.tools...))
			if err == nil || r != nil || !strings.Contains(err.Error(), tt.message) {
				t.Fatalf("got %v, %v; want %s in the error", r, err, tt.message)
			}
			if strings.Contains(tt.name, "word") && !errors.Is(err, tool.ErrUnknownTool) {
				t.Errorf("%v does not match ErrUnknownTool", err)
			}
		})
	}
	open(t, toolset.Options{}, fakes("abc/"+long)...) // 64 characters
}

func TestLookup(t *testing.T) {
	r := open(t, toolset.Options{Select: []string{"a/x", "b/x", "b/y"}},
		fakes("a/x", "b/x", "b/y", "c/z")...)
	tests := []struct{ word, id, message string }{
		{"a/x", "a/x", ""},
		{"b_x", "b/x", ""},
		{"b_y", "b/y", ""},
		{"y", "b/y", ""},
		{"x", "", `"x" is the name of several; say which: a/x, b/x`},
		{"z", "", `"z"; the tools are: a/x, b/x, b/y`},
		{"c/z", "", `"c/z"`},
		{"a", "", `"a"`},
		{"all", "", `"all"`},
		{"", "", `""`},
		{"A/X", "", `"A/X"`},
		{"a/x ", "", `"a/x "`},
	}
	for _, tt := range tests {
		found, err := r.Lookup(tt.word)
		if (err == nil) != (tt.message == "") || err == nil && found.ID != tt.id {
			t.Errorf("%q: got %v, %v; want %q", tt.word, found, err, tt.id)
		}
		if err == nil {
			continue
		}
		if !errors.Is(err, tool.ErrUnknownTool) || !strings.Contains(err.Error(), tt.message) {
			t.Errorf("%q: got %v, want ErrUnknownTool with %s", tt.word, err, tt.message)
		}
		e := failure(t, r, t.Context(), tt.word, tool.Call{})
		if e.Kind != tool.BadArguments || !errors.Is(e, tool.ErrUnknownTool) || e.Message != err.Error() {
			t.Errorf("calling %q: got %s, %v; want the error of Lookup", tt.word, e.Kind, e)
		}
	}
}
