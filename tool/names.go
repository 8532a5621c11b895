package tool

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"gander/internal/jsonobject"
)

// All is the word that names every tool.
const All = "all"

// Dialect returns the part of the id before the slash: the family of tools that this one belongs to.
func (s Spec) Dialect() string {
	dialect, _, _ := strings.Cut(s.ID, "/")
	return dialect
}

// qualified returns the name under which a tool is shown beside another of the same published name.
func (s Spec) qualified() string { return s.Dialect() + "_" + s.Name }

// check returns an error if providers would not accept the name of a tool, if two tools would have the same
// "<dialect>_<name>", or if the schema of a tool's arguments is not of type "object".
func check(specs []Spec) error {
	owners := make(map[string]string)
	for _, s := range specs {
		name := s.qualified()
		if !isObjectSchema(s.Input) {
			return fmt.Errorf("tool %q: Input must be a JSON schema of type \"object\"", s.ID)
		}
		if s.ID != s.Dialect()+"/"+s.Name || !validName(s.Dialect()) || !validName(s.Name) || !validName(name) {
			return fmt.Errorf("tool %q: the id must be dialect/name, and dialect_name must match ^[a-zA-Z0-9_-]{1,64}$", s.ID)
		}
		if s.Resource != "" && s.PathArgument == "" {
			return fmt.Errorf("tool %q: Resource needs a PathArgument", s.ID)
		}
		if other, taken := owners[name]; taken {
			return fmt.Errorf("tools %q and %q would both be called %q; give each tool once, and rename one of two", other, s.ID, name)
		}
		owners[name] = s.ID
	}
	for _, s := range specs {
		if other, taken := owners[s.Name]; taken {
			return fmt.Errorf("tools %q and %q would both be called %q; rename one", other, s.ID, s.Name)
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

// A Definition is a tool under the name by which a frontend shows it.
type Definition struct {
	// Name is the published name if no other tool shown has it, otherwise "<dialect>_<name>". A tool of another program's server
	// (see [Server]) gives way: the others have their names as if it were not there. It matches
	// ^[a-zA-Z0-9_-]{1,64}$, the strictest of the providers' rules.
	Name string
	Spec
}

// define returns the tools under the names by which they are shown together, in the order given.
func define(specs []Spec) []Definition {
	all, own := make(map[string]int), make(map[string]int)
	for _, s := range specs {
		if all[s.Name]++; s.Server == nil {
			own[s.Name]++
		}
	}
	defs := make([]Definition, len(specs))
	for i, s := range specs {
		defs[i] = Definition{Name: s.Name, Spec: s}
		if own[s.Name] > 1 || s.Server != nil && all[s.Name] > 1 {
			defs[i].Name = s.qualified()
		}
	}
	return defs
}

// find returns the index of the tool called name: an id, a published name that only one tool has (see [Definition]), or
// "<dialect>_<name>". A tool that is shown comes before those that are not; nil shows all.
func find(specs []Spec, shown []bool, name string) (int, error) {
	var named []int
	for i, s := range specs {
		switch name {
		case s.ID, s.qualified():
			return i, nil
		case s.Name:
			named = append(named, i)
		}
	}
	for _, givesWay := range []func(i int) bool{
		func(i int) bool { return shown != nil && !shown[i] },
		func(i int) bool { return specs[i].Server != nil },
	} {
		if others := slices.DeleteFunc(slices.Clone(named), givesWay); len(others) > 0 {
			named = others
		}
	}
	ids := make([]string, 0, len(specs))
	switch len(named) {
	case 1:
		return named[0], nil
	case 0:
		for _, s := range specs {
			ids = append(ids, s.ID)
		}
		return 0, fmt.Errorf("%w %.100q; the tools are: %s", ErrUnknownTool, name, strings.Join(ids, ", "))
	default:
		for _, i := range named {
			ids = append(ids, specs[i].ID)
		}
		return 0, fmt.Errorf("%w: %q is the name of several; say which: %s", ErrUnknownTool, name, strings.Join(ids, ", "))
	}
}

// choose reports for each tool whether the words name it. No words name all.
func choose(specs []Spec, words []string) ([]bool, error) {
	if len(words) == 0 {
		words = []string{All}
	}
	chosen := make([]bool, len(specs))
	for _, word := range words {
		if err := mark(specs, word, chosen); err != nil {
			return nil, err
		}
	}
	return chosen, nil
}

// mark sets chosen for every tool that word names: an id, an unambiguous published name, a dialect, or [All].
func mark(specs []Spec, word string, chosen []bool) error {
	found := word == All
	for i, s := range specs {
		if word == All || word == s.Dialect() {
			chosen[i], found = true, true
		}
	}
	if found {
		return nil
	}
	i, err := find(specs, nil, word)
	if err == nil {
		chosen[i] = true
		return nil
	}
	return fmt.Errorf("%w; dialects: %s; or %q", err, strings.Join(dialects(specs), ", "), All)
}

func dialects(specs []Spec) []string {
	var names []string
	for _, s := range specs {
		if !slices.Contains(names, s.Dialect()) {
			names = append(names, s.Dialect())
		}
	}
	return names
}
