package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"gander"
	"gander/internal/engine/text"
	"gander/tool"
)

// maxArgs is the most bytes of arguments that are read from a stream.
const maxArgs = 16 << 20

func newCallCmd() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "call TOOL [JSON]",
		Short: "Call a tool and print what a model would read",
		Long: `Call a tool and print what a model would read, byte for byte. Only where that goes to a terminal, control sequences in it
are escaped and it ends with a new line.

TOOL is an id, or a name that only one tool has. JSON is the object of arguments, {} where it is left out; - reads it from
standard input. The tool's error goes to standard error.`,
		Example: `  gander call toolkit/tree '{"path": "src", "max_depth": 2}'
  echo '{"file_path": "/src/main.go"}' | gander call --root /src read_file -`,
		Args: arguments(1, 2, "a tool and at most one JSON object as arguments"),
	}
	src := newSource(cmd.Flags()).withRoots()
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		ts, _, err := src.open()
		if err != nil {
			return err
		}
		defer ts.Close()
		if _, err := ts.Lookup(args[0]); err != nil {
			return suggestTool(err, args[:1])
		}
		raw, err := rawArguments(cmd.InOrStdin(), args[1:])
		if err != nil {
			return err
		}
		return call(cmd.Context(), ts, args[0], raw, cmd.OutOrStdout())
	}
	return cmd
}

// rawArguments returns the JSON of a call, from in where the command line says so.
func rawArguments(in io.Reader, args []string) (json.RawMessage, error) {
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
		return nil, fmt.Errorf("the arguments on standard input are longer than %d bytes; give less", maxArgs)
	}
	return raw, nil
}

func call(ctx context.Context, ts *gander.Toolset, name string, args json.RawMessage, out io.Writer) error {
	result, err := ts.Call(ctx, name, tool.Call{Args: args})
	if err != nil {
		return failure{err}
	}
	content := result.Text()
	if isTerminal(out) {
		content = strings.TrimSuffix(text.Sanitize(content), "\n") + "\n"
	}
	return write(out, content)
}
