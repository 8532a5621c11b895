package cli

import (
	"bytes"
	"encoding/json"

	"github.com/spf13/cobra"

	"gander/internal/frontend/jsonl"
	"gander/internal/frontend/provider"
)

func newJSONLCmd() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "jsonl",
		Short: "Answer calls from a parent process, one JSON object a line",
		Long: `Answer calls from a parent process on standard input and output, one JSON
object a line. Calls run concurrently, and each is answered when it is ready.
When the input ends, all accepted calls are answered first.

  {"id": 1, "tool": "TOOL", "args": {}, "max_output_bytes": 8000}
  {"id": 1, "ok": true, "content": "..."}
  {"id": 1, "ok": false, "error": {"kind": "...", "message": "..."}}
  {"id": 2, "cancel": 1}
  {"id": 2, "ok": true}
  {"id": 3, "definitions": true}
  {"id": 3, "ok": true, "definitions": [...]}

With --format, arguments are taken as the definitions that 'gander tools'
prints in that format ask for them.`,
		Example: `  echo '{"id": 1, "tool": "list_dir", "args": {}}' | gander jsonl`,
		Args:    arguments(0, 0, "no arguments"),
	}
	src := newSource(cmd).withRoots()
	format := formatFlag(cmd, "take arguments as in `FORMAT`")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if err := checkFormat(*format); err != nil {
			return err
		}
		ts, o, err := src.open()
		if err != nil {
			return err
		}
		defer ts.Close()
		announce(cmd, `requests, one JSON object a line such as {"id":1,"tool":"tree","args":{"path":"."}}`)
		definitions, err := formatDefinitions(ts, *format)
		if err != nil {
			return err
		}
		var line bytes.Buffer
		if err := json.Compact(&line, definitions); err != nil {
			return failure{err}
		}
		caller := formatted{ts, provider.New(*format)}
		return streamError(jsonl.Serve(cmd.Context(), caller, jsonl.Options{MaxCalls: o.Limits.MaxCalls, Definitions: line.Bytes()}, cmd.InOrStdin(), cmd.OutOrStdout()))
	}
	return cmd
}

// streamError returns the error of a command that has served a stream.
func streamError(err error) error {
	if err != nil {
		return failure{err}
	}
	return nil
}
