package cli

import (
	"encoding/json"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"gander"
	"gander/internal/terminal"
	"gander/tool"
)

func newWhyCmd() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "why PATH",
		Short: "Explain for each tool why it shows or hides a path",
		Long: `Explain for each tool why a model sees a path or not, if it calls the tool for
a directory or a file and leaves every other argument at its default.

A line has the tool, the cause, the rule and the entry that the rule is about:
PATH or a directory above it. The causes are shown, outside, denied, hidden,
ignored (with file:line:pattern as in git check-ignore -v), excluded, kind,
name, depth (a listing of that entry shows it), limit, link, unreadable,
empty and unknown.`,
		Example: `  gander why src/main.go
  gander why --tools gemini,toolkit --json node_modules
  gander why --root src a/b/c`,
		Args: arguments(1, 1, "one path"),
	}
	src := newSource(cmd).withTools()
	asJSON := cmd.Flags().Bool("json", false, "print a JSON object")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		ts, err := src.open()
		if err != nil {
			return err
		}
		defer ts.Close()
		reasons, err := ts.Why(cmd.Context(), args[0])
		if err != nil {
			return err
		}
		if *asJSON {
			return writeJSON(cmd, newWhyAnswer(args[0], reasons))
		}
		if err := write(cmd, whyTable(reasons)); err != nil {
			return err
		}
		return nil
	}
	return cmd
}

// whyTable returns a line for each reason, in columns. Names are escaped, so none can add a line.
func whyTable(reasons []gander.Reason) string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for _, r := range reasons {
		row := strings.Join([]string{r.Tool, r.Cause, terminal.Line(r.Rule), terminal.Line(r.At)}, "\t")
		_, _ = w.Write([]byte(strings.TrimRight(row, "\t") + "\n")) // It writes to memory.
	}
	_ = w.Flush()
	return b.String()
}

// A whyAnswer is what --json prints.
type whyAnswer struct {
	Path  string      `json:"path"`
	Tools []whyReason `json:"tools"`
}

type whyReason struct {
	Tool  string `json:"tool"`
	Shown bool   `json:"shown"`
	Cause string `json:"cause"`
	Rule  string `json:"rule,omitempty"`
	At    string `json:"at,omitempty"`
}

func newWhyAnswer(path string, reasons []gander.Reason) whyAnswer {
	answer := whyAnswer{Path: path, Tools: []whyReason{}}
	for _, r := range reasons {
		answer.Tools = append(answer.Tools, whyReason{r.Tool, r.Cause == tool.CauseShown, r.Cause, r.Rule, r.At})
	}
	return answer
}

// writeJSON writes value, the whole answer of cmd, as indented JSON.
func writeJSON(cmd *cobra.Command, value any) error {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(value); err != nil {
		return failure{err}
	}
	return write(cmd, b.String())
}
