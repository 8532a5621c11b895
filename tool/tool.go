// Package tool is the contract between tools and their callers: what a tool says of itself ([Spec]), what it is asked
// ([Call]), what it answers ([Result], [Error]), and the place through which every call goes ([Registry]). It knows nothing
// of files, of protocols, or of any particular tool.
package tool

import (
	"context"
	"encoding/json"
)

// A Tool answers calls of one kind. Implementations must be safe for concurrent use.
type Tool interface {
	// Spec describes the tool. It returns the same value every time.
	Spec() Spec
	// Call does the work. It must return soon after ctx ends. The budget in c is already the effective one; the tool need
	// not look for other limits. The error is an [*Error], or anything else that the registry turns into one.
	Call(ctx context.Context, c Call) (Result, error)
}

// A Publisher is a Tool that has published words for its errors. The registry hands it every error of a call before the
// caller sees it, including errors that the tool did not make, such as those of the policy, a timeout or a panic.
type Publisher interface {
	// PublishError rewords the error, which belongs to the call alone.
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
	// DialectHint is what the instructions say about all tools of the dialect, in whole sentences. They say it once.
	DialectHint string
	// Input is the JSON schema of the arguments, byte for byte as published. Empty stands for one of any object.
	Input json.RawMessage
	// Output is the JSON schema of the answer if that is JSON. Empty if it is text.
	Output json.RawMessage
	// ContentOutput says that Output describes an object whose only key, content, holds the first part of the answer: its text,
	// or, if it is no text, a list of the block that a protocol has for it. A server then gives that object with every answer.
	ContentOutput bool
	// Annotations are what the tool publishes of its effects, one JSON object in the words of the Model Context Protocol. Empty
	// leaves them to the server.
	Annotations json.RawMessage
	// Server is the program that first published the tool, if clients may expect more of it than the tool.
	Server *Server

	// PathArgument is the argument that holds the path which a call is about. Empty if the tool has none.
	PathArgument string
	// Resource is the type of resource that is read under the rules of this tool, if any. It needs a PathArgument.
	Resource ResourceType
	// Command describes the tool as a command for people, if it is one.
	Command Command

	// SideEffects says that a call may change something.
	SideEffects bool
	// RequiresApproval has every call put to the [Approver], whatever the policy says of the tool.
	RequiresApproval bool
	// Risk is how much harm the tool can do.
	Risk Risk
}

// A Server is how a program presents itself to clients. A server that offers only tools of one such program does the same, and adds
// nothing to their definitions, so that it can take its place.
type Server struct {
	// Name and Version are what it says it is.
	Name, Version string
	// UnknownTool is the format of the text about a tool that there is not, given its name.
	UnknownTool string
	// Started is the line that it writes to standard error when it is ready for a client there. It may be empty.
	Started string
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

// A Budget limits the size of an answer. A nil field sets no limit; a limit of 0 is a limit.
type Budget struct {
	// MaxOutputBytes is a limit that the caller sets on the bytes of the text.
	MaxOutputBytes *int
	// AvailableBytes is how much room for text the caller has left.
	AvailableBytes *int
	// MaxDataBytes is a limit on the bytes of all other parts together, before they are encoded. Models do not read these as
	// text, so they have a limit of their own.
	MaxDataBytes *int
}

// Limit returns the smaller of the two limits on text, and whether there is one at all.
func (b Budget) Limit() (bytes int, limited bool) {
	for _, p := range []*int{b.MaxOutputBytes, b.AvailableBytes} {
		if p != nil && (!limited || *p < bytes) {
			bytes, limited = *p, true
		}
	}
	return max(bytes, 0), limited
}

// DataLimit returns the limit on data, and whether there is one.
func (b Budget) DataLimit() (bytes int, limited bool) {
	if b.MaxDataBytes == nil {
		return 0, false
	}
	return max(*b.MaxDataBytes, 0), true
}
