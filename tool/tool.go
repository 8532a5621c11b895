// Package tool is the contract between tools and their callers: a [Spec] describes a [Tool], a
// [Call] is answered with a [Result] or an [Error], and [Middleware] and a [Policy] apply to calls.
package tool

import (
	"context"
	"encoding/json"
)

// A Tool answers calls. Implementations must be safe for concurrent use.
type Tool interface {
	// Spec describes the tool. It returns the same value every time.
	Spec() Spec
	// Call answers a call. It must return soon after ctx ends. The budget of c includes all limits.
	// An error that is not an [*Error] is a fault of the tool, except for context errors.
	Call(ctx context.Context, c Call) (Result, error)
}

// A Risk is the amount of harm that a tool can do.
type Risk string

// The levels of risk.
const (
	Low    Risk = "Low"
	Medium Risk = "Medium"
	High   Risk = "High"
)

// A Spec describes a tool.
type Spec struct {
	ID          string          // "set/name"; tools of a set belong together
	Name        string          // for a model; "set_name" if several tools have the name
	Title       string          // for people
	Description string          // for a model
	Input       json.RawMessage // schema of the arguments; if empty, they are any object
	Output      json.RawMessage // schema of the result; empty if it is text

	SideEffects      bool // a call can change something
	RequiresApproval bool // every call needs approval, whatever the Policy says
	Risk             Risk // the amount of harm that a call can do
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

// DataLimit returns the limit on data, if any.
func (b Budget) DataLimit() (bytes int, limited bool) {
	if b.MaxDataBytes == nil {
		return 0, false
	}
	return max(*b.MaxDataBytes, 0), true
}

// A Handler answers a call of one tool.
type Handler func(ctx context.Context, c Call) (Result, error)

// Middleware wraps the calls of the tool that s describes. It returns a handler that can change the
// call, reject it, or act before and after it calls next. An error of next is an [*Error] that is
// not yet in the published words of the tool. The handler must be safe for concurrent use and must
// return soon after its context ends.
//
// Middleware runs before a call waits for others, and before its timeout starts.
type Middleware func(s Spec, next Handler) Handler

// A Policy determines which calls are allowed. The lists contain words for tools: an id
// ("codex/read_file"), a published name that only one tool has, a set ("codex"), or "all". A word
// that names no tool is an error. The zero value allows all calls.
type Policy struct {
	Allow  []string // the tools that can be called; empty means all
	Deny   []string // the tools that cannot be called; precedes the other lists
	Prompt []string // the tools whose calls need approval; precedes Allow

	// Approve returns nil to allow a call that needs approval, or else the reason to reject it. It can
	// take as long as a person needs, and must return soon after ctx ends. Nil rejects such calls.
	Approve func(ctx context.Context, s Spec, c Call) error
}
