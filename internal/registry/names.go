package registry

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"gander/internal/jsonobject"
	"gander/internal/option"
	"gander/tool"
)

// All is the selector of all tools.
const All = "all"

// setOf returns the name of the set of s, the part of its ID before the slash.
func setOf(s tool.Spec) string {
	set, _, _ := strings.Cut(s.ID, "/")
	return set
}

// qualified returns "set_name", which is unique.
func qualified(s tool.Spec) string { return setOf(s) + "_" + s.Name }

// check returns an error if an ID or a schema is invalid, or if two tools have conflicting names.
// Names must be valid for model providers, and input schemas must have type "object".
func check(tools []*entry) error {
	valid := regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`)
	owners := make(map[string]string)
	for _, e := range tools {
		s, set := e.spec, setOf(e.spec)
		name := qualified(s)
		if !isObjectSchema(s.Input) {
			return fmt.Errorf("tool %q: Input must be a JSON schema of type \"object\"", s.ID)
		}
		if s.ID != set+"/"+s.Name || set == "" || s.Name == "" || !valid.MatchString(name) {
			return fmt.Errorf("tool %q: the id must be set/name, and set_name must match %v", s.ID, valid)
		}
		if other, taken := owners[name]; taken {
			return fmt.Errorf("tools %q and %q would both be called %q; "+
				"give each tool once, and rename one of two", other, s.ID, name)
		}
		owners[name] = s.ID
	}
	for _, e := range tools {
		if other, taken := owners[e.spec.Name]; taken {
			return fmt.Errorf("tools %q and %q would both be called %q; rename one",
				other, e.spec.ID, e.spec.Name)
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

// find returns the tool with the given ID, unambiguous published name or "set_name". Visible tools
// take precedence.
func find(tools []*entry, name string) (*entry, error) {
	var named []*entry
	for _, e := range tools {
		switch name {
		case e.spec.ID, qualified(e.spec):
			return e, nil
		case e.spec.Name:
			named = append(named, e)
		}
	}
	named = unless(named, func(e *entry) bool { return !e.visible })
	named = unless(named, func(e *entry) bool { return e.yields })
	switch len(named) {
	case 1:
		return named[0], nil
	case 0:
		return nil, fmt.Errorf("%w %.100q; the tools are: %s", tool.ErrUnknownTool, name, ids(tools))
	default:
		return nil, fmt.Errorf("%w: %q is the name of several; say which: %s",
			tool.ErrUnknownTool, name, ids(named))
	}
}

// unless returns the tools for which avoid returns false. If it returns true for all, unless
// returns tools unchanged.
func unless(tools []*entry, avoid func(*entry) bool) []*entry {
	others := slices.DeleteFunc(slices.Clone(tools), avoid)
	if len(others) == 0 {
		return tools
	}
	return others
}

func ids(tools []*entry) string {
	var ids []string
	for _, e := range tools {
		ids = append(ids, e.spec.ID)
	}
	return strings.Join(ids, ", ")
}

// namedOrAll is like named, but returns all tools if words is empty.
func namedOrAll(tools []*entry, words []string) (map[*entry]bool, error) {
	if len(words) == 0 {
		words = []string{All}
	}
	return named(tools, "Tools", words)
}

// named returns the tools that match any of the selectors in words. A selector is an ID, an
// unambiguous name, a set or [All]. An error is an [option.Error] about the option with the words.
func named(tools []*entry, field string, words []string) (map[*entry]bool, error) {
	chosen := make(map[*entry]bool)
	for _, word := range words {
		found := word == All
		var sets []string
		for _, e := range tools {
			set := setOf(e.spec)
			if word == All || word == set {
				chosen[e], found = true, true
			}
			if !slices.Contains(sets, set) {
				sets = append(sets, set)
			}
		}
		if found {
			continue
		}
		e, err := find(tools, word)
		if err != nil {
			err = fmt.Errorf("%w; sets of tools: %s; or %q", err, strings.Join(sets, ", "), All)
			return nil, &option.Error{Option: field, Value: word, Err: err}
		}
		chosen[e] = true
	}
	return chosen, nil
}
