// Package tool is the contract between a tool and whatever calls it: what a tool says of itself ([Spec]), what it is
// asked ([Call]), what it answers ([Result], [Error]), and the one place through which every call goes ([Registry]).
// It knows no tool, no file system and no protocol.
package tool

import (
	"context"
	"encoding/json"
)

// A Tool answers calls of one kind. Implementations must be safe for concurrent use.
type Tool interface {
	// Spec describes the tool. It returns the same value every time.
	Spec() Spec
	// Call does the work. It must end soon after ctx does. The budget in c is already the effective one: no other
	// limit needs looking up. An error is either an [*Error] or something the registry turns into one.
	//
	// Where many calls wait for their turn and this one takes long, its context may end early and the call be made once
	// more, unless the Spec says that it has side effects.
	Call(ctx context.Context, c Call) (Result, error)
}

// A Publisher is a Tool that words errors in its own published way. The registry hands it every error of a call,
// those that the tool itself did not make (policy, deadline, panic) included, before the caller sees them.
type Publisher interface {
	// PublishError changes the error, which is a copy of its own.
	PublishError(*Error)
}

// Risk is how much harm a tool can do, in the words of the Forge document (FR-LD-DEF-04).
type Risk string

// The levels of risk.
const (
	Low    Risk = "Low"
	Medium Risk = "Medium"
	High   Risk = "High"
)

// A Spec is what a tool publishes about itself.
type Spec struct {
	// ID names the tool without ambiguity: "dialect/name".
	ID string
	// Name is the published name, which tools of different dialects may share.
	Name string
	// Title is a name for people.
	Title string
	// Description tells a model what the tool does.
	Description string
	// Hint is a clause for the instructions that a server gives a model: what the tool is for, and how to get more. Empty
	// leaves the tool out of the instructions.
	Hint string
	// Input is the JSON schema of the arguments, byte for byte as published. Empty stands for one of any object.
	Input json.RawMessage
	// Output is the JSON schema of the content; empty where the content is text.
	Output json.RawMessage

	// PathArgument is the argument that holds the path which a call is about. Empty if the tool has none.
	PathArgument string
	// Resource is the type of resource that is read under the rules of this tool, if any. It needs a PathArgument.
	Resource ResourceType

	// SideEffects says that a call may change something.
	SideEffects bool
	// RequiresApproval has every call put to the [Approver], whatever the policy says of the tool.
	RequiresApproval bool
	// Risk is how much harm the tool can do.
	Risk Risk
}

// A ResourceType is a type of resource of the workspace.
type ResourceType string

// The types of resource.
const (
	FileResource      ResourceType = "file"
	DirectoryResource ResourceType = "directory"
)

// A Call is one request to a tool.
type Call struct {
	// Args are the arguments as the caller gave them: one JSON object. Empty means an empty object.
	Args json.RawMessage
	// Budget limits the answer.
	Budget Budget
}

// A Budget limits the UTF-8 bytes of an answer's content. A nil field sets no limit; a limit of 0 is a limit.
type Budget struct {
	// MaxOutputBytes is a limit that the caller sets.
	MaxOutputBytes *int
	// AvailableBytes is how much room the caller has left.
	AvailableBytes *int
}

// Limit returns the smaller of the two limits, and whether there is one at all.
func (b Budget) Limit() (bytes int, limited bool) {
	for _, p := range []*int{b.MaxOutputBytes, b.AvailableBytes} {
		if p != nil && (!limited || *p < bytes) {
			bytes, limited = *p, true
		}
	}
	return max(bytes, 0), limited
}
