package shared

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"gander/internal/files/text"
	"gander/internal/files/workspace"
	"gander/tool"
)

// NewError returns the error of a call that failed with err, an error of the engine. Its message is in the dialect's words,
// and its kind is that of err. It returns an error of the call's context as it is, because the registry has the message.
func NewError(err error, message string) error {
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
		return err
	}
	return &tool.Error{Kind: ErrorKind(err), Message: message, Err: err}
}

// ErrorKind returns the kind of tool error that an error of the engine is.
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

// PathErrorText is [ErrorText] for the path that a call asked for: it names the pattern that denies the path.
func PathErrorText(err error) string {
	if denied, ok := errors.AsType[*workspace.DeniedError](err); ok {
		return denied.Error()
	}
	return ErrorText(err)
}

// ErrorText returns the text of an error of the engine. The most frequent ones have the same text on every system, which is
// the one that Linux has, in lower case.
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

// Excerpt returns a value that the caller wrote, as JSON or as its text, in the form in which a message repeats it: at most
// 60 bytes of it, on one line.
func Excerpt[T ~string | ~[]byte](value T) string {
	const most = 60
	shown := text.Cut(string(value), most)
	if len(shown) < len(value) {
		shown += "..."
	}
	return text.Escape(shown)
}

// NewPage returns a page for a text answer under the budget. The error is [TooSmall].
func NewPage(b tool.Budget) (*text.Page, error) {
	limit, limited := b.Limit()
	if limited && limit == 0 {
		return nil, TooSmall(b)
	}
	return text.NewPage(limit), nil
}

// FinishPage returns the answer on a page that [NewPage] made for the same budget. If the page is cut, the last line says so
// and ends with a hint on how to get what follows the items shown; hint may be called several times. The error is [TooSmall].
func FinishPage(page *text.Page, b tool.Budget, hint func(shown int) string) (tool.Result, error) {
	limit, _ := b.Limit()
	cut := false
	content, ok := page.Finish(func(shown int) string {
		cut = true
		return fmt.Sprintf("[gander: output limit of %d bytes reached; %s]", limit, hint(shown))
	})
	if !ok {
		return tool.Result{}, TooSmall(b)
	}
	return tool.Result{Parts: tool.Text(content), Truncated: cut}, nil
}

// TooSmall returns the error of a call whose budget has no room for any valid answer.
func TooSmall(b tool.Budget) error {
	limit, _ := b.Limit()
	return &tool.Error{
		Kind:    tool.Failed,
		Message: fmt.Sprintf("the output limit of %d bytes is too small for any answer; raise it", limit),
	}
}
