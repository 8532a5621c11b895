package tool

import (
	"context"
	"errors"
	"io/fs"
)

// A Kind classifies errors. All tools use the same kinds.
type Kind string

// The kinds of errors.
const (
	BadArguments Kind = "bad_arguments"   // the arguments are invalid, or the tool is unknown
	Outside      Kind = "outside"         // the path is outside the workspace
	Denied       Kind = "denied"          // by the policy, a deny pattern or the file system
	NotFound     Kind = "not_found"       // the path does not exist
	NotDirectory Kind = "not_a_directory" // the path is not a directory
	Failed       Kind = "failed"          // for another reason, such as a failing disk
	Cancelled    Kind = "cancelled"       // by the caller
	Timeout      Kind = "timeout"         // the call took too long
	Internal     Kind = "internal"        // a fault of the tool
)

// Errors of calls.
var (
	ErrOutside     = errors.New("path is outside the workspace") // whether or not it exists
	ErrPolicy      = errors.New("refused by policy")
	ErrUnknownTool = errors.New("unknown tool") // no tool or several tools have the name
	ErrBusy        = errors.New("too many calls are stuck")
	ErrClosed      = errors.New("toolset is closed")
)

// An Error is the error of a call.
type Error struct {
	Kind    Kind   // classifies the error
	Code    string // the published code, if any
	Message string // for the model, in the published words, if any
	Display string // for people; if empty, Message is for them as well
	Err     error  // the underlying error, if any
}

// Error returns the message.
func (e *Error) Error() string { return e.Message }

// Unwrap returns the underlying error.
func (e *Error) Unwrap() error { return e.Err }

// Is reports whether target is the error of e's kind: [ErrOutside], [fs.ErrNotExist],
// [fs.ErrPermission] for [Denied], [context.DeadlineExceeded] or [context.Canceled].
func (e *Error) Is(target error) bool {
	switch e.Kind {
	case Outside:
		return target == ErrOutside
	case NotFound:
		return target == fs.ErrNotExist
	case Denied:
		return target == fs.ErrPermission
	case Timeout:
		return target == context.DeadlineExceeded
	case Cancelled:
		return target == context.Canceled
	default:
		return false
	}
}
