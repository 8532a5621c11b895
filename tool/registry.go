package tool

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
	"time"
	"unicode/utf8"
)

// RegistryOptions are the rules that hold for every call. The zero value is right: no policy, no limits, no observer.
type RegistryOptions struct {
	// Select chooses among the tools given, in the words that [Policy] describes. Empty chooses all. The words of Policy may
	// name tools that are not chosen.
	Select []string
	Policy Policy
	// Approver is asked where the policy says so. Nil refuses such calls.
	Approver Approver
	// MaxOutputBytes limits the content of every answer, beside the call's own budget. 0 sets no limit.
	MaxOutputBytes int
	// Timeout is the longest a call may take. 0 sets no limit. A call that is still stuck in the operating system when
	// its time is over is left behind and answered.
	Timeout time.Duration
	// MaxCalls is how many calls may run at once; further ones wait for their turn within their own time. 0 means 64.
	MaxCalls int
	// Observe is told of every call once it has ended. It must be safe for concurrent use.
	Observe func(context.Context, Record)
}

// A Record is the account of one call.
type Record struct {
	Tool     Spec
	Call     Call
	Start    time.Time
	Duration time.Duration
	// Result is the answer; it is zero where Err is set.
	Result Result
	Err    *Error
}

// A Registry is a fixed set of tools and the one place where policy, deadlines, panics, budgets and the account of each
// call are dealt with. It is safe for concurrent use.
type Registry struct {
	tools    []Tool
	specs    []Spec
	verdicts []verdict
	options  RegistryOptions
	slots    *slots
}

// NewRegistry makes a registry of the tools, shown in the order given. Two tools with one id, an id that is not
// "dialect/name", a name that providers do not accept, and a policy word that names no tool are errors.
func NewRegistry(o RegistryOptions, tools ...Tool) (*Registry, error) {
	specs := make([]Spec, len(tools))
	for i, t := range tools {
		specs[i] = t.Spec()
	}
	seen := make(map[string]bool)
	for _, s := range specs {
		if !strings.HasSuffix(s.ID, "/"+s.Name) || !validName(s.qualified()) {
			return nil, fmt.Errorf("tool %q: the id must be dialect/name, and dialect_name must match ^[a-zA-Z0-9_-]{1,64}$", s.ID)
		}
		if seen[s.ID] {
			return nil, fmt.Errorf("tool %q is given twice", s.ID)
		}
		seen[s.ID] = true
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
	r := &Registry{options: o, slots: newSlots(o.MaxCalls)}
	for i, t := range tools {
		if chosen[i] {
			r.tools = append(r.tools, t)
			r.specs = append(r.specs, specs[i])
			r.verdicts = append(r.verdicts, verdicts[i])
		}
	}
	return r, nil
}

func validName(s string) bool {
	for i := range len(s) {
		c := s[i]
		if !('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_' || c == '-') {
			return false
		}
	}
	return 0 < len(s) && len(s) <= 64
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
	i, err := find(r.specs, name)
	if err != nil {
		return Result{}, &Error{Kind: BadArguments, Message: err.Error(), Err: err}
	}
	start := time.Now()
	c.Budget = r.effective(c.Budget)
	result, err := r.bounded(ctx, i, c)
	record := Record{Tool: r.specs[i], Call: c, Start: start, Duration: time.Since(start), Result: result}
	if err != nil {
		record.Err = asError(err)
		if p, ok := r.tools[i].(Publisher); ok {
			p.PublishError(record.Err)
		}
	}
	if r.options.Observe != nil {
		r.options.Observe(ctx, record)
	}
	if record.Err != nil {
		return Result{}, record.Err
	}
	return result, nil
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

// bounded makes the call within its time: the deadline covers waiting for an approver and for a turn as well.
func (r *Registry) bounded(ctx context.Context, i int, c Call) (Result, error) {
	if r.options.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, r.options.Timeout)
		defer cancel()
	}
	if err := r.permit(ctx, i, c); err != nil {
		return Result{}, err
	}
	return r.slots.run(ctx, func(ctx context.Context) (Result, error) {
		result, err := r.tools[i].Call(ctx, c)
		if err == nil {
			err = fits(result, c.Budget)
		}
		return result, err
	})
}

// permit applies the policy.
func (r *Registry) permit(ctx context.Context, i int, c Call) error {
	s := r.specs[i]
	switch r.verdicts[i] {
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
	if limit, limited := b.Limit(); limited && len(result.Content) > limit {
		return &Error{Kind: Failed, Message: fmt.Sprintf("the output limit of %d bytes is too small for the answer; raise it or ask for less", limit)}
	}
	if !utf8.ValidString(result.Content) {
		return errors.New("the content is not UTF-8")
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
