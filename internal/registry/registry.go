// Package registry calls tools. A [Registry] applies middleware, the policy, limits and budgets to
// every call, recovers from panics, and logs.
package registry

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"slices"
	"sync/atomic"
	"time"

	"gander/internal/admission"
	"gander/internal/tools/shared"
	"gander/tool"
)

// Options configures a [Registry]. The zero value means no policy and the default limits of package
// admission.
type Options struct {
	// Select selects the available tools and Show the visible tools, with selectors as in
	// [tool.Policy]. An available tool can be called even if it is not visible. An empty list selects
	// all tools.
	Select, Show []string
	// Policy determines which calls are allowed. It can contain selectors of unavailable tools.
	Policy tool.Policy
	// MaxOutputBytes and MaxDataBytes limit the text and the data of a result, in addition to the
	// budget of the call. Zero means no limit.
	MaxOutputBytes, MaxDataBytes int
	// Timeout is the maximum duration of a call, excluding middleware, approval and queueing. Zero
	// means no limit.
	Timeout time.Duration
	// Control limits concurrent calls and their memory. If nil, New creates one with default limits.
	Control *admission.Controller
	// Middleware wraps every call. The first is outermost. The policy is applied after all of them.
	Middleware []tool.Middleware
	// Logger, if not nil, receives a record for each call. Arguments and results are not logged, but
	// error messages can repeat parts of arguments.
	Logger *slog.Logger
}

// A Publisher is a Tool with a published error format. PublishError modifies each error before the
// caller receives it, including policy errors, timeouts and panics.
type Publisher interface {
	PublishError(*tool.Error)
}

// A Registry is a fixed set of tools. It is safe for concurrent use.
type Registry struct {
	entries []*entry
	options Options
	closed  atomic.Bool
}

// An entry is a tool of a registry.
type entry struct {
	tool    tool.Tool
	spec    tool.Spec
	yields  bool // other tools have priority for its name
	visible bool
	handler tool.Handler // including middleware and policy
}

// New returns a registry of the tools, in the given order. It returns an error if an ID or an input
// schema is invalid, if the names of two tools conflict, or if a selector matches no tool.
func New(o Options, tools ...tool.Tool) (*Registry, error) {
	if o.Control == nil {
		o.Control = admission.New(0, 0)
	}
	all := make([]*entry, len(tools))
	for i, t := range tools {
		all[i] = &entry{tool: t, spec: t.Spec(), yields: shared.Define(t).MCP != nil}
		if len(all[i].spec.Input) == 0 {
			all[i].spec.Input = json.RawMessage(`{"type":"object"}`)
		}
	}
	if err := check(all); err != nil {
		return nil, err
	}
	verdictOf, err := decide(o.Policy, all)
	if err != nil {
		return nil, err
	}
	selected, err1 := namedOrAll(all, o.Select)
	shown, err2 := namedOrAll(all, o.Show)
	if err := errors.Join(err1, err2); err != nil {
		return nil, err
	}
	r := &Registry{options: o}
	for _, e := range all {
		if selected[e] {
			e.visible = shown[e]
			e.handler = r.handlerOf(e, verdictOf(e))
			r.entries = append(r.entries, e)
		}
	}
	return r, nil
}

// handlerOf returns the handler of a tool, which applies middleware, the policy and the limits, in
// this order.
func (r *Registry) handlerOf(e *entry, v verdict) tool.Handler {
	handler := func(ctx context.Context, c tool.Call) (tool.Result, error) {
		return r.limited(ctx, func(ctx context.Context) (tool.Result, error) {
			return e.tool.Call(ctx, c)
		})
	}
	handler = enforce(r.options.Policy, v, e.spec, handler)
	for _, wrap := range slices.Backward(r.options.Middleware) {
		handler = wrap(e.spec, handler)
	}
	return handler
}

