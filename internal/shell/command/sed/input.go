package sed

import (
	"cmp"
	"context"
	"errors"
	"io"
	"math"

	"gander/internal/shell/command"
)

// An input is the lines of all operands.
type input struct {
	ctx   context.Context // of the call
	c     *command.Call
	names []string // of the operands that are still to be read
	lines command.Lines
	reset func() // is called for each file if it has lines of its own, or is nil

	in     *command.Input // nil between operands
	name   string
	line   int
	failed bool
}

// open opens the next operand, and reports whether there is one.
func (f *input) open() bool {
	for f.in == nil && len(f.names) > 0 {
		name := f.names[0]
		f.names = f.names[1:]
		in, err := f.c.Open(f.ctx, name)
		if err != nil {
			f.c.EarlyErrorf("can't read %s: %s", name, command.Message(err))
			f.failed = true
			continue
		}
		f.in, f.name = in, name
		if f.reset != nil {
			f.line = 0
			f.reset()
		}
	}
	return f.in != nil
}

// more reports whether there is another line, and opens operands until there is one. It passes what
// cannot be read, as sed does while it looks ahead.
func (f *input) more() bool {
	for f.open() {
		if _, err := f.in.Peek(1); err == nil {
			return true
		}
		f.close()
	}
	return false
}

// end closes an operand that is read to its end. Any other error ends the command.
func (f *input) end(err error) {
	if !errors.Is(err, io.EOF) {
		f.c.Account.Check()
		f.c.EarlyErrorf("read error on %s: %s", f.name, command.Message(err))
		f.c.Exit(4)
	}
	f.close()
}

func (f *input) close() {
	if f.in != nil {
		f.in.Close()
	}
	f.in = nil
}

// next returns the next line, which is valid until the next call of a method.
func (f *input) next() (text []byte, ended, ok bool) {
	for f.open() {
		text, ended, err := f.lines.Next(f.in)
		if err == nil {
			f.line++
			return text, ended, true
		}
		f.end(err)
	}
	return nil, false, false
}

// skip passes n lines. With all, it passes the rest, and reads it only on the standard input.
func (f *input) skip(n int) {
	for n == all && f.open() {
		_, err := f.in.Peek(1)
		if f.name == "-" {
			err = f.in.CopyLines(f.c.Account, io.Discard, math.MaxInt64, f.lines.End)
		}
		f.end(cmp.Or(err, io.EOF))
	}
	for n > 0 && f.open() {
		if _, _, err := f.lines.Next(f.in); err != nil {
			f.end(err)
			continue
		}
		f.line++
		n--
	}
}

// all is the number of all lines.
const all = math.MaxInt

// isLast reports whether the current line is the last one.
func (f *input) isLast() bool {
	if f.reset == nil || f.in == nil {
		return !f.more()
	}
	_, err := f.in.Peek(1)
	return err != nil
}
