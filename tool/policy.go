package tool

import (
	"context"
	"errors"
	"fmt"
)

// A Policy says which calls may be made. Each list holds words that name tools: an id ("codex/read_file"), a published name
// that only one tool has, a dialect ("codex"), or [All]. A word that names no tool is an error.
//
// A tool in Deny is always refused. Otherwise a tool in Prompt, or one whose [Spec] requires approval, is put to the
// [Approver]. If Allow is not empty, a tool in no list is refused. The zero Policy allows everything.
type Policy struct {
	// Allow holds the tools that may be called. Empty allows all.
	Allow []string
	// Deny holds the tools that may not be called.
	Deny []string
	// Prompt holds the tools whose calls the approver decides on.
	Prompt []string
}

// An Approver decides on a call that the policy wants approved. It returns nil to allow the call, and otherwise an error that
// says why not. It may take as long as a person needs, and must return soon after ctx ends.
type Approver func(ctx context.Context, s Spec, c Call) error

type verdict uint8

const (
	allowed verdict = iota
	prompted
	refused
)

// judge returns the verdict on each tool.
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
