// Package registry calls tools. Every call goes through a [Registry], which applies middleware, the
// policy, limits and budgets, recovers from panics and logs.
package registry

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"runtime/debug"
	"slices"
	"sync/atomic"
	"time"

	"gander/internal/admission"
	"gander/tool"
)

// Options apply to every call. The zero value sets no policy and the default limits of admission.
type Options struct {
	// Select selects some of the given tools, by the words that [tool.Policy] describes. Empty
	// selects all. The words of Policy can name tools that are not selected.
	Select []string
	// Show selects the visible tools among the selected ones. The others can only be called. Empty
	// selects all.
	Show []string
	// Yield names the sets of tools whose names yield to those of other tools.
	Yield []string
	// Policy determines which calls are allowed.
	Policy tool.Policy
	// MaxOutputBytes and MaxDataBytes limit the text of a result and its other parts, in addition to
	// the budget of the call. 0 means no limit.
	MaxOutputBytes, MaxDataBytes int
	// Timeout is the maximum duration of a call without middleware, approval and waiting for other
	// calls. 0 means no limit.
	Timeout time.Duration
	// Control limits concurrent calls and their memory. Nil means a new one with defaults.
	Control *admission.Controller
	// Middleware wraps every call. The first is outermost. The policy is applied inside of it.
	Middleware []tool.Middleware
	// Logger receives a record for each call: at level Info if the call succeeded or the caller made
	// a mistake, Warn for the kinds [tool.Outside], [tool.Denied], [tool.Failed] and [tool.Timeout],
	// Error for [tool.Internal]. Arguments and results are not logged, but error messages can repeat
	// parts of arguments. Nil logs nothing.
	Logger *slog.Logger
}

// A Publisher is a Tool that has published words for its errors. PublishError receives every error
// of a call before the caller does, including those of the policy, a timeout or a panic.
type Publisher interface {
	PublishError(*tool.Error)
}

// A Registry is a fixed set of tools. It is safe for concurrent use.
type Registry struct {
	entries []*entry
	options Options
	closed  *atomic.Bool
}

// An entry is a tool of a registry.
type entry struct {
	tool    tool.Tool
	spec    tool.Spec
	yields  bool // its name yields to those of other tools
	visible bool
	handler tool.Handler // with the middleware
}

// New returns a registry of the tools in the given order. It fails if an id is not "set/name", if a
// name is not valid for providers of models, if two tools have the same "set_name", if an input
// schema is not of type "object", or if a word names no tool.
func New(o Options, tools ...tool.Tool) (*Registry, error) {
	if o.Control == nil {
		o.Control = admission.New(0, 0)
	}
	r := &Registry{options: o, closed: new(atomic.Bool)}
	all := make([]*entry, len(tools))
	for i, t := range tools {
		all[i] = &entry{tool: t, spec: t.Spec()}
		all[i].yields = slices.Contains(o.Yield, setOf(all[i].spec))
		if len(all[i].spec.Input) == 0 {
			all[i].spec.Input = json.RawMessage(`{"type":"object"}`)
		}
	}
	if err := check(all); err != nil {
		return nil, err
	}
	verdicts, err := decide(o.Policy, all)
	if err != nil {
		return nil, err
	}
	selected, err := choose(all, o.Select)
	if err != nil {
		return nil, err
	}
	visible, err := choose(all, o.Show)
	if err != nil {
		return nil, err
	}
	for i, e := range all {
		if selected[i] {
			e.visible = visible[i]
			e.handler = r.handlerOf(e.tool, e.spec, verdicts[i])
			r.entries = append(r.entries, e)
		}
	}
	return r, nil
}

// handlerOf returns the handler of a tool: the middleware, then the policy, then the tool within
// the limits.
func (r *Registry) handlerOf(t tool.Tool, s tool.Spec, v verdict) tool.Handler {
	limited := func(ctx context.Context, c tool.Call) (tool.Result, error) {
		result, err := r.runLimited(ctx, func(ctx context.Context) (tool.Result, error) {
			return t.Call(ctx, c)
		})
		if err != nil {
			return tool.Result{}, asError(err)
		}
		return result, nil
	}
	handler := enforce(r.options.Policy, v)(s, limited)
	for i := len(r.options.Middleware) - 1; i >= 0; i-- {
		handler = r.options.Middleware[i](s, handler)
	}
	return handler
}

