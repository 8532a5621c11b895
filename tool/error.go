package tool

import (
	"context"
	"errors"
	"io/fs"
)

// Kind says what went wrong, the same for all tools.
type Kind string

// The kinds of error.
const (
	// BadArguments: the arguments are wrong in themselves, or there is no such tool.
	BadArguments Kind = "bad_arguments"
	// Outside: the path leads out of the workspace.
	Outside Kind = "outside"
	// Denied: the policy, the approver, a deny pattern or the file system forbids it.
	Denied Kind = "denied"
	// NotFound: there is nothing at the path.
	NotFound Kind = "not_found"
	// NotDirectory: something else is where a directory was wanted.
	NotDirectory Kind = "not_a_directory"
	// Failed: it could not be done. The budget is too small for any answer, or the file system fails.
	Failed Kind = "failed"
	// Cancelled: the caller has cancelled the call.
	Cancelled Kind = "cancelled"
	// Timeout: the call's time was over.
	Timeout Kind = "timeout"
	// Internal: the fault is in the tool.
	Internal Kind = "internal"
)

// Sentinels for [errors.Is] on the errors of a call.
var (
	// ErrOutside: the path leads out of the workspace, or to what does not exist outside it; the two are not told apart.
	ErrOutside = errors.New("path is outside the workspace")
	// ErrPolicy: the policy refused the call. Such errors are of kind [Denied].
	ErrPolicy = errors.New("refused by policy")
	// ErrUnknownTool: no tool has that name, or several have it.
	ErrUnknownTool = errors.New("unknown tool")
	// ErrBusy: so many calls are stuck in the operating system that no further one is begun.
	ErrBusy = errors.New("too many calls are stuck")
)

// An Error is what a failed call returns. It matches, with [errors.Is], what its kind stands for: [ErrOutside],
// [fs.ErrNotExist] (not found), [fs.ErrPermission] (denied), [context.DeadlineExceeded] (timeout) and
// [context.Canceled] (cancelled), as well as anything Err matches.
type Error struct {
	// Kind says what went wrong, the same for all tools.
	Kind Kind
	// Code is the published code, where the tool's specification has one.
	Code string
	// Message is what the model reads: the published words, where there are any.
	Message string
	// Display is a short text for a person; empty where Message serves both.
	Display string
	// Err is the cause; nil where there is none to tell.
	Err error
}

// Error returns the message.
func (e *Error) Error() string { return e.Message }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Is reports whether target is the sentinel that stands for e's kind.
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

// asError returns err as an *Error of its own, so that publishing it changes nobody else's value.
func asError(err error) *Error {
	var e *Error
	if errors.As(err, &e) {
		if e == nil { // an error to Go, but one that holds nothing, and whose methods would panic
			return &Error{Kind: Internal, Message: "internal error: the tool failed and did not say why"}
		}
		own := *e
		return &own
	}
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return &Error{Kind: Timeout, Message: "the call took longer than its time limit; ask for less, or raise the limit", Err: err}
	case errors.Is(err, context.Canceled):
		return &Error{Kind: Cancelled, Message: "the call was cancelled", Err: err}
	default:
		return &Error{Kind: Internal, Message: "internal error: " + err.Error(), Err: err}
	}
}
