package tool

import "context"

// A Handler makes a call of one tool.
type Handler func(ctx context.Context, c Call) (Result, error)

// A Middleware wraps the calls of the tool that s describes, for audits, metrics or limits of one's own. It returns a
// handler that may change the call, refuse it, or do something before and after next makes it. What next returns as an
// error is an [*Error], not yet in the tool's published words; what the middleware returns as an error is published as if
// the tool had made it. The handler must be safe for concurrent use and heed its context.
type Middleware func(s Spec, next Handler) Handler

// handler is what calls a tool: the middleware, the first outermost, around policy, slot and tool.
func (r *Registry) handler(t Tool, s Spec, v verdict) Handler {
	h := Handler(func(ctx context.Context, c Call) (Result, error) {
		err := r.permit(ctx, s, v, c)
		var result Result
		if err == nil {
			result, err = r.slots.run(ctx, !s.SideEffects, func(ctx context.Context) (Result, error) { return t.Call(ctx, c) })
		}
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
