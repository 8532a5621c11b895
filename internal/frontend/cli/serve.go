package cli

import (
	"github.com/spf13/cobra"

	"gander/internal/frontend/jsonl"
	"gander/internal/frontend/provider"
)

func newJSONLCmd() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "jsonl",
		Short: "Answer calls from a parent process, one JSON object a line",
		Long: `Answer calls from a parent process, one JSON object a line, on standard input and output. Calls run concurrently, and each
is answered when it is ready. When the input ends, everything accepted is answered first.

  {"id":1,"tool":"codex/list_dir","args":{"dir_path":"/src"},"max_output_bytes":8000,"available_capacity_bytes":9000}
  {"id":1,"ok":true,"content":"...","display":"..."}
  {"id":1,"ok":false,"error":{"kind":"...","code":"...","message":"...","display":"..."}}
  {"id":2,"cancel":1}
  {"id":2,"ok":true}`,
		Example: `  echo '{"id":1,"tool":"tree","args":{"path":"."}}' | gander jsonl`,
		Args:    arguments(0, 0, "no arguments"),
	}
	src := newSource(cmd.Flags()).withRoots()
	format := formatFlag(cmd.Flags(), "take arguments as the definitions in `FORMAT` ask for them: ")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if err := checkFormat(*format); err != nil {
			return err
		}
		ts, o, err := src.open()
		if err != nil {
			return err
		}
		defer ts.Close()
		caller := formatted{ts, provider.New(*format)}
		err = jsonl.Serve(cmd.Context(), caller, jsonl.Options{MaxCalls: o.Limits.MaxCalls}, cmd.InOrStdin(), safely(cmd.OutOrStdout()))
		return served(err)
	}
	return cmd
}

// served is the error of a command that has served a stream.
func served(err error) error {
	if err != nil {
		return failure{err}
	}
	return nil
}
