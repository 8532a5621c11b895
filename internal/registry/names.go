package registry

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"gander/internal/jsonobject"
	"gander/tool"
)

// All is the word that names every tool.
const All = "all"

// setOf returns the part of the id before the slash, which names a set of tools.
func setOf(s tool.Spec) string {
	set, _, _ := strings.Cut(s.ID, "/")
	return set
}

// qualified returns the name of a tool that is shown beside another of the same published name.
func qualified(s tool.Spec) string { return setOf(s) + "_" + s.Name }

// check returns an error if the name of a tool is not valid for providers of models, if two tools
// have the same name or "set_name", or if an input schema is not of type "object".
func check(tools []*entry) error {
	owners := make(map[string]string)
	for _, e := range tools {
		s := e.spec
		name := qualified(s)
		if !isObjectSchema(s.Input) {
			return fmt.Errorf("tool %q: Input must be a JSON schema of type \"object\"", s.ID)
		}
		if s.ID != setOf(s)+"/"+s.Name || !validName(setOf(s)) || !validName(s.Name) || !validName(name) {
			return fmt.Errorf("tool %q: the id must be set/name, and set_name must match ^[a-zA-Z0-9_-]{1,64}$", s.ID)
		}
		if other, taken := owners[name]; taken {
			return fmt.Errorf("tools %q and %q would both be called %q; give each tool once, and rename one of two", other, s.ID, name)
		}
		owners[name] = s.ID
	}
	for _, e := range tools {
		if other, taken := owners[e.spec.Name]; taken {
			return fmt.Errorf("tools %q and %q would both be called %q; rename one", other, e.spec.ID, e.spec.Name)
		}
	}
	return nil
}

func isObjectSchema(schema json.RawMessage) bool {
	o, err := jsonobject.Parse(schema)
	if err != nil {
		return false
	}
	kind, _ := o.Get("type")
	name, _ := kind.Text()
	return name == "object"
}

func validName(s string) bool {
	for i := range len(s) {
		c := s[i]
		if !('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_' || c == '-') {
			return false
		}
	}
	return 0 < len(s) && len(s) <= 64
}

// define returns the specs of the tools with the names by which the tools are shown together: the
// published name if no other tool has it, otherwise "set_name". A tool that yields does so alone:
// the others are named as if it were missing.
func define(tools []*entry) []tool.Spec {
	all, own := make(map[string]int), make(map[string]int)
	for _, e := range tools {
		if all[e.spec.Name]++; !e.yields {
			own[e.spec.Name]++
		}
	}
	specs := make([]tool.Spec, len(tools))
	for i, e := range tools {
		specs[i] = e.spec
		if own[e.spec.Name] > 1 || e.yields && all[e.spec.Name] > 1 {
			specs[i].Name = qualified(e.spec)
		}
	}
	return specs
}

// find returns the tool called name: an id, a published name that only one tool has, or "set_name".
// If visibleFirst is set, a visible tool precedes those that are not.
func find(tools []*entry, visibleFirst bool, name string) (*entry, error) {
	var named []*entry
	for _, e := range tools {
		switch name {
		case e.spec.ID, qualified(e.spec):
			return e, nil
		case e.spec.Name:
			named = append(named, e)
		}
	}
	for _, yields := range []func(*entry) bool{
		func(e *entry) bool { return visibleFirst && !e.visible },
		func(e *entry) bool { return e.yields },
	} {
		if others := slices.DeleteFunc(slices.Clone(named), yields); len(others) > 0 {
			named = others
		}
	}
	switch len(named) {
	case 1:
		return named[0], nil
	case 0:
		return nil, fmt.Errorf("%w %.100q; the tools are: %s", tool.ErrUnknownTool, name, ids(tools))
	default:
		return nil, fmt.Errorf("%w: %q is the name of several; say which: %s", tool.ErrUnknownTool, name, ids(named))
	}
}

func ids(tools []*entry) string {
	var ids []string
	for _, e := range tools {
		ids = append(ids, e.spec.ID)
	}
	return strings.Join(ids, ", ")
}

// choose reports for each tool whether the words name it. No words name all.
func choose(tools []*entry, words []string) ([]bool, error) {
	if len(words) == 0 {
		words = []string{All}
	}
	chosen := make([]bool, len(tools))
	for _, word := range words {
		if err := mark(tools, word, chosen); err != nil {
			return nil, err
		}
	}
	return chosen, nil
}

// mark sets chosen for every tool that word names: an id, an unambiguous published name, a set, or
// [All].
func mark(tools []*entry, word string, chosen []bool) error {
	found := word == All
	var sets []string
	for i, e := range tools {
		set := setOf(e.spec)
		if word == All || word == set {
			chosen[i], found = true, true
		}
		if !slices.Contains(sets, set) {
			sets = append(sets, set)
		}
	}
	if found {
		return nil
	}
	e, err := find(tools, false, word)
	if err != nil {
		return fmt.Errorf("%w; sets of tools: %s; or %q", err, strings.Join(sets, ", "), All)
	}
	chosen[slices.Index(tools, e)] = true
	return nil
}
