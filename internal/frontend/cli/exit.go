package cli

import (
	"context"
	"errors"

	"gander/tool"
)

// The exit codes. They are part of what the program promises: a number keeps its meaning. A process ended by a signal
// exits with 128 and the signal's number.
const (
	exitOK           = 0
	exitFailed       = 1 // a call or a stream failed; for the commands for people, anything without a code of its own
	exitUsage        = 2 // the command, its configuration or its roots are wrong
	exitNotFound     = 3
	exitNotDirectory = 4
	exitOutside      = 5
	exitDenied       = 6
	exitTruncated    = 7 // only where the command line asks for it
	exitTimeout      = 8
	exitInterrupted  = 130
)

// exitHelp lists the codes as the help shows them.
const exitHelp = `Exit codes: 0 answered, 1 failed, 2 wrong usage, configuration or roots;
  tree, ls, read, why: 3 not found, 4 not a directory, 5 outside, 6 denied,
  7 truncated (with --fail-on-truncate), 8 timeout; 130 interrupted`

// A failure is an error that changing the command line would not mend. It exits with 1, whatever it wraps: the commands
// that programs call tell one failure from another by what they print.
type failure struct{ error }

func (f failure) Unwrap() error { return f.error }

// truncated is the error of a command that has shown a part of what there is and was told to fail then. What it shows
// is complete in itself and has been written before.
type truncated struct {
	// by says what has cut it, as in "the limit of 100 entries".
	by string
}

func (t truncated) Error() string { return "the answer is cut by " + t.by }

// exitCode returns the code that err exits with. An error that says nothing of itself is one of usage.
func exitCode(err error) int {
	var cut truncated
	var told *tool.Error
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, new(failure)):
		return exitFailed
	case errors.As(err, &cut):
		return exitTruncated
	case errors.As(err, &told):
		return exitCodeOf(told.Kind)
	case errors.Is(err, context.DeadlineExceeded):
		return exitTimeout
	case errors.Is(err, context.Canceled):
		return exitInterrupted
	default:
		return exitUsage
	}
}

func exitCodeOf(kind tool.Kind) int {
	switch kind {
	case tool.BadArguments:
		return exitUsage
	case tool.NotFound:
		return exitNotFound
	case tool.NotDirectory:
		return exitNotDirectory
	case tool.Outside:
		return exitOutside
	case tool.Denied:
		return exitDenied
	case tool.Timeout:
		return exitTimeout
	case tool.Cancelled:
		return exitInterrupted
	default:
		return exitFailed
	}
}
