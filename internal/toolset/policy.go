package toolset

import (
	"context"
	"errors"
	"fmt"

	"gander/tool"
)

// A policy is a [tool.Policy] with the IDs of the tools that match its selectors.
type policy struct {
	tool.Policy
	allowed, denied, prompted map[string]bool
}

// newPolicy returns an error if a selector matches none of the tools.
func newPolicy(all []*entry, given tool.Policy) (policy, error) {
	p := policy{Policy: given}
	var failures [3]error
	p.allowed, failures[0] = choose(all, "Policy.Allow", given.Allow)
	p.denied, failures[1] = choose(all, "Policy.Deny", given.Deny)
	p.prompted, failures[2] = choose(all, "Policy.Prompt", given.Prompt)
	for i, list := range []string{"allow", "deny", "prompt"} {
		if failures[i] != nil {
			failures[i] = fmt.Errorf("policy %s: %w", list, failures[i])
		}
	}
	return p, errors.Join(failures[:]...)
}

// wrap applies the policy to the calls of a tool.
func (p policy) wrap(s tool.Spec, next tool.Handler) tool.Handler {
	return func(ctx context.Context, c tool.Call) (tool.Result, error) {
		if err := p.check(ctx, s, c); err != nil {
			return tool.Result{}, err
		}
		return next(ctx, c)
	}
}

// check returns an error unless a call is allowed, which can need an approval.
func (p policy) check(ctx context.Context, s tool.Spec, c tool.Call) error {
	isListed := p.allowed[s.ID] || p.prompted[s.ID] || len(p.Allow) == 0
	needsApproval := p.prompted[s.ID] || s.RequiresApproval
	switch {
	case p.denied[s.ID] || !isListed:
		return refusal("the policy does not allow "+s.ID, tool.ErrPolicy)
	case !needsApproval:
		return nil
	case p.Approve == nil:
		return refusal("the policy requires approval of "+s.ID+", and there is nobody to ask", tool.ErrPolicy)
	}
	err := p.Approve(ctx, s, c)
	if ctx.Err() != nil {
		return asError(ctx.Err())
	}
	if err != nil {
		return refusal(fmt.Sprintf("%s was not approved: %v", s.ID, err), errors.Join(tool.ErrPolicy, err))
	}
	return nil
}

func refusal(message string, cause error) error {
	return &tool.Error{Kind: tool.Denied, Message: message, Err: cause}
}
