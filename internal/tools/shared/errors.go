package shared

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"

	"gander/internal/files/text"
	"gander/internal/files/workspace"
	"gander/tool"
)

// A Cause classifies a file error.
type Cause uint8

// The causes. Other is the cause of all remaining errors.
const (
	Other Cause = iota
	Outside
	BadPath
	DeniedPath // by a deny pattern
	NotPermitted
	Permission
	NotExist
	NotDirectory
	IsDirectory
	NotRegular
	Loop
	NameTooLong
	TooManyFiles
	IOError
)

// CauseOf returns the cause of a file error.
func CauseOf(err error) Cause {
	for _, c := range []struct {
		err   error
		cause Cause
	}{
		{workspace.ErrOutside, Outside},
		{fs.ErrInvalid, BadPath},
		{workspace.ErrDenied, DeniedPath},
		{syscall.EPERM, NotPermitted},
		{fs.ErrPermission, Permission},
		{fs.ErrNotExist, NotExist},
		{workspace.ErrNotDirectory, NotDirectory},
		{workspace.ErrIsDirectory, IsDirectory},
		{workspace.ErrNotRegular, NotRegular},
		{workspace.ErrLoop, Loop},
		{syscall.ENAMETOOLONG, NameTooLong},
		{syscall.EMFILE, TooManyFiles},
		{syscall.EIO, IOError},
	} {
		if errors.Is(err, c.err) {
			return c.cause
		}
	}
	return Other
}

// ErrorKind returns the kind of the tool error for a file error.
func ErrorKind(err error) tool.Kind {
	switch CauseOf(err) {
	case Outside:
		return tool.Outside
	case BadPath:
		return tool.BadArguments
	case DeniedPath, NotPermitted, Permission:
		return tool.Denied
	case NotExist:
		return tool.NotFound
	case NotDirectory:
		return tool.NotDirectory
	default:
		return tool.Failed
	}
}

// NewError returns the tool error for the file error err. Its kind is derived from err. Context
// errors are returned unchanged.
func NewError(err error, message string) error {
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
		return err
	}
	return &tool.Error{Kind: ErrorKind(err), Message: message, Err: err}
}

// ErrorTexts holds a tool's messages for file errors by cause. "%s" is replaced by [PathErrorText].
// The default is the message of Other, and the default of Other is "%s".
type ErrorTexts map[Cause]string

// Of returns the message for err.
func (t ErrorTexts) Of(err error) string {
	format, ok := t[CauseOf(err)]
	if !ok {
		format = t[Other]
	}
	if format == "" {
		format = "%s"
	}
	return strings.ReplaceAll(format, "%s", PathErrorText(err))
}

// NodeTexts returns the codes and messages of system errors in Node.js.
func NodeTexts() ErrorTexts {
	const permission = "EACCES: permission denied"
	return ErrorTexts{
		DeniedPath:   permission,
		Permission:   permission,
		NotPermitted: "EPERM: operation not permitted",
		NotExist:     "ENOENT: no such file or directory",
		NotDirectory: "ENOTDIR: not a directory",
		NotRegular:   "ENXIO: no such device or address",
		Loop:         "ELOOP: too many symbolic links encountered",
		NameTooLong:  "ENAMETOOLONG: name too long",
		TooManyFiles: "EMFILE: too many open files",
		IOError:      "EIO: i/o error",
		Other:        "UNKNOWN: %s",
	}
}

// PathErrorText is like [ErrorText], but if a deny pattern matches the path of the call, it names
// the pattern.
func PathErrorText(err error) string {
	if denied, ok := errors.AsType[*workspace.DeniedError](err); ok {
		return denied.Error()
	}
	return ErrorText(err)
}

// ErrorText returns the message for a file error. The most common errors have Linux's messages, in
// lower case, on every system.
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

// BadArguments returns an error of kind [tool.BadArguments].
func BadArguments(format string, args ...any) error {
	return &tool.Error{Kind: tool.BadArguments, Message: fmt.Sprintf(format, args...)}
}

// TooSmall returns the error about a budget that is too small for any result.
func TooSmall(b tool.Budget) error {
	limit, _ := b.Limit()
	message := "the output limit of %d bytes is too small for any answer; raise it"
	return &tool.Error{Kind: tool.Failed, Message: fmt.Sprintf(message, limit)}
}

// Excerpt returns at most 60 bytes of a value that the caller has sent, escaped to fit on one line.
func Excerpt[T ~string | ~[]byte](value T) string { return ExcerptOf(value, 60) }

// ExcerptOf is [Excerpt] for at most limit bytes.
func ExcerptOf[T ~string | ~[]byte](value T, limit int) string {
	shown := text.Cut(string(value[:min(len(value), limit+4)]), limit)
	if len(shown) < len(value) {
		shown += "..."
	}
	return text.Escape(shown)
}

// Printable returns a name for a text result. Unless it is verbatim, characters that could forge
// output are escaped.
func Printable(name []byte, verbatim bool) []byte {
	if verbatim {
		return name
	}
	return text.EscapeBytes(name)
}
