package tool

import (
	"context"
	"errors"
	"io/fs"
)

// A Kind classifies errors. All tools use the same kinds.
type Kind string

const (
	BadArguments Kind = "bad_arguments"   // the arguments are invalid, or the tool is unknown
	Outside      Kind = "outside"         // the path is outside the workspace: [ErrOutside]
	Denied       Kind = "denied"          // policy, deny pattern or system: [fs.ErrPermission]
	NotFound     Kind = "not_found"       // the path does not exist: [fs.ErrNotExist]
	NotDirectory Kind = "not_a_directory" // the path is not a directory
	Failed       Kind = "failed"          // any other failure, such as a disk error
	Cancelled    Kind = "cancelled"       // the caller cancelled the call: [context.Canceled]
	Timeout      Kind = "timeout"         // the call took too long: [context.DeadlineExceeded]
	Internal     Kind = "internal"        // the tool has a bug
)

var (
	ErrOutside     = errors.New("path is outside the workspace") // whether or not it exists
	ErrPolicy      = errors.New("refused by policy")             // The call may lack an approval.
	ErrUnknownTool = errors.New("unknown tool")                  // The name may be ambiguous.
	ErrBusy        = errors.New("too many calls are stuck")      // They wait for the file system.
	ErrClosed      = errors.New("toolset is closed")             // This can happen during the call.
)

// An Error describes a failed call.
type Error struct {
	Kind    Kind   // classifies the error
	Code    string // the published code, if any
	Message string // for the model; in a reproduction, the published message
	Display string // for the user; if empty, Message is used
	Err     error  // the underlying error, if any
}

// Error returns e.Message.
func (e *Error) Error() string { return e.Message }

// Unwrap returns e.Err.
func (e *Error) Unwrap() error { return e.Err }

// Is reports whether target is the standard error of e.Kind, such as [ErrOutside] for [Outside].
func (e *Error) Is(target error) bool {
	named, ok := namedErrors[e.Kind]
	return ok && target == named
}

var namedErrors = map[Kind]error{
	Outside:   ErrOutside,
	NotFound:  fs.ErrNotExist,
	Denied:    fs.ErrPermission,
	Timeout:   context.DeadlineExceeded,
	Cancelled: context.Canceled,
}
