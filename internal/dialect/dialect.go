// Package dialect holds what every dialect needs and none owns: what an error of the engine means to a caller, how a text
// answer meets its budget, and how a tool tells why it leaves something out. It knows no dialect's words.
package dialect

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"gander/internal/engine/text"
	"gander/internal/engine/workspace"
	"gander/tool"
)

// Fail returns the error of a call: message in the dialect's words, with the kind that err, an error of the engine, is
// of. An error of the call's context is returned as it is, for the registry to word.
func Fail(err error, message string) error {
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
		return err
	}
	return &tool.Error{Kind: KindOf(err), Message: message, Err: err}
}

// KindOf returns the kind that err, an error of the engine, is of.
func KindOf(err error) tool.Kind {
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

// Words returns the system's words for err in lower case, the same on every system for the errors that occur daily.
func Words(err error) string {
	switch {
	case errors.Is(err, fs.ErrPermission):
		return "permission denied"
	case errors.Is(err, fs.ErrNotExist):
		return "no such file or directory"
	default:
		return err.Error()
	}
}

// Excerpt returns a value that the caller wrote, JSON or its text, as a message may repeat it: short, and on one line.
func Excerpt[T ~string | ~[]byte](value T) string {
	const most = 60
	shown := text.Cut(string(value), most)
	if len(shown) < len(value) {
		shown += "..."
	}
	return text.Escape(shown)
}

// NewPage returns a page for a text answer under the budget.
func NewPage(b tool.Budget) (*text.Page, error) {
	limit, limited := b.Limit()
	if limited && limit == 0 {
		return nil, TooSmall(b)
	}
	return text.NewPage(limit), nil
}

// Cut is the last line of a text answer that the budget has cut, with how to go on.
func Cut(b tool.Budget, goOn string) string {
	limit, _ := b.Limit()
	return fmt.Sprintf("[gander: output limit of %d bytes reached; %s]", limit, goOn)
}

// TooSmall is the error where no valid answer fits the budget.
func TooSmall(b tool.Budget) error {
	limit, _ := b.Limit()
	return &tool.Error{
		Kind:    tool.Failed,
		Message: fmt.Sprintf("the output limit of %d bytes is too small for any answer; raise it", limit),
	}
}
