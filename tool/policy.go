package tool

import (
	"context"
	"errors"
	"fmt"
)

// A Policy says which calls may be made. Each list holds words that name tools: an id ("codex/read_file"), an unambiguous
// published name, a dialect ("codex"), or [All]; a word that names none is an error. Deny wins over everything; a
// tool in Prompt, and one whose [Spec] requires approval, is put to the [Approver]; where Allow is not empty, a tool in
// no list is refused. The zero Policy allows everything.
type Policy struct {
	// Allow holds the tools that may be called, where not all may be.
	Allow []string
	// Deny holds those that may not be called.
	Deny []string
	// Prompt holds those whose calls the approver decides on.
	Prompt []string
}

// An Approver decides on a call that the policy wants confirmed. It returns nil to let it happen, and otherwise an error
// that says why not. It must heed ctx.
type Approver func(ctx context.Context, s Spec, c Call) error

type verdict uint8

const (
	allowed verdict = iota
	prompted
	refused
)

// judge turns the policy into a verdict for each tool, in the order of tools.
func (p Policy) judge(specs []Spec) ([]verdict, error) {
	marked := func(list string, words []string) ([]bool, error) {
		marks := make([]bool, len(specs))
		for _, word := range words {
			if err := mark(specs, word, marks); err != nil {
				return nil, fmt.Errorf("policy %s: %w", list, err)
			}
		}
		return marks, nil
	}
	allow, err1 := marked("allow", p.Allow)
	deny, err2 := marked("deny", p.Deny)
	prompt, err3 := marked("prompt", p.Prompt)
	if err := errors.Join(err1, err2, err3); err != nil {
		return nil, err
	}
	verdicts := make([]verdict, len(specs))
	for i, s := range specs {
		switch {
		case deny[i]:
			verdicts[i] = refused
		case prompt[i] || s.RequiresApproval:
			verdicts[i] = prompted
		case len(p.Allow) > 0 && !allow[i]:
			verdicts[i] = refused
		}
	}
	return verdicts, nil
}
