package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
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
empty and unknown. If PATH is outside the workspace, a line on standard error
says which link leads there.`,
		Example: `  gander why src/main.go
  gander why --tools gemini,toolkit --json node_modules
  gander why --set tools.tree.max_depth=12 src/a/b/c`,
		Args: arguments(1, 1, "one path"),
	}
	src := newSource(cmd).withRoots().withTools()
	asJSON := cmd.Flags().Bool("json", false, "print a JSON object")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		ts, _, err := src.open()
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
		if slices.ContainsFunc(reasons, func(r gander.Reason) bool { return r.Cause == tool.CauseOutside }) {
			printError(cmd, errors.New(outsideNote(ts.Roots(), args[0])))
		}
		return nil
	}
	return cmd
}

// outsideNote says why path is outside the roots, and what to do. It looks at links inside the roots alone, so it is the same
// whatever is outside.
func outsideNote(roots []string, path string) string {
	const advice = "; --root DIR names another workspace"
	path = absoluteIn(roots[0], path)
	if leads := leadsOut(roots, path); leads != "" {
		return leads + ", outside the workspace" + advice
	}
	return fmt.Sprintf("%s is outside the workspace %s%s", path, strings.Join(roots, ", "), advice)
}

// leadsOut says which link on the way to path, an absolute path, leads out of the roots, and where to. It returns "" if none
// does.
func leadsOut(roots []string, path string) string {
	var real []string
	for _, root := range roots {
		dir, err := filepath.EvalSymlinks(root)
		if err != nil {
			continue
		}
		real = append(real, dir)
		if rel, err := filepath.Rel(root, path); err == nil && filepath.IsLocal(rel) {
			path = filepath.Join(dir, rel)
		}
	}
	const maxLinks = 40
	at, rest := within(real, path)
	for links := 0; rest != "" && links < maxLinks; {
		var name string
		name, rest, _ = strings.Cut(rest, "/")
		at = filepath.Join(at, name)
		target, err := os.Readlink(at)
		if err != nil {
			continue
		}
		leads := target
		if !filepath.IsAbs(leads) {
			leads = filepath.Join(filepath.Dir(at), leads)
		}
		root, inside := within(real, leads)
		if root == "" {
			return at + " leads to " + target
		}
		at, rest = root, filepath.ToSlash(filepath.Join(inside, rest))
		links++
	}
	return ""
}

// within returns the root that path is in, and the path from there, with slashes. It returns "" twice if there is none.
func within(roots []string, path string) (root, rel string) {
	for _, root := range roots {
		if rel, err := filepath.Rel(root, path); err == nil && filepath.IsLocal(rel) {
			return root, filepath.ToSlash(rel)
		}
	}
	return "", ""
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
