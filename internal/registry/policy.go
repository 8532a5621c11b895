package registry

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"gander/tool"
)

// A verdict is a policy's decision about a tool.
type verdict uint8

const (
	allowed verdict = iota
	prompted
	refused
)

// decide returns a function that determines the verdict of the policy on a tool.
func decide(p tool.Policy, tools []*entry) (func(*entry) verdict, error) {
	var failures []error
	list := func(field string, words []string) map[*entry]bool {
		chosen, err := named(tools, "Policy."+field, words)
		if err != nil {
			failures = append(failures, fmt.Errorf("policy %s: %w", strings.ToLower(field), err))
		}
		return chosen
	}
	allow, deny, prompt := list("Allow", p.Allow), list("Deny", p.Deny), list("Prompt", p.Prompt)
	verdictOf := func(e *entry) verdict {
		switch {
		case deny[e]:
			return refused
		case prompt[e] || e.spec.RequiresApproval:
			return prompted
		case len(p.Allow) > 0 && !allow[e]:
			return refused
		default:
			return allowed
		}
	}
	return verdictOf, errors.Join(failures...)
}

// enforce returns a handler that applies the verdict v before it calls next.
func enforce(p tool.Policy, v verdict, s tool.Spec, next tool.Handler) tool.Handler {
	refuse := func(message string, cause error) (tool.Result, error) {
		return tool.Result{}, &tool.Error{Kind: tool.Denied, Message: message, Err: cause}
	}
	return func(ctx context.Context, c tool.Call) (tool.Result, error) {
		switch {
		case v == refused:
			return refuse("the policy does not allow "+s.ID, tool.ErrPolicy)
		case v == prompted && p.Approve == nil:
			return refuse("the policy wants "+s.ID+" approved, and nobody is there to ask", tool.ErrPolicy)
		case v == prompted:
			if err := p.Approve(ctx, s, c); err != nil && ctx.Err() == nil {
				return refuse(fmt.Sprintf("%s was not approved: %v", s.ID, err),
					errors.Join(tool.ErrPolicy, err))
			}
		}
		if err := ctx.Err(); err != nil {
			return tool.Result{}, asError(err)
		}
		return next(ctx, c)
	}
}
