package command

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"gander/internal/files/workspace"
)

// Arguments are the parsed arguments of a command.
type Arguments struct {
	Name     string
	All      []string // as given
	Options  []Option
	Operands []string
}

// Has reports whether one of some options was given.
func (a Arguments) Has(names ...string) bool {
	return a.Last(names...) != ""
}

// Value returns the last value of an option.
func (a Arguments) Value(name string) (value string, ok bool) {
	for _, o := range a.Options {
		if o.Name == name {
			value, ok = o.Value, true
		}
	}
	return value, ok
}

// Last returns that of some options that was given last, or "".
func (a Arguments) Last(names ...string) (last string) {
	for _, o := range a.Options {
		if slices.Contains(names, o.Name) {
			last = o.Name
		}
	}
	return last
}

// OperandsOr returns the operands, or another if there is none.
func (a Arguments) OperandsOr(other string) []string {
	if len(a.Operands) == 0 {
		return []string{other}
	}
	return a.Operands
}

// Number returns the last value of an option as a number from low to high, or otherwise. The error
// is a Refusal.
func (a Arguments) Number(name string, otherwise, low, high int64) (n int64, err error) {
	n = otherwise
	for _, o := range a.Options {
		if o.Name != name {
			continue
		}
		n, err = strconv.ParseInt(o.Value, 10, 64)
		if err != nil || n < low || n > high {
			return 0, Refuse("%s %s %s: only a number from %d to %d is available here", a.Name, name,
				o.Value, low, high)
		}
	}
	return n, nil
}

// New returns a Command that parses its options as getopt_long does. prepare gets its arguments. If
// its error is not a Refusal, the command reports it, a UsageError as GNU programs do, and exits
// with the status usage. The names are separated by spaces.
func New(
	names, operands string, usage int, o Options, prepare func(Arguments) (Run, error),
) Command {
	parse := func(name string, args []string) (Run, error) {
		a, err := o.Parse(name, args)
		var run Run
		if err == nil {
			run, err = prepare(a)
		}
		if err != nil {
			return Failing(err, usage)
		}
		return run, nil
	}
	return Command{Names: strings.Fields(names), Options: o, Operands: operands, Prepare: parse}
}

// Failing is what a Prepare returns for an error: the error if it is a Refusal, otherwise a Run
// that reports it.
func Failing(err error, status int) (Run, error) {
	if errors.As(err, &Refusal{}) {
		return nil, err
	}
	isUsage := errors.As(err, new(UsageError))
	return func(_ context.Context, c *Call) int {
		text := err.Error()
		if isUsage && c.Name == "diff" {
			text += "\ndiff: Try 'diff --help' for more information."
		} else if isUsage {
			text += "\nTry '" + c.Name + " --help' for more information."
		}
		c.Errorf("%s", text)
		return status
	}, nil
}

// MissingOperand returns the UsageError of a command that has too few operands.
func (a Arguments) MissingOperand() error {
	if len(a.Operands) == 0 {
		return UsageError("missing operand")
	}
	last := a.Operands[len(a.Operands)-1]
	return UsageError("missing operand after ‘" + last + "’")
}

// ExtraOperand returns the UsageError of a command that takes only n operands.
func (a Arguments) ExtraOperand(n int) error {
	return UsageError("extra operand ‘" + a.Operands[n] + "’")
}

// Failures are the texts of errors about an operand: formats for its name, which %q quotes in any
// case, and for the error.
type Failures struct {
	Open, Read string
	Early      bool // they are printed by EarlyErrorf
}

// Open opens an operand: "-" is the standard input. Reading a directory fails.
func (c *Call) Open(ctx context.Context, name string) (*Input, error) {
	if name == "-" {
		return c.In.Share(), nil
	}
	in, err := c.Files.Open(ctx, name)
	if errors.Is(err, workspace.ErrIsDirectory) {
		return NewInput(unreadable{err}, nil), nil
	}
	return in, err
}

type unreadable struct{ err error }

func (u unreadable) Read([]byte) (int, error) { return 0, u.err }

// Each calls do for each operand, or for the standard input if there is none. It reports what
// cannot be opened, and the errors of do except io.EOF, and returns the status 1 then. Empty
// formats are "NAME: ERROR".
func (c *Call) Each(
	ctx context.Context, operands []string, f Failures, do func(in *Input, name string) error,
) (status int) {
	if len(operands) == 0 {
		operands = []string{"-"}
	}
	for _, name := range operands {
		in, err := c.Open(ctx, name)
		if err != nil {
			c.failed(f, f.Open, name, err)
			status = 1
			continue
		}
		err = do(in, name)
		in.Close()
		if err != nil && !errors.Is(err, io.EOF) {
			c.failed(f, f.Read, name, err)
			status = 1
		}
	}
	return status
}

// EachLine calls do for each line of the operands, and with whether the line had an end.
func (c *Call) EachLine(
	ctx context.Context, operands []string, do func(text []byte, ended bool),
) (status int) {
	return c.Each(ctx, operands, Failures{}, func(in *Input, _ string) error {
		lines := Lines{Account: c.Account, End: '\n'}
		for {
			text, ended, err := lines.Next(in)
			if err != nil {
				return err
			}
			do(text, ended)
		}
	})
}

// MustOpen opens an operand. If that fails, it reports the error and ends the command with a
// status.
func (c *Call) MustOpen(ctx context.Context, name string, f Failures, status int) *Input {
	in, err := c.Open(ctx, name)
	if err != nil {
		c.failed(f, f.Open, name, err)
		c.Exit(status)
	}
	return in
}

// Failed reports an error about an operand with a format of Failures.
func (c *Call) Failed(format, name string, err error) { c.failed(Failures{}, format, name, err) }

func (c *Call) failed(f Failures, format, name string, err error) {
	format = cmp.Or(format, "%s: %s")
	isQuoted := strings.Contains(format, "%q")
	report := c.Errorf
	if f.Early {
		report = c.EarlyErrorf
	}
	report(strings.Replace(format, "%q", "%s", 1), Quote(name, isQuoted), Message(err))
}

// Take returns what is buffered, or what the next read returns, and moves behind it. The bytes are
// valid until the next call.
func (in *Input) Take() ([]byte, error) { return in.TakeMost(math.MaxInt64) }

// TakeMost is like Take, for at most a number of bytes.
func (in *Input) TakeMost(most int64) ([]byte, error) {
	if _, err := in.Peek(1); err != nil {
		return nil, err
	}
	b, _ := in.Peek(int(min(most, int64(in.Buffered()))))
	_, _ = in.Discard(len(b))
	return b, nil
}

// CopyLines writes the next n lines, which end ends, and moves behind them.
func (in *Input) CopyLines(a *Account, to io.Writer, n int64, end byte) error {
	for n > 0 {
		a.Tick()
		text, err := in.ReadSlice(end)
		to.Write(text)
		if err != nil && !errors.Is(err, bufio.ErrBufferFull) {
			return err
		}
		if err == nil {
			n--
		}
	}
	return nil
}
