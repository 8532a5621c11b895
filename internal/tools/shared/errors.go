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

// A Cause is the reason of an error of the files.
type Cause uint8

// The causes of errors. Other is the cause of all others.
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

// CauseOf returns the cause of an error of the files.
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

// ErrorKind returns the kind of tool error for an error of the files.
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

// NewError returns the tool error for err, an error of the files, with a kind derived from err. It
// returns context errors unchanged.
func NewError(err error, message string) error {
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
		return err
	}
	return &tool.Error{Kind: ErrorKind(err), Message: message, Err: err}
}

// ErrorTexts holds the texts of a tool for errors of the files. "%s" is replaced by
// [PathErrorText]. A cause without a text has the text of Other. The default of Other is "%s".
type ErrorTexts map[Cause]string

// Of returns the text for an error.
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

// NodeTexts returns the codes and texts of system errors in Node.js.
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

// PathErrorText is [ErrorText] for the path of a call: it names the pattern that denies the path.
func PathErrorText(err error) string {
	if denied, ok := errors.AsType[*workspace.DeniedError](err); ok {
		return denied.Error()
	}
	return ErrorText(err)
}

// ErrorText returns the text of an error of the files. The most frequent errors have the text of
// Linux, in lower case, on every system.
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

// Excerpt returns at most 60 bytes of a value of the caller, escaped so that it is on one line.
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
