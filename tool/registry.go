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

	"gander/internal/meter"
)

// RegistryOptions are the rules that hold for every call. The zero value is right: no policy, no limits, no observer.
type RegistryOptions struct {
	// Select chooses among the tools given, in the words that [Policy] describes. Empty chooses all. The words of Policy may
	// name tools that are not chosen.
	Select []string
	// Policy says which calls may be made.
	Policy Policy
	// Approver is asked where the policy says so. Nil refuses such calls.
	Approver Approver
	// MaxOutputBytes limits the content of every answer, beside the call's own budget. 0 sets no limit.
	MaxOutputBytes int
	// Timeout is the longest a call may take, waiting for its turn not counted. 0 sets no limit. A call that is still stuck
	// in the operating system when its time is over is left behind and answered.
	Timeout time.Duration
	// MaxCalls is how many calls may run at once; further ones wait for their turn. 0 means 64. While some wait, half of the
	// turns are for calls that take little time: see [Tool].
	MaxCalls int
	// Wrap is middleware around every call, the first outermost: inside the deadline, outside of policy and approval.
	Wrap []Middleware
	// Observe is told of every call once it has ended. It must be safe for concurrent use.
	Observe func(context.Context, Record)
	// Logger gets one line a call: at level Info where the call was answered or the caller is to blame, Warn for kinds
	// [Outside], [Denied], [Failed] and [Timeout], Error for [Internal]. Arguments and content are not logged, but messages
	// of errors may repeat parts of arguments. Nil logs nothing.
	Logger *slog.Logger
	// Clock tells the time for records, and for nothing else: deadlines are timers of the runtime. Nil means [time.Now].
	Clock func() time.Time
}

// A Registry is a fixed set of tools and the one place where policy, deadlines, panics, budgets and the account of each
// call are dealt with. It is safe for concurrent use.
type Registry struct {
	tools    []Tool
	specs    []Spec
	verdicts []verdict
	handlers []Handler
	options  RegistryOptions
	slots    *slots
}

// NewRegistry makes a registry of the tools, shown in the order given. An id that is not "dialect/name", a name that
// providers do not accept, two tools that "<dialect>_<name>" does not tell apart, an input schema that is not of type
// "object", and a policy word that names no tool are errors.
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
	if o.MaxCalls <= 0 {
		o.MaxCalls = 64
	}
	if o.Clock == nil {
		o.Clock = time.Now
	}
	r := &Registry{options: o, slots: newSlots(o.MaxCalls)}
	for i, t := range tools {
		if chosen[i] {
			r.tools = append(r.tools, t)
			r.specs = append(r.specs, specs[i])
			r.verdicts = append(r.verdicts, verdicts[i])
			r.handlers = append(r.handlers, r.handler(t, specs[i], verdicts[i]))
		}
	}
	return r, nil
}

// Select returns a registry of those of the tools that the words name, in the words that [Policy] describes; none name
// all. It shares the rest with r: rules, limits, and how many calls may run at once.
func (r *Registry) Select(words ...string) (*Registry, error) {
	chosen, err := choose(r.specs, words)
	if err != nil {
		return nil, err
	}
	s := &Registry{options: r.options, slots: r.slots}
	for i := range r.tools {
		if chosen[i] {
			s.tools = append(s.tools, r.tools[i])
			s.specs = append(s.specs, r.specs[i])
			s.verdicts = append(s.verdicts, r.verdicts[i])
			s.handlers = append(s.handlers, r.handlers[i])
		}
	}
	return s, nil
}

// Definitions returns the tools under the names by which they are shown together.
func (r *Registry) Definitions() []Definition { return define(r.specs) }

// Lookup returns the tool called name: its id, its published name where no other tool has it, or "<dialect>_<name>".
// The error matches [ErrUnknownTool] and lists what there is.
func (r *Registry) Lookup(name string) (Spec, error) {
	i, err := find(r.specs, name)
	if err != nil {
		return Spec{}, err
	}
	return r.specs[i], nil
}

