package toolset

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"gander/internal/jsonobject"
	"gander/internal/option"
	"gander/tool"
)

// setOf returns the name of the set of s, the part of its ID before the slash.
func setOf(s tool.Spec) string {
	set, _, _ := strings.Cut(s.ID, "/")
	return set
}

// qualified returns "set_name", which is unique.
func qualified(s tool.Spec) string { return setOf(s) + "_" + s.Name }

// checkSchema returns an error if the input schema of a tool is not one of an object.
func checkSchema(s tool.Spec) error {
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

// validName matches the names that providers of models accept.
var validName = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`)

// checkNames returns an error if the ID of a tool is invalid, or if the names of two conflict.
func checkNames(all []*entry) error {
	for i, e := range all {
		s, set, name := e.def.Spec, setOf(e.def.Spec), qualified(e.def.Spec)
		isNamed := set != "" && s.Name != "" && s.ID == set+"/"+s.Name
		if !isNamed || !validName.MatchString(name) {
			return fmt.Errorf("tool %q: the id must be set/name, and set_name must match %v", s.ID, validName)
		}
		for _, other := range all[:i] {
			taken := ""
			switch otherName := qualified(other.def.Spec); {
			case otherName == name, otherName == s.Name && otherName != other.def.Name:
				taken = otherName
			case other.def.Name == name:
				taken = name
			default:
				continue
			}
			return fmt.Errorf("tools %q and %q would both be called %q; "+
				"give each tool once, and rename one of two", other.def.ID, s.ID, taken)
		}
	}
	return nil
}

// find returns the tool with the given ID, unambiguous published name or "set_name".
func find(tools []*entry, name string) (*entry, error) {
	var named, yielding []*entry
	for _, e := range tools {
		switch {
		case name == e.def.ID || name == qualified(e.def.Spec):
			return e, nil
		case name != e.def.Name:
		case e.isSecondary:
			yielding = append(yielding, e)
		default:
			named = append(named, e)
		}
	}
	if len(named) == 0 {
		named = yielding
	}
	switch len(named) {
	case 1:
		return named[0], nil
	case 0:
		return nil, UnknownTool(name, ids(tools))
	default:
		return nil, fmt.Errorf("%w: %q is the name of several; say which: %s",
			tool.ErrUnknownTool, name, enumerate(ids(named)))
	}
}

// UnknownTool returns the error about a name that none of the tools has. It is short: it contains
// at most 100 characters of the name, and the first tools if there are many.
func UnknownTool(name string, tools []string) error {
	if len(tools) == 0 {
		return fmt.Errorf("%w %.100q; there are no tools", tool.ErrUnknownTool, name)
	}
	return fmt.Errorf("%w %.100q; the tools are: %s", tool.ErrUnknownTool, name, enumerate(tools))
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
		ids = append(ids, e.def.ID)
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
			if word == "all" || word == setOf(e.def.Spec) {
				chosen[e.def.ID], found = true, true
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
		chosen[e.def.ID] = true
	}
	return chosen, nil
}

// policy returns middleware that applies p.
func policy(all []*entry, p tool.Policy) (tool.Middleware, error) {
	var failures []error
	list := func(field string, words []string) map[string]bool {
		chosen, err := choose(all, "Policy."+field, words)
		if err != nil {
			failures = append(failures, fmt.Errorf("policy %s: %w", strings.ToLower(field), err))
		}
		return chosen
	}
	allow, deny, prompt := list("Allow", p.Allow), list("Deny", p.Deny), list("Prompt", p.Prompt)
	refuse := func(message string, cause error) (tool.Result, error) {
		return tool.Result{}, &tool.Error{Kind: tool.Denied, Message: message, Err: cause}
	}
	return func(s tool.Spec, next tool.Handler) tool.Handler {
		listed := allow[s.ID] || prompt[s.ID] || len(p.Allow) == 0
		refused := deny[s.ID] || !listed
		prompted := prompt[s.ID] || s.RequiresApproval
		return func(ctx context.Context, c tool.Call) (tool.Result, error) {
			switch {
			case refused:
				return refuse("the policy does not allow "+s.ID, tool.ErrPolicy)
			case prompted && p.Approve == nil:
				return refuse("the policy requires approval of "+s.ID+", and there is nobody to ask", tool.ErrPolicy)
			case prompted:
				err := p.Approve(ctx, s, c)
				if ended := ctx.Err(); ended != nil {
					return tool.Result{}, asError(ended)
				}
				if err != nil {
					return refuse(fmt.Sprintf("%s was not approved: %v", s.ID, err),
						errors.Join(tool.ErrPolicy, err))
				}
			}
			return next(ctx, c)
		}
	}, errors.Join(failures...)
}
