package cli

import (
	"context"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"

	"gander/internal/terminal"
)

// hasInput reports whether standard input is one that a command reads even if the command line does
// not say so: as for rg, a pipe, a socket or a file, but not a terminal or /dev/null.
func hasInput(cmd *cobra.Command) bool {
	stdin := cmd.InOrStdin()
	return hasType(stdin, 0) || isPipe(stdin)
}

func isPipe(stream any) bool {
	return hasType(stream, os.ModeNamedPipe) || hasType(stream, os.ModeSocket)
}

// hasType reports whether a stream is a file of a type; 0 is that of regular files.
func hasType(stream any, fileType os.FileMode) bool {
	if w, ok := stream.(*terminal.Writer); ok {
		stream = w.Stream
	}
	f, ok := stream.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode().Type() == fileType
}

// An input is standard input. It says what the command waits for if nothing arrives for a second
// after the command begins to read.
type input struct {
	cmd     *cobra.Command
	what    string
	hasRead bool // Read has been called
	arrived bool // at least a byte
	isEmpty bool // Read has reached the end, and nothing arrived
}

func newInput(cmd *cobra.Command, what string) *input { return &input{cmd: cmd, what: what} }

// Read implements [io.Reader].
func (in *input) Read(b []byte) (int, error) {
	if !in.hasRead {
		in.hasRead = true
		waiting := time.AfterFunc(time.Second, func() {
			in.cmd.PrintErrf("gander: waiting for %s, on standard input; Ctrl-C stops gander\n", in.what)
		})
		defer waiting.Stop()
	}
	n, err := in.cmd.InOrStdin().Read(b)
	in.arrived = in.arrived || n > 0
	in.isEmpty = !in.arrived && err == io.EOF
	return n, err
}

// reportEmpty says that a search had nothing to search: the caller may have meant files. A search
// that ctx ended can still be reading.
func (in *input) reportEmpty(ctx context.Context) {
	if ctx.Err() == nil && in.isEmpty {
		in.cmd.PrintErrln("gander: standard input is empty; give a path, such as ., to search files")
	}
}
