package gander

import (
	"cmp"
	"context"
	"errors"

	"gander/tool"
)

// A Reason says why a tool does not show a path, or that it does.
type Reason struct {
	// Tool is the id of the tool.
	Tool string
	tool.Reason
}

// Why says for each tool why a model does not see what is at a path, or that it does. Tools that are not a [tool.Explainer]
// are left out.
//
// A relative path is relative to the first root, and ".." is resolved lexically. Nothing is told about what lies outside. Each
// tool is asked under the rules that hold for its calls; see [tool.Registry.CallAs].
//
// A tool that fails to explain has the cause [tool.CauseUnknown]. If all tools fail, for example because nothing is at the
// path, Why returns the first error, which is a [*tool.Error].
func (t *Toolset) Why(ctx context.Context, path string) ([]Reason, error) {
	var reasons []Reason
	var first error
	failed := 0
	for _, each := range t.registry.Tools() {
		e, ok := each.(tool.Explainer)
		if !ok {
			continue
		}
		r, err := t.explain(ctx, e, path)
		if ctx.Err() != nil {
			return nil, err
		}
		if err != nil {
			failed++
			first = cmp.Or(first, err)
			r = tool.Reason{Cause: tool.CauseUnknown, Rule: err.Error()}
		}
		reasons = append(reasons, Reason{e.Spec().ID, r})
	}
	if failed == len(reasons) && failed > 0 {
		return nil, first
	}
	return reasons, nil
}

func (t *Toolset) explain(ctx context.Context, e tool.Explainer, path string) (tool.Reason, error) {
	found := make(chan tool.Reason, 1)
	_, err := t.CallAs(ctx, e.Spec().ID, tool.Call{}, func(ctx context.Context, c tool.Call) (tool.Result, error) {
		r, err := e.Explain(ctx, path, c.Budget)
		select {
		case found <- r:
		default: // middleware has called more than once
		}
		return tool.Result{}, err
	})
	switch {
	case errors.Is(err, tool.ErrPolicy):
		return tool.Reason{Cause: tool.CauseDenied, Rule: err.Error()}, nil
	case err != nil:
		return tool.Reason{}, err
	}
	select {
	case r := <-found:
		return r, nil
	default:
		return tool.Reason{}, &tool.Error{Kind: tool.Failed, Message: "middleware has answered for " + e.Spec().ID + ", so that it cannot explain"}
	}
}
