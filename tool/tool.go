// Package tool is the contract between tools and their callers. A [Spec] describes a [Tool], which
// returns a [Result] or an [Error] for a [Call]. [Middleware] and a [Policy] apply to calls.
package tool

import (
	"context"
	"encoding/json"
)

// A Tool can be called. Implementations must be safe for concurrent use.
type Tool interface {
	// Spec describes the tool. It returns the same value every time.
	Spec() Spec
	// Call must return soon after ctx ends. The budget of c includes all limits. An error that is
	// not an [*Error] is a fault of the tool, except for context errors.
	Call(ctx context.Context, c Call) (Result, error)
}

// A Spec describes a tool.
type Spec struct {
	ID          string          // "set/name"; tools of a set belong together
	Name        string          // for a model; "set_name" if several tools have the name
	Title       string          // for people
	Description string          // for a model
	Input       json.RawMessage // schema of the arguments; if empty, they are any object
	Output      json.RawMessage // schema of the result; empty if it is text

	SideEffects      bool   // a call can change something
	RequiresApproval bool   // every call needs approval, whatever the Policy says
	Risk             string // the harm that a call can do: "Low", "Medium" or "High"
}

// A Call is a request to a tool.
type Call struct {
	Args   json.RawMessage // one JSON object; empty means an empty object
	Budget Budget          // limits the result
}

// A Budget limits the size of a result. Nil means no limit, 0 is a limit.
type Budget struct {
	MaxOutputBytes *int // the maximum size of the text
	AvailableBytes *int // the size of text that the caller has capacity for
	MaxDataBytes   *int // the maximum size of all other parts, before encoding
}

// Limit returns the lower of the two limits on text, if any.
func (b Budget) Limit() (bytes int, limited bool) {
	for _, p := range []*int{b.MaxOutputBytes, b.AvailableBytes} {
		if p != nil && (!limited || *p < bytes) {
			bytes, limited = *p, true
		}
	}
	return max(bytes, 0), limited
}

// A Handler handles the calls of one tool.
type Handler func(ctx context.Context, c Call) (Result, error)

// Middleware wraps the calls of the tool that s describes. Its handler can change a call, reject
// it, or act before and after it calls next, before the call waits for others and its timeout
// starts. Errors of next are of type [*Error]. The handler must be safe for concurrent use and
// return soon after its context ends.
type Middleware func(s Spec, next Handler) Handler

// A Policy determines which calls are allowed. A word in a list is an id ("codex/read_file"), a
// name that only one tool has, a set ("codex") or "all". The zero value allows all calls.
type Policy struct {
	Allow  []string // the tools that can be called; empty means all
	Deny   []string // the tools that cannot be called; precedes the other lists
	Prompt []string // the tools whose calls need approval; precedes Allow

	// Approve returns nil to allow a call that needs approval, or else the reason to reject it. It
	// can take as long as a person needs, until ctx ends. If nil, such calls are rejected.
	Approve func(ctx context.Context, s Spec, c Call) error
}