// Select returns a registry of the tools that the words name, all of them visible. No words name
// all. Both registries share their limits.
func (r *Registry) Select(words ...string) (*Registry, error) {
	selected, err := choose(r.entries, words)
	if err != nil {
		return nil, err
	}
	s := &Registry{options: r.options, closed: r.closed}
	for i, e := range r.entries {
		if selected[i] {
			shown := *e
			shown.visible = true
			s.entries = append(s.entries, &shown)
		}
	}
	return s, nil
}

// Specs returns the specs of the visible tools. Their names are those by which the tools are shown
// together: see [define].
func (r *Registry) Specs() []tool.Spec {
	return define(r.visible())
}

// Tools returns the visible tools, in the order of [Registry.Specs].
func (r *Registry) Tools() []tool.Tool {
	var tools []tool.Tool
	for _, e := range r.visible() {
		tools = append(tools, e.tool)
	}
	return tools
}

func (r *Registry) visible() []*entry {
	var visible []*entry
	for _, e := range r.entries {
		if e.visible {
			visible = append(visible, e)
		}
	}
	return visible
}

// Lookup returns the tool called name: its id, "set_name", or its published name if no other
// visible tool has it, or, for a tool that is not visible, no other tool. The error matches
// [tool.ErrUnknownTool] and lists the tools.
func (r *Registry) Lookup(name string) (tool.Tool, error) {
	e, err := find(r.entries, true, name)
	if err != nil {
		return nil, err
	}
	return e.tool, nil
}

// Call calls the tool called name. The error is always a [*tool.Error]. Call returns soon after ctx
// or the timeout ends, even if the tool does not.
func (r *Registry) Call(ctx context.Context, name string, c tool.Call) (tool.Result, error) {
	start := time.Now()
	c.Budget = r.effective(c.Budget)
	e, err := find(r.entries, true, name)
	var result tool.Result
	if err != nil {
		err = &tool.Error{Kind: tool.BadArguments, Message: err.Error(), Err: err}
	} else {
		name = e.spec.ID
		result, err = r.call(ctx, e, c)
	}
	var failure *tool.Error
	if err != nil {
		result, failure = tool.Result{}, publish(e, err)
	}
	r.log(ctx, name, time.Since(start), result, failure)
	if failure != nil {
		return tool.Result{}, failure
	}
	return result, nil
}

// call calls a tool and checks its result.
func (r *Registry) call(ctx context.Context, e *entry, c tool.Call) (tool.Result, error) {
	if r.closed.Load() {
		return tool.Result{}, errClosed()
	}
	result, err := recovered(ctx, func(ctx context.Context) (tool.Result, error) {
		return e.handler(ctx, c)
	})
	if r.closed.Load() { // what the tool found in a closed workspace means nothing
		return tool.Result{}, errClosed()
	}
	if err == nil {
		err = checkResult(result, c.Budget)
	}
	return result, err
}

// Run runs work that accesses files and is not a call of a tool, within the limits of calls. The
// error is always a [*tool.Error].
func (r *Registry) Run(ctx context.Context, work func(context.Context) error) error {
	_, err := r.runLimited(ctx, func(ctx context.Context) (tool.Result, error) {
		return tool.Result{}, work(ctx)
	})
	return asError(err)
}

// runLimited runs f within the limits on concurrent calls, memory and time.
func (r *Registry) runLimited(ctx context.Context,
	f func(context.Context) (tool.Result, error)) (tool.Result, error) {
	return admission.Run(ctx, r.options.Control, r.options.Timeout,
		func(ctx context.Context) (tool.Result, error) { return recovered(ctx, f) })
}

// Close makes all further calls of r and of what was selected from it fail, and those in progress
// when they end.
func (r *Registry) Close() { r.closed.Store(true) }

// effective returns a call's budget with the limits of the registry applied.
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

// recovered calls f and turns a panic into an error that contains the stack.
func recovered(ctx context.Context, f func(context.Context) (tool.Result, error)) (
	result tool.Result, err error) {
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
