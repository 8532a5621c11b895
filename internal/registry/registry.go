// Package registry calls tools. Every call goes through a [Registry], which applies middleware, the
// policy, limits and budgets, recovers from panics and logs.
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

// Options apply to every call. The zero value sets no policy and the default limits of admission.
type Options struct {
	// Select names the available tools, in the words of [tool.Policy], and Show the visible ones
	// among them. The others can only be called. Empty names all.
	Select, Show []string
	// Policy determines which calls are allowed. Its words can name tools that are not available.
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
	// Logger receives a record for each call. Arguments and results are not logged, but error
	// messages can repeat parts of arguments. Nil logs nothing.
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
	closed  atomic.Bool
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

// handlerOf returns the handler of a tool: the middleware, then the policy, then the tool within
// the limits.
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

// Definitions returns the definitions of the visible tools, with the names by which they are shown
// together: the published name if no other tool has it, otherwise "set_name". A tool that yields
// does so alone: the others are named as if it were missing.
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

// Lookup returns the definition of the tool called name: its id, "set_name", or its published name
// if no other visible tool has it, or, for a tool that is not visible, no other tool. The error
// matches [tool.ErrUnknownTool] and lists the tools.
func (r *Registry) Lookup(name string) (shared.Definition, error) {
	e, err := find(r.entries, name)
	if err != nil {
		return shared.Definition{}, err
	}
	return shared.Define(e.tool), nil
}

// Call calls the tool called name. The error is always a [*tool.Error]. Call returns soon after ctx
// or the timeout ends, even if the tool does not.
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
	if r.closed.Load() { // what the tool found in a closed workspace means nothing
		return tool.Result{}, errClosed()
	}
	if err == nil {
		err = checkResult(result, c.Budget)
	}
	return result, err
}

// Run runs work other than a tool call, within the limits of calls. The error is always a
// [*tool.Error].
func (r *Registry) Run(ctx context.Context, work func(context.Context) error) error {
	_, err := r.limited(ctx, func(ctx context.Context) (tool.Result, error) {
		return tool.Result{}, work(ctx)
	})
	return err
}

// limited runs f within the limits on concurrent calls, memory and time.
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

// Close makes all further calls fail, and those in progress when they end.
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