// Call calls the tool called name (see [Registry.Lookup]) and returns its answer. An error is always an [*Error]. Call
// returns when ctx or the timeout ends, also where the tool does not.
func (r *Registry) Call(ctx context.Context, name string, c Call) (Result, error) {
	return r.call(ctx, name, c, func(i int) (Tool, Handler) { return r.tools[i], r.handlers[i] })
}

// CallAs does work in the place of the tool called name, and under all the rules that hold for its calls: policy,
// approval, middleware, a slot, the time limit, the budget and the record. It is for a face that gives another way to
// what a tool gives. Errors keep their own words.
func (r *Registry) CallAs(ctx context.Context, name string, c Call, work Handler) (Result, error) {
	return r.call(ctx, name, c, func(i int) (Tool, Handler) {
		t := standIn{r.tools[i], work}
		return t, r.handler(t, r.specs[i], r.verdicts[i])
	})
}

// A standIn is a tool whose work is another's.
type standIn struct {
	Tool
	work Handler
}

func (s standIn) Call(ctx context.Context, c Call) (Result, error) { return s.work(ctx, c) }

// call makes a call with what pick returns for the index of the tool called name.
func (r *Registry) call(ctx context.Context, name string, c Call, pick func(i int) (Tool, Handler)) (Result, error) {
	c.Budget = r.effective(c.Budget)
	record := Record{Name: name, Call: c, Start: r.options.Clock()}
	if i, err := find(r.specs, name); err != nil {
		record.Err = &Error{Kind: BadArguments, Message: err.Error(), Err: err}
	} else {
		record.Tool = r.specs[i]
		t, h := pick(i)
		r.run(ctx, t, h, &record)
	}
	record.Duration = r.options.Clock().Sub(record.Start)
	r.options.tell(ctx, record)
	if record.Err != nil {
		return Result{}, record.Err
	}
	return record.Result, nil
}

// run makes the call of the record with the handler of t.
func (r *Registry) run(ctx context.Context, t Tool, h Handler, record *Record) {
	ctx, m := meter.New(ctx)
	result, err := recovered(ctx, func(ctx context.Context) (Result, error) { return r.bounded(ctx, h, record.Call) })
	record.Root, record.Entries, record.Bytes = m.Totals()
	if err == nil {
		record.Result = result
		return
	}
	record.Err = asError(err)
	if p, ok := t.(Publisher); ok {
		p.PublishError(record.Err)
	}
}

// effective folds the registry's own limit into a call's budget.
func (r *Registry) effective(b Budget) Budget {
	limit, limited := b.Limit()
	if own := r.options.MaxOutputBytes; own > 0 && (!limited || own < limit) {
		limit, limited = own, true
	}
	if !limited {
		return Budget{}
	}
	return Budget{MaxOutputBytes: &limit}
}

// bounded makes the call within its time, which covers waiting for an approver as well, but not for a turn.
func (r *Registry) bounded(ctx context.Context, h Handler, c Call) (Result, error) {
	if r.options.Timeout > 0 {
		c := startClock(ctx, r.options.Timeout)
		defer c.end(context.Canceled)
		ctx = c
	}
	result, err := h(ctx, c)
	if err == nil {
		err = fits(result, c.Budget)
	}
	return result, err
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

// fits holds a tool to what it promised: content that is UTF-8 and inside the budget.
func fits(result Result, b Budget) error {
	if limit, limited := b.Limit(); limited && result.size() > limit {
		return &Error{Kind: Failed, Message: fmt.Sprintf("the output limit of %d bytes is too small for the answer; raise it or ask for less", limit)}
	}
	for _, p := range result.Parts {
		if !utf8.ValidString(p.Text) {
			return errors.New("the content is not UTF-8")
		}
	}
	return nil
}

// recovered calls f and turns a panic into an error that carries the stack.
func recovered(ctx context.Context, f func(context.Context) (Result, error)) (result Result, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = &Error{Kind: Internal, Message: "internal error; the call was given up", Err: fmt.Errorf("panic: %v\n%s", p, debug.Stack())}
		}
	}()
	return f(ctx)
}
