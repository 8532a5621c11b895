// Package command is the contract between the shell and its commands: what a command gets, and what
// it may do. A command reads files only through Files, keeps data only with its Account, and writes
// only to its two outputs.
package command

import (
	"context"
	"fmt"
	"io"

	"gander/internal/files/text"
)

// A Command is an entry of the table of commands. It is immutable.
type Command struct {
	Names []string // its name, followed by its other names
	// Options lists the options that it accepts. An option that is missing here is refused before
	// anything runs.
	Options Options
	// Operands describes the operands in a synopsis, such as "[FILE]...".
	Operands string
	// Prepare parses the arguments, including programs in other languages, such as that of sed. If
	// what they ask for is not available here, the error is a Refusal. All other errors of a user
	// are reported by the Run that it returns, as the real program reports them. The shell calls it
	// for the literal arguments of a script before it runs any of it, and again to run the command.
	Prepare func(name string, args []string) (Run, error)
	// Nested returns the commands among the arguments, such as those of xargs and find -exec, each
	// with its own arguments. The shell checks them before it runs anything. It is nil if there can be
	// none.
	Nested func(args []string) [][]string
}

// A Run runs a prepared command, once, and returns its exit status. It may end the command with the
// methods of Call.
type Run func(ctx context.Context, c *Call) int

// A Refusal explains why something is not done. The shell refuses the whole script because of it,
// and shows it whatever the redirections say.
type Refusal struct{ Text string }

// Refuse returns a Refusal: "object: problem; fix". It is one line, whatever names it contains.
func Refuse(format string, a ...any) error {
	return Refusal{text.Escape(fmt.Sprintf(format, a...))}
}

func (r Refusal) Error() string { return r.Text }

// Stop ends the script, which runs, with a Refusal.
func Stop(format string, a ...any) { panic(Abort{Refuse(format, a...)}) }

// A Call is what a command runs with. It is for one goroutine.
type Call struct {
	Name    string // as the script calls it
	In      *Input
	Out     *Output
	Err     io.Writer // never buffered
	Files   *Files    // relative paths begin in the directory of the shell
	Account *Account
	// Variable returns the value of an exported variable.
	Variable func(name string) (value string, ok bool)
	Exported func() []string // NAME=VALUE of all exported variables, sorted
	// Exec runs another command of the shell, with the same directory and variables, and returns its
	// status. It flushes Out first if out is nil, which means Out.
	Exec func(ctx context.Context, args []string, in *Input, out *Output) int
}

// A failure is the panic value that ends a parser.
type failure struct{ err error }

// Fail ends a parser with an error, which Catch returns.
func Fail(err error) { panic(failure{err}) }

// Catch is deferred by a parser. It sets err to the error with which Fail has ended it.
func Catch(err *error) {
	switch r := recover().(type) {
	case nil:
	case failure:
		*err = r.err
	default:
		panic(r)
	}
}

// exit is the panic value that ends a command.
type exit int

// brokenPipe is the status of a command that writes where nobody reads.
const brokenPipe = 128 + 13

// Exit ends the command with a status.
func (c *Call) Exit(status int) { panic(exit(status)) }

// Fatalf writes an error as GNU programs do, "NAME: TEXT", and ends the command with a status.
func (c *Call) Fatalf(status int, format string, a ...any) {
	c.Errorf(format, a...)
	c.Exit(status)
}

// Errorf writes an error as GNU programs do, "NAME: TEXT". It flushes Out first, so that both are
// in order. If the call has ended, which may be all that has failed, it ends the script instead.
func (c *Call) Errorf(format string, a ...any) {
	c.Account.Check()
	c.Out.Flush()
	fmt.Fprintf(c.Err, c.Name+": "+format+"\n", a...)
}

// EarlyErrorf is like Errorf, for programs that hold back their output when they report an error.
func (c *Call) EarlyErrorf(format string, a ...any) {
	c.Account.Check()
	c.Out.FlushBlocks()
	fmt.Fprintf(c.Err, c.Name+": "+format+"\n", a...)
}

// Run runs run, flushes c.Out and releases c.Account. It returns the status, which is 141 if
// c.Out was closed by its reader.
func (c *Call) Run(ctx context.Context, run Run) (status int) {
	defer c.Account.Release()
	defer func() {
		r := recover()
		if r == nil {
			return
		}
		code, ok := r.(exit)
		if !ok {
			panic(r)
		}
		status = int(code)
		if !c.Out.IsBroken && !c.Out.flushed() {
			status = c.Out.Broken
		}
	}()
	status = run(ctx, c)
	c.Out.Flush()
	return status
}
