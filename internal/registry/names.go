package registry

import (
	"encoding/json"
	"fmt"
	"regexp"
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

// qualified returns the name of a tool if another visible tool has the same published name.
func qualified(s tool.Spec) string { return setOf(s) + "_" + s.Name }

// check returns an error if the name of a tool is not valid for providers of models, if two tools
// have the same name or "set_name", or if an input schema is not of type "object".
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

// find returns the tool called name: an id, a published name that only one tool has, or "set_name".
// A visible tool precedes the others.
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

// unless returns the tools for which avoid is false, or all tools if it is true for all.
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

// namedOrAll returns the tools that the words name, or all tools if there are no words.
func namedOrAll(tools []*entry, words []string) (map[*entry]bool, error) {
	if len(words) == 0 {
		words = []string{All}
	}
	return named(tools, words)
}

// named returns the tools that the words name: an id, an unambiguous published name, a set, or
// [All].
func named(tools []*entry, words []string) (map[*entry]bool, error) {
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
			return nil, fmt.Errorf("%w; sets of tools: %s; or %q", err, strings.Join(sets, ", "), All)
		}
		chosen[e] = true
	}
	return chosen, nil
}
