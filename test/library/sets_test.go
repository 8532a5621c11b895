package library

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"gander"
	"gander/codex"
	"gander/forge"
	"gander/internal/testkit"
	"gander/tool"
	"gander/toolkit"
)

// TestOnlyListedToolsCanBeCalled calls every tool that exists by its ID and both names, in toolsets
// with all selections of sets and of single tools. A call reaches a tool if and only if the toolset
// lists it, and the error about another name lists exactly the tools of the toolset.
func TestOnlyListedToolsCanBeCalled(t *testing.T) {
	root := t.TempDir()
	sets := testkit.Sets()
	everything := testkit.Open(t, gander.Options{Roots: []string{root}, Sets: sets}).Tools()
	selectors := []string{"all", "gander", "codex", "gemini", "forge", "toolkit", "filesystem", "shell"}
	for _, s := range everything {
		selectors = append(selectors, s.ID)
	}
	cases := []gander.Options{{}, {Sets: []gander.Set{{}}}}
	for _, selector := range selectors {
		cases = append(cases, gander.Options{Sets: sets, Tools: []string{selector}})
	}
	for i := range sets {
		cases = append(cases, gander.Options{Sets: sets[i : i+1]}, gander.Options{Sets: sets[i:]})
	}
	if len(everything) != 21 {
		t.Errorf("%d tools exist", len(everything))
	}
	for _, o := range cases {
		checkListed(t, root, o, everything)
	}
}

func checkListed(t *testing.T, root string, o gander.Options, everything []tool.Spec) {
	t.Helper()
	var called string
	o.Roots = []string{root}
	o.Middleware = []tool.Middleware{func(s tool.Spec, _ tool.Handler) tool.Handler {
		return func(context.Context, tool.Call) (tool.Result, error) {
			called = s.ID
			return tool.Result{}, nil
		}
	}}
	ts, err := gander.Open(o)
	testkit.Must(t, err)
	defer ts.Close()
	var listed []string
	for _, s := range ts.Tools() {
		listed = append(listed, s.ID)
		set, _, _ := strings.Cut(s.ID, "/")
		for _, selector := range o.Tools {
			if selector != "all" && selector != set && selector != s.ID {
				t.Errorf("Tools %q lists %s", o.Tools, s.ID)
			}
		}
		if len(o.Sets) == 0 && set != "gander" {
			t.Errorf("the default lists %s", s.ID)
		}
		_, err := ts.Call(t.Context(), s.Name, nil)
		if err != nil || called != s.ID {
			t.Errorf("Tools %q: %s calls %q, %v", o.Tools, s.Name, called, err)
		}
	}
	for _, s := range everything {
		set, name, _ := strings.Cut(s.ID, "/")
		for _, given := range []string{s.ID, name, set + "_" + name} {
			called = ""
			_, err := ts.Call(t.Context(), given, nil)
			isUnknown := errors.Is(err, tool.ErrUnknownTool)
			if isUnknown != (called == "") || called != "" && !slices.Contains(listed, called) {
				t.Errorf("Tools %q: %s calls %q, %v", o.Tools, given, called, err)
			}
			if given != name && isUnknown == slices.Contains(listed, s.ID) {
				t.Errorf("Tools %q: %s: %v", o.Tools, given, err)
			}
			want := "; the tools are: " + strings.Join(listed, ", ")
			if isUnknown && given != name && !strings.HasSuffix(err.Error(), want) {
				t.Errorf("Tools %q: %s: %v, want %q", o.Tools, given, err, want)
			}
		}
	}
}

