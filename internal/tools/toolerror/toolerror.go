// Package toolerror makes the errors of tools, in particular from errors about files. Their kind
// and their message depend on the cause.
//
// A message is one line, whatever a name or an argument in it contains: it is escaped here. Only
// [Lines] makes errors of several.
package toolerror

import (
	"cmp"
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

// A cause is an error that determines the kind and the message of a file error.
type cause struct {
	err  error
	kind tool.Kind
}

// causes are in order of precedence.
var causes = []cause{
	{workspace.ErrOutside, tool.Outside},
	{fs.ErrInvalid, tool.BadArguments},
	{workspace.ErrDenied, tool.Denied},
	{syscall.EPERM, tool.Denied},
	{fs.ErrPermission, tool.Denied},
	{fs.ErrNotExist, tool.NotFound},
	{workspace.ErrNotDirectory, tool.NotDirectory},
	{workspace.ErrIsDirectory, tool.Failed},
	{workspace.ErrNotRegular, tool.Failed},
	{workspace.ErrLoop, tool.Failed},
	{syscall.ENAMETOOLONG, tool.Failed},
	{syscall.EMFILE, tool.Failed},
	{syscall.ENFILE, tool.Failed},
	{syscall.EIO, tool.Failed},
}

// causeOf returns the cause of a file error, without an error if it is unknown.
func causeOf(err error) cause {
	for _, c := range causes {
		if errors.Is(err, c.err) {
			return c
		}
	}
	return cause{kind: tool.Failed}
}

// Cause returns the error that determines the kind and the message of a file error, or nil. It is
// one of the packages workspace, fs and syscall.
func Cause(err error) error { return causeOf(err).err }

// KindOf returns the kind of a tool error, or of the tool error for a file error.
func KindOf(err error) tool.Kind {
	if e, ok := errors.AsType[*tool.Error](err); ok {
		return e.Kind
	}
	return causeOf(err).kind
}

// New returns the tool error for the file error err, with a message that may contain any names. Its
// kind is derived from err. Context errors are returned unchanged.
func New(err error, message string) error { return Lines(err, message) }

// Lines is [New] for a message of several lines.
func Lines(err error, lines ...string) error {
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
		return err
	}
	return &tool.Error{Kind: KindOf(err), Message: joined(lines), Err: err}
}

func joined(lines []string) string {
	var message strings.Builder
	for i, line := range lines {
		if i > 0 {
			message.WriteByte('\n')
		}
		message.WriteString(escaped(text.Lossy(line)))
	}
	return message.String()
}

// escaped returns a line of a message as it is printed. NUL stays: no name has one, and the
// official filesystem server repeats that of an argument.
func escaped(line string) string {
	parts := strings.Split(line, "\x00")
	for i, part := range parts {
		parts[i] = text.Escape(part)
	}
	return strings.Join(parts, "\x00")
}

// Texts holds a tool's messages for file errors by [Cause]. {error} is replaced by [PathText]. The
// default is the message of nil, and the default of that is "{error}".
type Texts map[error]string

// Of returns the message for err.
func (t Texts) Of(err error) string {
	return strings.ReplaceAll(cmp.Or(t[Cause(err)], t[nil], "{error}"), "{error}", PathText(err))
}

// New is [New] with the message for err. If err is nil or a tool error, New returns it.
func (t Texts) New(err error) error {
	if isDone(err) {
		return err
	}
	return New(err, t.Of(err))
}

func isDone(err error) bool {
	_, isToolError := errors.AsType[*tool.Error](err)
	return isToolError || err == nil
}

// nodeTexts are the texts of Node.js.
var nodeTexts = Texts{
	workspace.ErrDenied:       noAccess,
	fs.ErrPermission:          noAccess,
	syscall.EPERM:             "EPERM: operation not permitted",
	fs.ErrNotExist:            "ENOENT: no such file or directory",
	workspace.ErrNotDirectory: "ENOTDIR: not a directory",
	workspace.ErrNotRegular:   "ENXIO: no such device or address",
	workspace.ErrLoop:         "ELOOP: too many symbolic links encountered",
	syscall.ENAMETOOLONG:      "ENAMETOOLONG: name too long",
	syscall.EMFILE:            "EMFILE: too many open files",
	syscall.ENFILE:            "ENFILE: file table overflow",
	syscall.EIO:               "EIO: i/o error",
	nil:                       "UNKNOWN: {error}",
}

const noAccess = "EACCES: permission denied"

// Node returns the error of a system call that failed with err, with the text of Node.js. If err is
// nil or a tool error, Node returns it.
func Node(err error, call, path string) error {
	if isDone(err) {
		return err
	}
	return New(err, fmt.Sprintf("%s, %s '%s'", nodeTexts.Of(err), call, path))
}

// PathText is [Text], except that it names the deny pattern that matches the path of the call.
func PathText(err error) string {
	if denied, ok := errors.AsType[*workspace.DeniedError](err); ok {
		return denied.Error()
	}
	return Text(err)
}

// Text returns the message for a file error. The most common errors have Linux's messages, in
// lower case, on every system.
func Text(err error) string {
	switch {
	case errors.Is(err, workspace.ErrRefused):
		return workspace.ErrRefused.Error()
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
	return Problems(fmt.Sprintf(format, args...))
}

// Problems returns an error of kind [tool.BadArguments] with a message of several lines.
func Problems(lines ...string) error {
	return &tool.Error{Kind: tool.BadArguments, Message: joined(lines)}
}

// Failed returns an error of kind [tool.Failed].
func Failed(format string, args ...any) error {
	message := joined([]string{fmt.Sprintf(format, args...)})
	return &tool.Error{Kind: tool.Failed, Message: message}
}

// TooSmall returns the error about a budget that is too small for any result.
func TooSmall(b tool.Budget) error {
	limit, _ := b.Limit()
	return Failed("the output limit of %d bytes is too small for any answer; raise it", limit)
}
