package registry

import (
	"context"
	"errors"
	"fmt"

	"gander/tool"
)

// A verdict is the decision of a policy about the calls of a tool.
type verdict uint8

const (
	allowed verdict = iota
	prompted
	refused
)

// decide returns the verdict of the policy on each tool.
func decide(p tool.Policy, tools []*entry) ([]verdict, error) {
	marked := func(list string, words []string) ([]bool, error) {
		marks := make([]bool, len(tools))
		for _, word := range words {
			if err := mark(tools, word, marks); err != nil {
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
	verdicts := make([]verdict, len(tools))
	for i, e := range tools {
		switch {
		case deny[i]:
			verdicts[i] = refused
		case prompt[i] || e.spec.RequiresApproval:
			verdicts[i] = prompted
		case len(p.Allow) > 0 && !allow[i]:
			verdicts[i] = refused
		}
	}
	return verdicts, nil
}

// enforce returns the middleware that applies a verdict of the policy.
func enforce(p tool.Policy, v verdict) tool.Middleware {
	return func(s tool.Spec, next tool.Handler) tool.Handler {
		return func(ctx context.Context, c tool.Call) (tool.Result, error) {
			if err := permit(ctx, p, v, s, c); err != nil {
				return tool.Result{}, asError(err)
			}
			return next(ctx, c)
		}
	}
}

// permit returns an error unless the call is allowed or approved.
func permit(ctx context.Context, p tool.Policy, v verdict, s tool.Spec, c tool.Call) error {
	refuse := func(message string, cause error) error {
		return &tool.Error{Kind: tool.Denied, Message: message, Err: cause}
	}
	switch {
	case v == refused:
		return refuse(fmt.Sprintf("the policy does not allow %s", s.ID), tool.ErrPolicy)
	case v == prompted && p.Approve == nil:
		return refuse(fmt.Sprintf("the policy wants %s approved, and nobody is there to ask", s.ID), tool.ErrPolicy)
	case v == prompted:
		if err := p.Approve(ctx, s, c); err != nil && ctx.Err() == nil {
			return refuse(fmt.Sprintf("%s was not approved: %v", s.ID, err), errors.Join(tool.ErrPolicy, err))
		}
	}
	return ctx.Err()
}
