package cli

import (
	"encoding/json"
	"errors"
	"io/fs"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"gander"
	"gander/internal/engine/text"
)

func newWhyCmd() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "why PATH",
		Short: "Say for each tool why a model does not see a path",
		Long: `Say for each tool why a model does not see a path, or that it does, where the model calls for a directory or a file and leaves
all else at its default. A line holds the tool, the cause, what decides and the entry it holds for: PATH itself or a
directory above it. A cause is shown, outside, denied, hidden, ignored (with file:line:pattern, as git check-ignore -v
shows it), excluded, kind, name, depth (that entry's listing shows it), limit, link, unreadable or empty.`,
		Example: `  gander why src/main.go
  gander why --tools gemini,toolkit --json node_modules
  gander why --set tools.tree.max_depth=12 src/a/b/c`,
		Args: arguments(1, 1, "one path"),
	}
	src := newSource(cmd.Flags()).withRoots().withTools()
	asJSON := cmd.Flags().Bool("json", false, "print one JSON document")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		ts, _, err := src.open()
		if err != nil {
			return err
		}
		defer ts.Close()
		reasons, err := ts.Why(cmd.Context(), args[0])
		if errors.Is(err, fs.ErrNotExist) {
			err = suggestPath(cmd.Context(), ts, args[0], err)
		}
		if err != nil {
			return err
		}
		if *asJSON {
			return writeJSON(cmd, whyDocument(args[0], reasons))
		}
		return write(cmd.OutOrStdout(), whyLines(reasons))
	}
	return cmd
}

// whyLines writes a line for each reason, in columns. A name cannot forge one.
func whyLines(reasons []gander.Reason) string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for _, r := range reasons {
		cells := []string{r.Tool, r.Cause, text.Escape(text.Sanitize(r.Rule)), text.Escape(text.Sanitize(r.At))}
		for len(cells[len(cells)-1]) == 0 {
			cells = cells[:len(cells)-1]
		}
		_, _ = w.Write([]byte(strings.Join(cells, "\t") + "\n")) // to memory
	}
	_ = w.Flush()
	return b.String()
}

// A whyAnswer is what --json prints. Names that are not UTF-8 are printed as a model would read them.
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

func whyDocument(path string, reasons []gander.Reason) whyAnswer {
	answer := whyAnswer{Path: text.Lossy([]byte(path)), Tools: []whyReason{}}
	for _, r := range reasons {
		rule, at := text.Lossy([]byte(r.Rule)), text.Lossy([]byte(r.At))
		answer.Tools = append(answer.Tools, whyReason{r.Tool, r.Cause == "shown", r.Cause, rule, at})
	}
	return answer
}

// writeJSON writes a document, indented, as the whole answer of a command.
func writeJSON(cmd *cobra.Command, document any) error {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(document); err != nil {
		return failure{err}
	}
	return write(cmd.OutOrStdout(), b.String())
}
