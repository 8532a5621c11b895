package toolset

import (
	"fmt"
	"regexp"
	"strings"

	"gander/internal/files/text"
	"gander/internal/jsonobject"
	"gander/internal/option"
	"gander/internal/tools/definition"
	"gander/tool"
)

// An entry is a tool to select from.
type entry struct {
	id        string // "set/name"
	set, name string
	yields    bool                  // tools that do not yield have priority for the name
	tool      tool.Tool             // nil until the set builds it, which needs it to be selected
	def       definition.Definition // of tool
	handler   tool.Handler          // calls tool, guarded
}

// qualified returns "set_name", which is unique.
func (e *entry) qualified() string { return e.set + "_" + e.name }

// validName matches the names that providers of models accept.
var validName = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`)

// checkSpec returns an error if the ID of a tool or its input schema is invalid. set is what the ID
// has before the slash.
func checkSpec(set string, s tool.Spec) error {
	isNamed := set != "" && s.Name != "" && s.ID == set+"/"+s.Name
	if !isNamed || !validName.MatchString(set+"_"+s.Name) {
		return fmt.Errorf("tool %q: the id must be set/name, and set_name must match %v", s.ID, validName)
	}
	var kind string
	if schema, err := jsonobject.Parse(s.Input); err == nil {
		v, _ := schema.Get("type")
		kind, _ = v.Text()
	}
	if kind != "object" {
		return fmt.Errorf("tool %q: Input must be a JSON schema of type \"object\"", s.ID)
	}
	return nil
}

// checkNames returns an error if the names of two tools conflict.
func checkNames(all []*entry) error {
	for i, e := range all {
		for _, other := range all[:i] {
			if name := sharedName(other, e); name != "" {
				return fmt.Errorf("tools %q and %q would both be called %q; "+
					"give each tool once, and rename one of two", other.id, e.id, name)
			}
		}
	}
	return nil
}

// sharedName returns a name that should be unique, but that two tools have, or "".
func sharedName(a, b *entry) string {
	switch {
	case a.qualified() == b.qualified() || a.qualified() == b.name:
		return a.qualified()
	case b.qualified() == a.name:
		return b.qualified()
	default:
		return ""
	}
}

// find returns the tool with the given ID, unambiguous published name or "set_name". A name is also
// unambiguous if all but one of the tools with it yield.
func find(tools []*entry, name string) (*entry, error) {
	var named, yielding []*entry
	for _, e := range tools {
		switch {
		case name == e.id || name == e.qualified():
			return e, nil
		case name == e.name && e.yields:
			yielding = append(yielding, e)
		case name == e.name:
			named = append(named, e)
		}
	}
	all := append(named, yielding...)
	switch {
	case len(all) == 0:
		return nil, UnknownTool(name, ids(tools))
	case len(named) == 1, len(all) == 1:
		return all[0], nil
	default:
		return nil, fmt.Errorf("%w: %q is the name of several; say which: %s",
			tool.ErrUnknownTool, name, enumerate(ids(all)))
	}
}

// UnknownTool returns the error about a name that none of the tools has. It is short: it contains
// at most 100 characters of the name, and the first tools if there are many.
func UnknownTool(name string, tools []string) error {
	shown := text.Escape(fmt.Sprintf("%.100q", name))
	if len(tools) == 0 {
		return fmt.Errorf("%w %s; there are no tools", tool.ErrUnknownTool, shown)
	}
	return fmt.Errorf("%w %s; the tools are: %s", tool.ErrUnknownTool, shown, enumerate(tools))
}

// enumerate returns a list of words. It leaves out all after the first 50.
func enumerate(words []string) string {
	const most = 50
	if more := len(words) - most; more > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(words[:most], ", "), more)
	}
	return strings.Join(words, ", ")
}

func ids(tools []*entry) []string {
	var ids []string
	for _, e := range tools {
		ids = append(ids, e.id)
	}
	return ids
}

// choose returns the IDs of the tools that match any of the selectors in words. A selector is an
// ID, an unambiguous name, a set or "all". An error is an [option.Error] about field.
func choose(all []*entry, field string, words []string) (map[string]bool, error) {
	chosen := make(map[string]bool)
	for _, word := range words {
		found := word == "all"
		for _, e := range all {
			if word == "all" || word == e.set {
				chosen[e.id], found = true, true
			}
		}
		if found {
			continue
		}
		e, err := find(all, word)
		if err != nil {
			err = fmt.Errorf("%w; a selector can also be a set, the part of an id before the slash, "+
				"or \"all\"", err)
			return nil, &option.Error{Option: field, Value: word, Err: err}
		}
		chosen[e.id] = true
	}
	return chosen, nil
}
