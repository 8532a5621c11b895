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

// Risk is the amount of harm that a tool can do.
type Risk string

// The levels of risk.
const (
	Low    Risk = "Low"
	Medium Risk = "Medium"
	High   Risk = "High"
)

// A Spec describes a tool.
type Spec struct {
	// ID identifies the tool: "set/name", in which set is a word for the tools that belong together.
	ID string
	// Name is the published name. Tools of different sets can have the same name; in what a toolset
	// returns, it is then "set_name".
	Name string
	// Title is a name for people.
	Title string
	// Description tells a model what the tool does.
	Description string
	// Input is the JSON schema of the arguments. If empty, they are any object.
	Input json.RawMessage
	// Output is the JSON schema of the result. It is empty if the result is text.
	Output json.RawMessage

	// SideEffects reports whether a call can change anything.
	SideEffects bool
	// RequiresApproval makes every call subject to approval, whatever the [Policy] says.
	RequiresApproval bool
	// Risk is the amount of harm that a call can do.
	Risk Risk
}

// A Call is a request to a tool.
type Call struct {
	// Args are the arguments: one JSON object. Empty means an empty object.
	Args json.RawMessage
	// Budget limits the result.
	Budget Budget
}

// A Budget limits the size of a result. Nil means no limit, 0 is a limit.
type Budget struct {
	// MaxOutputBytes is the maximum size of the text.
	MaxOutputBytes *int
	// AvailableBytes is the size of text for which the caller has capacity.
	AvailableBytes *int
	// MaxDataBytes is the maximum size of all other parts together, before they are encoded.
	MaxDataBytes *int
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
	// Allow are the tools that can be called. Empty means all.
	Allow []string
	// Deny are the tools that cannot be called. It precedes the other lists.
	Deny []string
	// Prompt are the tools whose calls need approval. It precedes Allow.
	Prompt []string
	// Approve decides about a call that needs approval. It returns nil to allow the call, or else the
	// reason to reject it. It can take as long as a person needs, and must return soon after ctx
	// ends. If Approve is nil, such calls are rejected.
	Approve func(ctx context.Context, s Spec, c Call) error
}
