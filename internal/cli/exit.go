package cli

import (
	"cmp"
	"context"
	"errors"

	"gander/tool"
)

// The exit codes, whose meanings never change. 7 is reserved for truncated output. A process that a
// signal ends exits with 128 plus the number of the signal.
const (
	exitOK          = 0
	exitFailed      = 1 // a call or a stream failed, or a search found nothing
	exitUsage       = 2 // the command, its configuration or its roots are wrong
	exitOutside     = 5
	exitTimeout     = 8
	exitInterrupted = 130
)

// exitHelp is the list of the codes in the help.
const exitHelp = `Exit codes: 0 success, 1 failed or nothing found, 2 wrong usage, pattern,
configuration or roots; list, read, find and search also 3 not found,
4 not a directory, 5 outside, 6 denied, 8 timeout; 130 interrupted`

// errNothingFound ends a search without results. It is not printed.
var errNothingFound = errors.New("nothing found")

// A failure is an error that exits with 1, regardless of the errors it wraps.
type failure struct{ error }

func (f failure) Unwrap() error { return f.error }

// failed returns err as a [failure], or nil.
func failed(err error) error {
	if err == nil {
		return nil
	}
	return failure{err}
}

// exitCode returns the exit code for err. By default an error is a usage error.
func exitCode(err error) int {
	if _, ok := errors.AsType[failure](err); ok {
		return exitFailed
	}
	if e, ok := errors.AsType[*tool.Error](err); ok {
		return cmp.Or(map[tool.Kind]int{
			tool.BadArguments: exitUsage,
			tool.NotFound:     3,
			tool.NotDirectory: 4,
			tool.Outside:      exitOutside,
			tool.Denied:       6,
			tool.Timeout:      exitTimeout,
			tool.Cancelled:    exitInterrupted,
		}[e.Kind], exitFailed)
	}
	switch {
	case err == nil:
		return exitOK
	case errors.Is(err, context.DeadlineExceeded):
		return exitTimeout
	case errors.Is(err, context.Canceled):
		return exitInterrupted
	}
	return exitUsage
}
