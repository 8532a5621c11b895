package toolset

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"gander/tool"
)

// A policy is a [tool.Policy] with the IDs of the tools that match its selectors.
type policy struct {
	tool.Policy
	allowed, denied, prompted map[string]bool
}

// newPolicy returns a policy for the tools. It returns an error if a selector matches none of them.
func newPolicy(all []*entry, given tool.Policy) (policy, error) {
	allowed, allowErr := chooseListed(all, "Allow", given.Allow)
	denied, denyErr := chooseListed(all, "Deny", given.Deny)
	prompted, promptErr := chooseListed(all, "Prompt", given.Prompt)
	return policy{given, allowed, denied, prompted}, errors.Join(allowErr, denyErr, promptErr)
}

// chooseListed returns the IDs of the tools that match any of the selectors in a list of the
// policy.
func chooseListed(all []*entry, list string, selectors []string) (map[string]bool, error) {
	chosen, err := choose(all, "Policy."+list, selectors)
	if err != nil {
		err = fmt.Errorf("policy %s: %w", strings.ToLower(list), err)
	}
	return chosen, err
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
		return refusal("the policy requires approval of "+s.ID+", and there is nobody to ask",
			tool.ErrPolicy)
	}
	err := p.Approve(ctx, s, c)
	if ctx.Err() != nil {
		return asError(ctx.Err())
	}
	if err != nil {
		return refusal(fmt.Sprintf("%s was not approved: %v", s.ID, err),
			errors.Join(tool.ErrPolicy, err))
	}
	return nil
}

// refusal returns the error about a call that the policy does not allow.
func refusal(message string, cause error) error {
	return &tool.Error{Kind: tool.Denied, Message: message, Err: cause}
}