// TestPolicyOfDefaultTools checks that no built-in tool goes round a policy about the listed ones.
func TestPolicyOfDefaultTools(t *testing.T) {
	ts, err := gander.Open(gander.Options{
		Roots: []string{t.TempDir()}, Policy: tool.Policy{Prompt: []string{"gander"}},
	})
	testkit.Must(t, err)
	defer ts.Close()
	_, err = ts.Call(t.Context(), "read_text_file", []byte(`{"path":"x"}`))
	if !errors.Is(err, tool.ErrUnknownTool) {
		t.Errorf("filesystem/read_text_file: %v", err)
	}
	_, err = ts.Call(t.Context(), "read_file", []byte(`{"path":"x"}`))
	if !errors.Is(err, tool.ErrPolicy) {
		t.Errorf("gander/read_file: %v", err)
	}
}

// TestInvalidSetOptions checks that Open reports the wrong options of a set, selected or not.
func TestInvalidSetOptions(t *testing.T) {
	for want, set := range invalidSets() {
		for _, selector := range []string{"all", "gander"} {
			ts, err := gander.Open(gander.Options{
				Roots: []string{t.TempDir()}, Sets: []gander.Set{set}, Tools: []string{selector},
			})
			if err == nil || ts != nil || !strings.HasPrefix(err.Error(), want) {
				t.Errorf("%s: %v, %v", want, ts, err)
			}
		}
	}
}

// invalidSets returns sets with one wrong option, by the beginning of the error.
func invalidSets() map[string]gander.Set {
	list := func(o codex.ListDirOptions) gander.Set { return codex.Tools(codex.Options{ListDir: o}) }
	read := func(o codex.ReadFileOptions) gander.Set { return codex.Tools(codex.Options{ReadFile: o}) }
	grep := func(o codex.GrepFilesOptions) gander.Set {
		return codex.Tools(codex.Options{GrepFiles: o})
	}
	return map[string]gander.Set{
		"codex.ListDir.Limit is -1; it must be at least 1": list(codex.ListDirOptions{Limit: -1}),
		"codex.ListDir.Limit is 25; it must be from 1 to 9, the value of codex.ListDir.MaxLimit": list(
			codex.ListDirOptions{MaxLimit: 9}),
		"codex.ListDir.MaxLimit is -1; it must be at least 1": list(
			codex.ListDirOptions{MaxLimit: -1}),
		"codex.ListDir.MaxDepth is -1; ":                  list(codex.ListDirOptions{MaxDepth: -1}),
		"codex.ReadFile.MaxLimit is -1; ":                 read(codex.ReadFileOptions{MaxLimit: -1}),
		"codex.ListDir.Depth is -2; ":                     list(codex.ListDirOptions{Depth: -2}),
		"codex.ReadFile.Limit is -1; ":                    read(codex.ReadFileOptions{Limit: -1}),
		"codex.ReadFile.MaxLevels is -1; ":                read(codex.ReadFileOptions{MaxLevels: new(-1)}),
		"codex.GrepFiles.MaxLimit is -1; ":                grep(codex.GrepFilesOptions{MaxLimit: -1}),
		"codex.GrepFiles.Limit is 3000; ":                 grep(codex.GrepFilesOptions{Limit: 3000}),
		"forge.MaxEntries is -1; ":                        forge.Tools(forge.Options{MaxEntries: -1}),
		"forge.MaxDepth is -1; ":                          forge.Tools(forge.Options{MaxDepth: -1}),
		"toolkit.DepthCap is 13; it must be from 0 to 12": toolkit.Tools(toolkit.Options{DepthCap: new(13)}),
		"toolkit.EntriesCap is 1001; ":                    toolkit.Tools(toolkit.Options{EntriesCap: 1001}),
		"toolkit.MaxDepth is 3; it must be from 0 to 0, the value of toolkit.DepthCap": toolkit.Tools(
			toolkit.Options{DepthCap: new(0)}),
		"toolkit.MaxEntries is 101; ": toolkit.Tools(
			toolkit.Options{MaxEntries: 101, EntriesCap: 100}),
		"toolkit.Exclude: the brackets ": toolkit.Tools(toolkit.Options{Exclude: []string{"*", "["}}),
	}
}
