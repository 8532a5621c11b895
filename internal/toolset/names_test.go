package toolset_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"gander/internal/files/workspace"
	"gander/internal/testkit/tooltest"
	"gander/internal/tools/definition"
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
			o := toolset.Options{Select: strings.Fields(tt.choice)}
			for _, id := range strings.Fields(tt.ids) {
				o.Sets = append(o.Sets, setOf(newFake(id, nil)))
			}
			r := open(t, o)
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

// setOf returns a set with one tool. The tools of the set "mcp" yield.
func setOf(only tooltest.Fake) definition.Set {
	name, _, _ := strings.Cut(only.Described.ID, "/")
	return definition.NewSet(definition.SetDefinition{
		Name: name, Tools: []string{only.Described.Name}, Yields: name == "mcp",
		Build: func(*workspace.Workspace) []tool.Tool { return []tool.Tool{only} },
	})
}

func TestNewRejects(t *testing.T) {
	none, long := toolset.Options{}, strings.Repeat("n", 60)
	selecting := func(words ...string) toolset.Options { return toolset.Options{Select: words} }
	for _, tt := range []struct {
		ids     string
		options toolset.Options
		message string
	}{
		{"a/x,b/y,a/x", none, `"a/x"`},
		{"a_b/c,a/b_c", none, `"a_b_c"`},
		{"a/x,b/x,c/a_x", none, `"a_x"`},
		{"c/a_x,b/x,a/x", none, `"a_x"`},
		{"/x", none, `"/x"`},
		{"x", none, `"x"`},
		{"a/", none, `"a/"`},
		{"", none, `""`},
		{"a/b/c", none, `"a/b/c"`},
		{"a/x y", none, `"a/x y"`},
		{"ä/x", none, `"ä/x"`},
		{"abcd/" + long, none, long}, // 65 characters
		{"a/x", selecting("a/x", "z"), `unknown tool "z"; the tools are: a/x; a selector can`},
		{"a/x", selecting(""), `unknown tool ""`},
		{"a/x,b/x", selecting("x"), `unknown tool: "x" is the name of several; say which: a/x, b/x`},
		{
			"a/x",
			toolset.Options{Policy: tool.Policy{Allow: []string{"X"}}},
			`policy allow: unknown tool "X"`,
		},
		{
			"a/x",
			toolset.Options{Policy: tool.Policy{Deny: []string{"a/"}}},
			`policy deny: unknown tool "a/"`,
		},
		{
			"a/x,b/x",
			toolset.Options{Policy: tool.Policy{Prompt: []string{"x"}}},
			`policy prompt: unknown tool: "x" is the name of several`,
		},
	} {
		ts, err := toolset.New(nil, with(tt.options, fakes(strings.Split(tt.ids, ",")...)...))
		if err == nil || ts != nil || !strings.Contains(err.Error(), tt.message) {
			t.Errorf("%s: got %v, %v; want %s in the error", tt.ids, ts, err, tt.message)
		}
		unknown := strings.Contains(tt.message, "unknown")
		if errors.Is(err, tool.ErrUnknownTool) != unknown {
			t.Errorf("%v matches ErrUnknownTool: %v", err, !unknown)
		}
	}
	for _, spec := range []tool.Spec{
		{ID: "a/x", Name: "y"}, {ID: "a/x", Name: "x", Input: []byte(`{"type":"string"}`)},
	} {
		if _, err := toolset.New(nil, with(none, tooltest.Fake{Described: spec})); err == nil {
			t.Errorf("%+v was accepted", spec)
		}
	}
	open(t, none, fakes("abc/"+long)...) // 64 characters
}

func TestLookup(t *testing.T) {
	r := open(t, toolset.Options{
		Select: []string{"a/x", "b/x", "b/y"}, Policy: tool.Policy{Deny: []string{"c/z"}},
	}, fakes("a/x", "b/x", "b/y", "c/z")...)
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
			if _, err := r.Call(t.Context(), tt.word, tool.Call{}); err != nil {
				t.Errorf("calling %q: %v", tt.word, err)
			}
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
