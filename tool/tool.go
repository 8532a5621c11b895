// Package tool is the contract between tools and their callers.
package tool

import (
	"context"
	"encoding/json"
)

// A Tool handles calls. It must be safe for concurrent use.
type Tool interface {
	// Spec describes the tool. It returns the same value every time.
	Spec() Spec
	// Call must return shortly after ctx is done. c.Budget includes all limits. An error that is not
	// an [*Error] gets the [Kind] of the error that it wraps, such as [ErrOutside], or [Internal].
	Call(ctx context.Context, c Call) (Result, error)
}

// A Spec describes a tool.
type Spec struct {
	ID               string          // "set/name"; a set groups related tools
	Name             string          // name for the model; "set_name" if several tools share it
	Title            string          // name for the user
	Description      string          // description for the model
	Input            json.RawMessage // JSON schema of the arguments; empty allows any object
	Output           json.RawMessage // JSON schema of the result; empty for text
	ReadOnly         bool            // a call changes nothing, and depends on the roots alone
	SideEffects      bool            // a call can have side effects; unknown if neither is set
	RequiresApproval bool            // every call that the Policy allows needs approval
	Risk             string          // potential harm of a call: "Low", "Medium" or "High"
}

// A Call is a request to a tool.
type Call struct {
	Args   json.RawMessage // a JSON object; empty means {}
	Budget Budget          // limits on the result
}

// A Budget limits the size of a result. Nil means no limit.
type Budget struct {
	MaxOutputBytes *int // maximum size of the text
	AvailableBytes *int // space that the caller has left for text
	MaxDataBytes   *int // maximum size of all data, before encoding
}

// Limit returns the lower of MaxOutputBytes and AvailableBytes, if any is set.
func (b Budget) Limit() (bytes int, limited bool) {
	for _, p := range []*int{b.MaxOutputBytes, b.AvailableBytes} {
		if p != nil && (!limited || *p < bytes) {
			bytes, limited = *p, true
		}
	}
	return max(bytes, 0), limited
}

// A Handler handles calls to one tool.
type Handler func(ctx context.Context, c Call) (Result, error)

// Middleware wraps the handler of the tool described by s. The returned handler can change or
// reject a call, or act before and after next, in which queueing and the timeout start. Any error
// of next is an [*Error]. It must be safe for concurrent use and return shortly after its context
// is done.
type Middleware func(s Spec, next Handler) Handler

// A Policy determines which calls are allowed. Each selector in a list is an ID
// ("codex/read_file"), an unambiguous name, a set ("codex") or "all". The zero Policy allows all
// calls.
type Policy struct {
	Allow  []string // tools that can be called, besides those in Prompt; empty means all
	Deny   []string // tools that cannot be called; overrides the other lists
	Prompt []string // tools whose calls need approval; overrides Allow
	// Approve returns nil to approve a call, or the reason to reject it. It may block until ctx is
	// done. If nil, all calls that need approval are rejected.
	Approve func(ctx context.Context, s Spec, c Call) error
}
