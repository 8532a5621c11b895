package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"gander/internal/terminal"
	"gander/internal/toolset"
)

// maxArgs is the maximum number of bytes of arguments on standard input.
const maxArgs = 16 << 20

func newCallCmd() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "call TOOL [ARGS]",
		Short: "Call a tool and print what a model would read",
		Long: `Call a tool and print what a model would read, byte for byte. On a terminal,
control characters are escaped and a new line is added.

TOOL is an id, or a name that only one tool has; see 'gander tools'. ARGS is
a JSON object with the arguments; - reads it from standard input. A tool's
error goes to standard error.`,
		Example: `  gander call list_dir '{"path": "src", "depth": 2}'
  echo '{"path": "src/main.go"}' | gander call read_file -`,
		Args:              arguments(1, 2, "a tool and at most one JSON object as arguments"),
		ValidArgsFunction: completeTool,
	}
	src := newSource(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		ts, err := src.open()
		if err != nil {
			return err
		}
		defer ts.Close()
		if _, err := (*toolset.Toolset)(ts).Lookup(args[0]); err != nil {
			return didYouMean(err, suggest(args[0], toolNames()))
		}
		if len(args) > 1 && args[1] == "-" {
			announce(cmd, "the arguments, a JSON object")
		}
		raw, err := readArgs(cmd.InOrStdin(), args[1:])
		if err != nil {
			return err
		}
		result, err := ts.Call(cmd.Context(), args[0], raw)
		if err != nil {
			return failure{err}
		}
		content := result.Text()
		if terminal.Is(cmd.OutOrStdout()) {
			content = strings.TrimSuffix(content, "\n") + "\n"
		}
		return write(cmd, content)
	}
	return cmd
}

// readArgs returns the arguments of a call from args, or from in if args are "-".
func readArgs(in io.Reader, args []string) (json.RawMessage, error) {
	if len(args) == 0 {
		return nil, nil
	}
	if args[0] != "-" {
		return json.RawMessage(args[0]), nil
	}
	raw, err := io.ReadAll(io.LimitReader(in, maxArgs+1))
	if err != nil {
		return nil, failure{fmt.Errorf("cannot read the arguments: %w", err)}
	}
	if len(raw) > maxArgs {
		return nil, fmt.Errorf("the arguments on standard input are longer than %d bytes; give less",
			maxArgs)
	}
	return raw, nil
}
