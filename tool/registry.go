package tool

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"time"
	"unicode/utf8"

	"gander/internal/admission"
	"gander/internal/meter"
)

// RegistryOptions are the rules that hold for every call. The zero value sets no policy, no limits and no observer.
type RegistryOptions struct {
	// Select chooses among the tools given, in the words that [Policy] describes. Empty chooses all. The words of Policy may
	// name tools that are not chosen.
	Select []string
	// Show chooses, among the tools that Select chooses, those that are shown, in the same words. The others are called by
	// their names. Empty shows all.
	Show []string
	// Policy says which calls may be made.
	Policy Policy
	// Approver is asked where the policy says so. Nil refuses such calls.
	Approver Approver
	// MaxOutputBytes limits the text of every answer, and MaxDataBytes its other parts, besides the call's own budget. 0 sets
	// no limit.
	MaxOutputBytes, MaxDataBytes int
	// Timeout is the longest that a tool may take for a call. It begins when the tool is called: approval, middleware and
	// waiting for other calls do not count. A call that has not returned from the operating system by then is answered with
	// an error and left behind. 0 sets no limit.
	Timeout time.Duration
	// MaxCalls is how many calls may run at once; others wait. 0 means 64.
	MaxCalls int
	// Sharing is a registry with which this one shares the limits on concurrent calls and on memory. Nil gives the registry
	// its own.
	Sharing *Registry
	// Wrap is middleware around every call; the first is outermost.
	Wrap []Middleware
	// Observe is called with the record of every call that has ended. It must be safe for concurrent use.
	Observe func(context.Context, Record)
	// Logger gets one line for each call: at level Info if the call succeeded or the caller made a mistake, Warn for the
	// kinds [Outside], [Denied], [Failed] and [Timeout], Error for [Internal]. Arguments and answers are not logged, but
	// error messages may repeat parts of arguments. Nil logs nothing.
	Logger *slog.Logger
	// Clock tells the time for records, and for nothing else: timeouts use the runtime's timers. Nil means [time.Now].
	Clock func() time.Time
}

// A Registry is a fixed set of tools, and the one place that applies policy, limits, budgets and middleware to their calls,
// recovers from panics and records each call. It is safe for concurrent use.
type Registry struct {
	tools    []Tool
	specs    []Spec
	shown    []bool
	verdicts []verdict
	handlers []Handler
	options  RegistryOptions
	control  *admission.Controller
}

// NewRegistry returns a registry of the tools, in the order given. It fails if an id is not "dialect/name", if a provider
// would not accept a name, if two tools would have the same "<dialect>_<name>", if an input schema is not of type "object",
// or if a word of the policy names no tool.
func NewRegistry(o RegistryOptions, tools ...Tool) (*Registry, error) {
	specs := make([]Spec, len(tools))
	for i, t := range tools {
		if specs[i] = t.Spec(); len(specs[i].Input) == 0 {
			specs[i].Input = json.RawMessage(`{"type":"object"}`)
		}
	}
	if err := check(specs); err != nil {
		return nil, err
	}
	verdicts, err := o.Policy.judge(specs)
	if err != nil {
		return nil, err
	}
	chosen, err := choose(specs, o.Select)
	if err != nil {
		return nil, err
	}
	shown, err := choose(specs, o.Show)
	if err != nil {
		return nil, err
	}
	if o.Clock == nil {
		o.Clock = time.Now
	}
	r := &Registry{options: o}
	if o.Sharing != nil {
		r.control = o.Sharing.control
	} else {
		r.control = admission.New(o.MaxCalls, max(admission.DefaultBytes, int64(o.MaxDataBytes)))
	}
	for i, t := range tools {
		if chosen[i] {
			r.tools = append(r.tools, t)
			r.specs = append(r.specs, specs[i])
			r.shown = append(r.shown, shown[i])
			r.verdicts = append(r.verdicts, verdicts[i])
			r.handlers = append(r.handlers, r.handler(t, specs[i], verdicts[i]))
		}
	}
	return r, nil
}

// Select returns a registry that shows the tools that the words name, in the words that [Policy] describes, and has no other.
// No words name all.
// Both registries share their rules and the bound on calls at once.
func (r *Registry) Select(words ...string) (*Registry, error) {
	chosen, err := choose(r.specs, words)
	if err != nil {
		return nil, err
	}
	s := &Registry{options: r.options, control: r.control}
	for i := range r.tools {
		if chosen[i] {
			s.tools = append(s.tools, r.tools[i])
			s.specs = append(s.specs, r.specs[i])
			s.shown = append(s.shown, true)
			s.verdicts = append(s.verdicts, r.verdicts[i])
			s.handlers = append(s.handlers, r.handlers[i])
		}
	}
	return s, nil
}

// Definitions returns the tools that are shown, under the names by which they are shown together.
func (r *Registry) Definitions() []Definition { return define(only(r.specs, r.shown)) }

// Tools returns the tools that are shown, in the order of [Registry.Definitions].
func (r *Registry) Tools() []Tool { return only(r.tools, r.shown) }

// only returns the elements that are chosen.
func only[T any](all []T, chosen []bool) []T {
	var some []T
	for i, each := range all {
		if chosen[i] {
			some = append(some, each)
		}
	}
	return some
}

// Lookup returns the tool called name: its id, "<dialect>_<name>", or its published name if no other tool that is shown has
// it, or, of a tool that is not shown, no other tool at all. The error matches [ErrUnknownTool] and lists the tools.
func (r *Registry) Lookup(name string) (Spec, error) {
	i, err := find(r.specs, r.shown, name)
	if err != nil {
		return Spec{}, err
	}
	return r.specs[i], nil
}

