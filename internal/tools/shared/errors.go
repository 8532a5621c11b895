package shared

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"gander/internal/files/text"
	"gander/internal/files/workspace"
	"gander/tool"
)

// NewError returns the error of a call that failed with err, an error of the files. Its kind is
// derived from err. It returns an error of the call's context unchanged.
func NewError(err error, message string) error {
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
		return err
	}
	return &tool.Error{Kind: ErrorKind(err), Message: message, Err: err}
}

// ErrorKind returns the kind of tool error for an error of the files.
func ErrorKind(err error) tool.Kind {
	switch {
	case errors.Is(err, workspace.ErrOutside):
		return tool.Outside
	case errors.Is(err, fs.ErrInvalid):
		return tool.BadArguments
	case errors.Is(err, fs.ErrPermission):
		return tool.Denied
	case errors.Is(err, fs.ErrNotExist):
		return tool.NotFound
	case errors.Is(err, workspace.ErrNotDirectory):
		return tool.NotDirectory
	default:
		return tool.Failed
	}
}

// PathMessages are the messages of a tool about the path of a call, by the kind of error. "%s"
// stands for the text of the error. An empty message means Other.
type PathMessages struct {
	Outside, Denied, BadPath, NotFound, NotDirectory, Other string
}

// Error returns the error of a call whose path failed with err.
func (m PathMessages) Error(err error) error {
	message := ""
	switch {
	case errors.Is(err, workspace.ErrDenied):
		message = m.Denied
	case errors.Is(err, workspace.ErrBadPath):
		message = m.BadPath
	default:
		switch ErrorKind(err) {
		case tool.Outside:
			message = m.Outside
		case tool.NotFound:
			message = m.NotFound
		case tool.NotDirectory:
			message = m.NotDirectory
		}
	}
	if message == "" {
		message = m.Other
	}
	if strings.Contains(message, "%s") {
		message = fmt.Sprintf(message, PathErrorText(err))
	}
	return NewError(err, message)
}

// PathErrorText is [ErrorText] for the path of a call: it names the pattern that denies the path.
func PathErrorText(err error) string {
	if denied, ok := errors.AsType[*workspace.DeniedError](err); ok {
		return denied.Error()
	}
	return ErrorText(err)
}

// ErrorText returns the text of an error of the files. The most frequent errors have the same text
// on every system, which is that of Linux in lower case.
func ErrorText(err error) string {
	switch {
	case errors.Is(err, fs.ErrPermission):
		return "permission denied"
	case errors.Is(err, fs.ErrNotExist):
		return "no such file or directory"
	default:
		return err.Error()
	}
}

// Excerpt returns at most 60 bytes of a value of the caller, on one line.
func Excerpt[T ~string | ~[]byte](value T) string {
	const most = 60
	shown := text.Cut(string(value), most)
	if len(shown) < len(value) {
		shown += "..."
	}
	return text.Escape(shown)
}

// TooSmall returns the error of a call whose budget is too small for any result.
func TooSmall(b tool.Budget) error {
	limit, _ := b.Limit()
	return &tool.Error{
		Kind:    tool.Failed,
		Message: fmt.Sprintf("the output limit of %d bytes is too small for any answer; raise it", limit),
	}
}
