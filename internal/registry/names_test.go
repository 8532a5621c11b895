package registry_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"gander/internal/registry"
	"gander/tool"
)

func TestDefinitions(t *testing.T) {
	tests := []struct {
		name        string
		ids, choice []string
		want        []string
	}{
		{"none", nil, nil, []string{}},
		{"unique names", []string{"a/x", "b/y"}, nil, []string{"x", "y"}},
		{"a shared name", []string{"a/x", "b/y", "c/x"}, nil, []string{"a_x", "y", "c_x"}},
		{"shared, but not among those chosen", []string{"a/x", "b/y", "c/x"}, []string{"c", "y"}, []string{"y", "x"}},
		{"all by that word", []string{"a/x", "c/x"}, []string{"all"}, []string{"a_x", "c_x"}},
		{"by id, once", []string{"a/x", "a/y", "c/x"}, []string{"c/x", "c", "c_x"}, []string{"x"}},
		{"a dialect", []string{"a/x", "b/y", "a/z"}, []string{"a"}, []string{"x", "z"}},
		{"a dialect goes before a name", []string{"a/x", "b/a"}, []string{"a"}, []string{"x"}},
		{"in the order given, not asked for", []string{"a/x", "b/y"}, []string{"y", "x"}, []string{"x", "y"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := open(t, registry.Options{Select: tt.choice}, fakes(tt.ids...)...)
			got := []string{}
			for _, d := range r.Specs() {
				got = append(got, d.Name)
				if s, err := r.Lookup(d.Name); err != nil || s.Spec().ID != d.ID {
					t.Errorf("the tool shown as %s is %s, but is found as %v, %v", d.Name, d.ID, s, err)
				}
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestNewRegistryRefuses(t *testing.T) {
	long := strings.Repeat("n", 60)
	tests := []struct {
		name    string
		tools   []tool.Tool
		options registry.Options
		message string
	}{
		{"a tool twice", fakes("a/x", "b/y", "a/x"), registry.Options{}, `"a/x"`},
		{"two tools that the dialect does not tell apart", fakes("a_b/c", "a/b_c"), registry.Options{}, `"a_b_c"`},
		{"a name that is another's with its dialect", fakes("a/x", "b/x", "c/a_x"), registry.Options{}, `"a_x"`},
		{"no dialect", fakes("/x"), registry.Options{}, `"/x"`},
		{"no slash", []tool.Tool{fake{id: "x", name: "x"}}, registry.Options{}, `"x"`},
		{"no name", fakes("a/"), registry.Options{}, `"a/"`},
		{"nothing", []tool.Tool{fake{}}, registry.Options{}, `""`},
		{"two slashes", fakes("a/b/c"), registry.Options{}, `"a/b/c"`},
		{"another name", []tool.Tool{fake{id: "a/x", name: "y"}}, registry.Options{}, `"a/x"`},
		{"a space", fakes("a/x y"), registry.Options{}, `"a/x y"`},
		{"a letter that is not ASCII", fakes("ä/x"), registry.Options{}, `"ä/x"`},
		{"65 characters with the dialect", fakes("abcd/" + long), registry.Options{}, long},
		{"an unknown choice", fakes("a/x"), registry.Options{Select: []string{"a/x", "z"}}, `"z"; the tools are: a/x; sets of tools: a; or "all"`},
		{"an empty choice", fakes("a/x"), registry.Options{Select: []string{""}}, `""`},
		{"an ambiguous choice", fakes("a/x", "b/x"), registry.Options{Select: []string{"x"}}, `say which: a/x, b/x`},
		{"an unknown word to allow", fakes("a/x"), registry.Options{Policy: tool.Policy{Allow: []string{"X"}}}, `policy allow: unknown tool "X"`},
		{"an unknown word to deny", fakes("a/x"), registry.Options{Policy: tool.Policy{Deny: []string{"a/"}}}, `policy deny: unknown tool "a/"`},
		{"an ambiguous word to prompt", fakes("a/x", "b/x"), registry.Options{Policy: tool.Policy{Prompt: []string{"x"}}}, `policy prompt: `},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r, err := registry.New(tt.options, tt.tools...)
			if err == nil || r != nil || !strings.Contains(err.Error(), tt.message) {
				t.Fatalf("got %v, %v; want %s in the error", r, err, tt.message)
			}
			if words := len(tt.options.Select) + len(tt.options.Policy.Allow) + len(tt.options.Policy.Deny) + len(tt.options.Policy.Prompt); words > 0 && !errors.Is(err, tool.ErrUnknownTool) {
				t.Errorf("%v does not match ErrUnknownTool", err)
			}
		})
	}
	if _, err := registry.New(registry.Options{}, fakes("abc/"+long)...); err != nil {
		t.Errorf("64 characters with the dialect: %v", err)
	}
}

func TestLookup(t *testing.T) {
	r := open(t, registry.Options{Select: []string{"a/x", "b/x", "b/y"}}, fakes("a/x", "b/x", "b/y", "c/z")...)
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
		if (err == nil) != (tt.message == "") || err == nil && found.Spec().ID != tt.id {
			t.Errorf("%q: got %v, %v; want %q", tt.word, found, err, tt.id)
		}
		if err != nil && (!errors.Is(err, tool.ErrUnknownTool) || !strings.Contains(err.Error(), tt.message)) {
			t.Errorf("%q: got %v, want ErrUnknownTool with %s", tt.word, err, tt.message)
		}
		if err == nil {
			continue
		}
		if e := failure(t, r, t.Context(), tt.word, tool.Call{}); e.Kind != tool.BadArguments || !errors.Is(e, tool.ErrUnknownTool) || e.Message != err.Error() {
			t.Errorf("calling %q: got %s, %v; want bad arguments, as Lookup says it", tt.word, e.Kind, e)
		}
	}
}