// Call calls the tool called name (see [Registry.Lookup]) and returns its answer. An error is always an [*Error]. Call
// returns soon after ctx or the timeout ends, even if the tool does not.
func (r *Registry) Call(ctx context.Context, name string, c Call) (Result, error) {
	c.Budget = r.effective(c.Budget)
	record := Record{Name: name, Call: c, Start: r.options.Clock()}
	if i, err := find(r.specs, r.shown, name); err != nil {
		record.Err = &Error{Kind: BadArguments, Message: err.Error(), Err: err}
	} else {
		record.Tool = r.specs[i]
		r.run(ctx, i, &record)
	}
	record.Duration = r.options.Clock().Sub(record.Start)
	r.options.report(ctx, record)
	if record.Err != nil {
		return Result{}, record.Err
	}
	return record.Result, nil
}

// CallAs calls work in place of the tool called name, under all the rules that hold for the tool's own calls: policy,
// approval, middleware, the limits, the budget and the record. A server uses it to offer the files that the tool reads in
// another way, such as MCP resources. If middleware makes the call twice, work is called twice.
func (r *Registry) CallAs(ctx context.Context, name string, c Call, work Handler) (Result, error) {
	return r.Call(context.WithValue(ctx, workKey{}, work), name, c)
}

// Do does work that touches files and is no call of a tool, such as opening a directory. The work counts among the calls that
// run at once and has their timeout; nothing else that holds for calls applies to it. An error is always an [*Error]. Do returns
// soon after ctx or the timeout ends, even if the work does not.
func (r *Registry) Do(ctx context.Context, work func(context.Context) error) error {
	_, err := r.runLimited(ctx, func(ctx context.Context) (Result, error) { return Result{}, work(ctx) })
	if err != nil {
		return asError(err)
	}
	return nil
}

// run makes the call of the record with the tool at an index, and completes the record.
func (r *Registry) run(ctx context.Context, i int, record *Record) {
	ctx, m := meter.New(ctx)
	result, err := recovered(ctx, func(ctx context.Context) (Result, error) {
		result, err := r.handlers[i](ctx, record.Call)
		if err == nil {
			err = fits(result, record.Call.Budget)
		}
		return result, err
	})
	record.Root, record.Entries, record.Bytes = m.Totals()
	if err == nil {
		record.Result = result
		return
	}
	record.Err = asError(err)
	if p, ok := r.tools[i].(Publisher); ok && ctx.Value(workKey{}) == nil {
		p.PublishError(record.Err)
	}
}

// Highlight returns the spans of an answer of the tool called name to c; see [Highlighter]. It returns none if the tool is no
// Highlighter.
func (r *Registry) Highlight(name string, c Call, text string) []Span {
	if i, err := find(r.specs, r.shown, name); err == nil {
		if h, ok := r.tools[i].(Highlighter); ok {
			return h.Highlight(c, text)
		}
	}
	return nil
}

// effective returns a call's budget with the registry's own limits applied.
func (r *Registry) effective(b Budget) Budget {
	var e Budget
	if limit, limited := b.Limit(); limited {
		e.MaxOutputBytes = &limit
	}
	if limit, limited := b.DataLimit(); limited {
		e.MaxDataBytes = &limit
	}
	if own := r.options.MaxOutputBytes; own > 0 && (e.MaxOutputBytes == nil || own < *e.MaxOutputBytes) {
		e.MaxOutputBytes = &own
	}
	if own := r.options.MaxDataBytes; own > 0 && (e.MaxDataBytes == nil || own < *e.MaxDataBytes) {
		e.MaxDataBytes = &own
	}
	return e
}

// permit applies the policy.
func (r *Registry) permit(ctx context.Context, s Spec, v verdict, c Call) error {
	switch v {
	case refused:
		return &Error{Kind: Denied, Message: fmt.Sprintf("the policy does not allow %s", s.ID), Err: ErrPolicy}
	case prompted:
		if r.options.Approver == nil {
			return &Error{Kind: Denied, Message: fmt.Sprintf("the policy wants %s approved, and nobody is there to ask", s.ID), Err: ErrPolicy}
		}
		if err := r.options.Approver(ctx, s, c); err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			return &Error{Kind: Denied, Message: fmt.Sprintf("%s was not approved: %v", s.ID, err), Err: errors.Join(ErrPolicy, err)}
		}
	}
	return ctx.Err()
}

// fits returns an error if an answer is larger than the budget, or has text that is not UTF-8.
func fits(result Result, b Budget) error {
	text, data := result.size()
	if limit, limited := b.Limit(); limited && text > limit {
		return &Error{Kind: Failed, Message: fmt.Sprintf("the output limit of %d bytes is too small for the answer; raise it or ask for less", limit)}
	}
	if limit, limited := b.DataLimit(); limited && data > limit {
		return &Error{Kind: Failed, Message: fmt.Sprintf("the answer has %d bytes of data, and the limit is %d; raise limits.max_data_bytes", data, limit)}
	}
	for _, p := range result.Parts {
		if !utf8.ValidString(p.Text) {
			return errors.New("the content is not UTF-8")
		}
	}
	return nil
}

// runLimited runs f within the limits on concurrent calls, memory and time.
func (r *Registry) runLimited(ctx context.Context, f func(context.Context) (Result, error)) (Result, error) {
	return admission.Run(ctx, r.control, r.options.Timeout, func(ctx context.Context) (Result, error) { return recovered(ctx, f) })
}

// recovered calls f and turns a panic into an error that holds the stack.
func recovered(ctx context.Context, f func(context.Context) (Result, error)) (result Result, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = &Error{Kind: Internal, Message: "internal error; the call was given up", Err: fmt.Errorf("panic: %v\n%s", p, debug.Stack())}
		}
	}()
	return f(ctx)
}