// Definitions returns the definitions of the visible tools, with unique names. A tool keeps its
// published name if no other tool has it, and otherwise gets "set_name". Reproductions of MCP tools
// do not affect the name of any other tool.
func (r *Registry) Definitions() []shared.Definition {
	all, own := make(map[string]int), make(map[string]int)
	var visible []*entry
	for _, e := range r.entries {
		if !e.visible {
			continue
		}
		visible = append(visible, e)
		if all[e.spec.Name]++; !e.yields {
			own[e.spec.Name]++
		}
	}
	definitions := make([]shared.Definition, len(visible))
	for i, e := range visible {
		definitions[i] = shared.Define(e.tool)
		definitions[i].Spec = e.spec
		if own[e.spec.Name] > 1 || e.yields && all[e.spec.Name] > 1 {
			definitions[i].Name = qualified(e.spec)
		}
	}
	return definitions
}

// Lookup returns the definition of the tool with the given ID, "set_name" or unambiguous published
// name. Visible tools take precedence. The error matches [tool.ErrUnknownTool] and lists the tools.
func (r *Registry) Lookup(name string) (shared.Definition, error) {
	e, err := find(r.entries, name)
	if err != nil {
		return shared.Definition{}, err
	}
	return shared.Define(e.tool), nil
}

// Call calls the tool with the given name; see [Registry.Lookup]. Any error is a [*tool.Error].
// Call returns shortly after ctx is done or the timeout expires, even if the tool does not return.
func (r *Registry) Call(ctx context.Context, name string, c tool.Call) (tool.Result, error) {
	start := time.Now()
	e, err := find(r.entries, name)
	var result tool.Result
	if err != nil {
		err = &tool.Error{Kind: tool.BadArguments, Message: err.Error(), Err: err}
	} else {
		name = e.spec.ID
		result, err = r.call(ctx, e, c)
	}
	if err != nil {
		result, err = tool.Result{}, publish(e, err)
	}
	r.log(ctx, name, time.Since(start), result.Truncated, err)
	return result, err
}

func (r *Registry) call(ctx context.Context, e *entry, c tool.Call) (tool.Result, error) {
	if r.closed.Load() {
		return tool.Result{}, errClosed()
	}
	c.Budget = r.effective(c.Budget)
	result, err := recovered(ctx, func(ctx context.Context) (tool.Result, error) {
		return e.handler(ctx, c)
	})
	if r.closed.Load() { // the result can be wrong, because the workspace was closed during the call
		return tool.Result{}, errClosed()
	}
	if err == nil {
		err = checkResult(result, c.Budget)
	}
	return result, err
}

// Run runs work that is not a tool call. The limits on calls apply. Any error is a [*tool.Error].
func (r *Registry) Run(ctx context.Context, work func(context.Context) error) error {
	_, err := r.limited(ctx, func(ctx context.Context) (tool.Result, error) {
		return tool.Result{}, work(ctx)
	})
	return err
}

// limited runs f with the limits on concurrent calls, memory and time.
func (r *Registry) limited(
	ctx context.Context, f func(context.Context) (tool.Result, error),
) (tool.Result, error) {
	result, err := admission.Run(ctx, r.options.Control, r.options.Timeout,
		func(ctx context.Context) (tool.Result, error) { return recovered(ctx, f) })
	if err != nil {
		return tool.Result{}, asError(err)
	}
	return result, nil
}

// Close makes further calls and calls in progress fail.
func (r *Registry) Close() { r.closed.Store(true) }

// effective combines the budget of a call with the limits of the registry.
func (r *Registry) effective(b tool.Budget) tool.Budget {
	lowest := func(own int, limits ...*int) (lowest *int) {
		if own > 0 {
			lowest = &own
		}
		for _, limit := range limits {
			if limit != nil && (lowest == nil || *limit < *lowest) {
				lowest = new(max(*limit, 0))
			}
		}
		return lowest
	}
	return tool.Budget{
		MaxOutputBytes: lowest(r.options.MaxOutputBytes, b.MaxOutputBytes, b.AvailableBytes),
		MaxDataBytes:   lowest(r.options.MaxDataBytes, b.MaxDataBytes),
	}
}

// recovered calls f and converts a panic to an error that contains the stack trace.
func recovered(ctx context.Context, f func(context.Context) (tool.Result, error)) (
	result tool.Result, err error,
) {
	defer func() {
		if p := recover(); p != nil {
			err = &tool.Error{
				Kind:    tool.Internal,
				Message: "internal error; the call was given up",
				Err:     fmt.Errorf("panic: %v\n%s", p, debug.Stack()),
			}
		}
	}()
	return f(ctx)
}
