package cli

import (
	"math"
	"os"
	"time"

	"github.com/spf13/cobra"

	"gander/internal/terminal"
)

// isInput reports whether a command reads a standard input that the command line does not name: as
// for rg, a pipe, a socket or a file, but not a terminal or /dev/null.
func isInput(stdin any) bool {
	f, ok := stdin.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && (info.Mode().IsRegular() || isPipe(stdin))
}

// An input is standard input. It says what the command waits for: at once on a terminal, and
// otherwise if nothing has arrived for a second.
type input struct {
	cmd   *cobra.Command
	empty bool // nothing has arrived
	timer *time.Timer
}

func newInput(cmd *cobra.Command, what string) *input {
	in := &input{cmd: cmd, empty: true}
	wait := time.Second
	if terminal.Is(cmd.InOrStdin()) {
		announce(cmd, what)
		wait = math.MaxInt64
	}
	in.timer = time.AfterFunc(wait, func() { printWaiting(cmd, what) })
	return in
}

// announce says what the command waits for, if standard input is a terminal.
func announce(cmd *cobra.Command, what string) {
	if terminal.Is(cmd.InOrStdin()) {
		printWaiting(cmd, what)
	}
}

func printWaiting(cmd *cobra.Command, what string) {
	cmd.PrintErrf("gander: waiting for %s, on standard input; Ctrl-C stops gander\n", what)
}

// Read implements [io.Reader].
func (in *input) Read(b []byte) (int, error) {
	n, err := in.cmd.InOrStdin().Read(b)
	in.timer.Stop()
	in.empty = in.empty && n == 0
	return n, err
}

// report says that a search had nothing to search, unless quiet: the caller may have meant files.
func (in *input) report(quiet bool) {
	if in.empty && !quiet {
		in.cmd.PrintErrln("gander: standard input is empty; give a path, such as ., to search files")
	}
}
