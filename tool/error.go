package tool

import (
	"context"
	"errors"
	"io/fs"

	"gander/internal/admission"
)

// Kind says what went wrong. All tools use the same kinds.
type Kind string

// The kinds of error.
const (
	// BadArguments: the arguments are wrong in themselves, or there is no such tool.
	BadArguments Kind = "bad_arguments"
	// Outside: the path leads out of the workspace.
	Outside Kind = "outside"
	// Denied: the policy, the approver, a deny pattern or the file system forbids the call.
	Denied Kind = "denied"
	// NotFound: there is nothing at the path.
	NotFound Kind = "not_found"
	// NotDirectory: a path that should name a directory names something else.
	NotDirectory Kind = "not_a_directory"
	// Failed: the call could not be done, for example because the budget is too small for any answer or a disk fails.
	Failed Kind = "failed"
	// Cancelled: the caller has cancelled the call.
	Cancelled Kind = "cancelled"
	// Timeout: the call took longer than it may.
	Timeout Kind = "timeout"
	// Internal: the tool itself is at fault.
	Internal Kind = "internal"
)

// Sentinels for [errors.Is] on the errors of a call.
var (
	// ErrOutside: the path leads out of the workspace. Whether anything exists there is not told.
	ErrOutside = errors.New("path is outside the workspace")
	// ErrPolicy: the policy refused the call. Such errors are of kind [Denied].
	ErrPolicy = errors.New("refused by policy")
	// ErrUnknownTool: no tool has the name, or several have it.
	ErrUnknownTool = errors.New("unknown tool")
	// ErrBusy: so many calls are stuck in the operating system that no other call is begun.
	ErrBusy = errors.New("too many calls are stuck")
)

// An Error is what a failed call returns. It matches, with [errors.Is], what its kind stands for: [ErrOutside],
// [fs.ErrNotExist] (not found), [fs.ErrPermission] (denied), [context.DeadlineExceeded] (timeout) and
// [context.Canceled] (cancelled), as well as anything Err matches.
type Error struct {
	// Kind says what went wrong.
	Kind Kind
	// Code is the published code, if the tool's specification has one.
	Code string
	// Message is what the model reads, in the published words if there are any.
	Message string
	// Display is a short text for a person. Empty if Message serves both.
	Display string
	// Err is the cause, if there is one to tell.
	Err error
}

// Error returns the message.
func (e *Error) Error() string { return e.Message }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Is reports whether target is the sentinel of e's kind.
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

// asError returns err as an *Error that is a copy, so that publishing it does not change the original.
func asError(err error) *Error {
	var e *Error
	var refused admission.Error
	if errors.As(err, &e) {
		if e == nil { // a nil *Error in an error, whose methods would panic
			return &Error{Kind: Internal, Message: "internal error: the tool failed and did not say why"}
		}
		own := *e
		return &own
	}
	switch {
	case errors.Is(err, admission.ErrBusy):
		return &Error{Kind: Failed, Message: admission.ErrBusy.Error(), Err: ErrBusy}
	case errors.As(err, &refused):
		return &Error{Kind: Failed, Message: err.Error(), Err: err}
	case errors.Is(err, context.DeadlineExceeded):
		return &Error{Kind: Timeout, Message: "the call took longer than its time limit; ask for less, or raise the limit", Err: err}
	case errors.Is(err, context.Canceled):
		return &Error{Kind: Cancelled, Message: "the call was cancelled", Err: err}
	default:
		return &Error{Kind: Internal, Message: "internal error: " + err.Error(), Err: err}
	}
}
