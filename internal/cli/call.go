package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"gander"
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
control characters are escaped and a newline is added.

TOOL is an id, or a name that only one tool has; see 'gander tools'. ARGS is
a JSON object with the arguments; - reads it from standard input. A tool's
error goes to standard error.`,
		Example: `  gander call list_dir '{"path": "src", "depth": 2}'
  echo '{"path": "src/main.go"}' | gander call read_file -`,
		Args: arguments(1, 2, "a tool and at most one JSON object as arguments"),
	}
	cmd.RunE = newSource(cmd).run(func(cmd *cobra.Command, ts *gander.Toolset, args []string) error {
		if _, err := (*toolset.Toolset)(ts).Lookup(args[0]); err != nil {
			return err
		}
		raw, err := readArgs(cmd, args[1:])
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
	})
	return cmd
}

// readArgs returns the arguments of a call from args, or from standard input if args are "-".
func readArgs(cmd *cobra.Command, args []string) (json.RawMessage, error) {
	if len(args) == 0 || args[0] != "-" {
		return json.RawMessage(strings.Join(args, "")), nil
	}
	announce(cmd, "the arguments, a JSON object")
	raw, err := io.ReadAll(io.LimitReader(cmd.InOrStdin(), maxArgs+1))
	switch {
	case err != nil:
		return nil, failure{fmt.Errorf("cannot read the arguments: %w", err)}
	case len(raw) > maxArgs:
		return nil, fmt.Errorf("the arguments on standard input are longer than %d bytes; shorten them",
			maxArgs)
	}
	return raw, nil
}
