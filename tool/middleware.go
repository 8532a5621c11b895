package tool

import "context"

// A Handler makes a call of one tool.
type Handler func(ctx context.Context, c Call) (Result, error)

// A Middleware wraps the calls of the tool that s describes, for example with an audit, metrics or limits of its own. It
// returns a handler that may change the call, refuse it, or act before and after it calls next. The error that next
// returns is an [*Error] which is not yet in the tool's published words. An error that the middleware returns is published
// as if the tool had made it. The handler must be safe for concurrent use and must return soon after its context ends.
//
// Middleware runs before the call has a place among the calls that run at once, and before its timeout begins.
type Middleware func(s Spec, next Handler) Handler

// handler returns what calls a tool: the policy, then the tool within the limits, with the middleware around both.
func (r *Registry) handler(t Tool, s Spec, v verdict) Handler {
	h := Handler(func(ctx context.Context, c Call) (Result, error) {
		result, err := r.permittedCall(ctx, t, s, v, c)
		if err != nil {
			return Result{}, asError(err)
		}
		return result, nil
	})
	for i := len(r.options.Wrap) - 1; i >= 0; i-- {
		h = r.options.Wrap[i](s, h)
	}
	return h
}

// permittedCall applies the policy and calls the tool, or the work that takes its place.
func (r *Registry) permittedCall(ctx context.Context, t Tool, s Spec, v verdict, c Call) (Result, error) {
	if err := r.permit(ctx, s, v, c); err != nil {
		return Result{}, err
	}
	work := Handler(t.Call)
	if instead, ok := ctx.Value(workKey{}).(Handler); ok {
		work = instead
		ctx = context.WithValue(ctx, workKey{}, nil) // so that calls which the work makes reach their tools
	}
	return r.runLimited(ctx, func(ctx context.Context) (Result, error) { return work(ctx, c) })
}

// workKey is the context key of the work that takes the place of a tool's own: see [Registry.CallAs].
type workKey struct{}
