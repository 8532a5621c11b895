package cli

import (
	"bufio"
	"fmt"
	"path"

	"github.com/spf13/cobra"

	"gander"
	"gander/internal/frontend/terminal"
)

// A filesFlags has the flags that say which files a command considers.
type filesFlags struct {
	cmd   *cobra.Command
	files gander.Files
	sort  string
	limit int
}

// newFilesFlags gives cmd the flags. The limit counts things of the given name.
func newFilesFlags(cmd *cobra.Command, limited string) *filesFlags {
	f := &filesFlags{cmd: cmd}
	flags := cmd.Flags()
	flags.VarP(stringsFlag{&f.files.Globs, ""}, "glob", "g", "only files that match `GLOB`, or, with !, not")
	flags.BoolVar(&f.files.Hidden, "hidden", false, "include names that begin with a dot")
	flags.BoolVar(&f.files.NoIgnore, "no-ignore", false, "include what ignore files leave out")
	flags.StringVar(&f.sort, "sort", "", "sort files by `KEY`: path, or modified (newest)")
	flags.IntVar(&f.limit, "limit", 0, "stop after `N` "+limited)
	completeFlag(cmd, "sort", completeWords([]string{"path", "modified"}))
	return f
}

// check checks the flags, and sets the order.
func (f *filesFlags) check() error {
	switch f.sort {
	case "", "path":
	case "modified":
		f.files.Order = gander.NewestFirst
	default:
		return seeHelp(f.cmd, fmt.Errorf("--sort is %q; it must be path or modified", f.sort))
	}
	if f.limit < 0 {
		return seeHelp(f.cmd, fmt.Errorf("--limit is %d; it must be at least 0", f.limit))
	}
	return nil
}

func newFindCmd() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "find PATTERN [PATH]",
		Short: "Find files by name",
		Long: `Find files by name, one path a line. PATTERN is a glob if it has one of
*?[{\ and otherwise a part of the path below PATH. A glob without a slash
matches at any depth. What git ignores, and names that begin with a dot, are
left out.`,
		Example: `  gander find '*.go'
  gander find --sort modified --limit 5 main src`,
		Args: arguments(1, 2, "a pattern and at most one path"),
	}
	src := newSource(cmd).withRoots()
	flags := newFilesFlags(cmd, "paths")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := flags.check(); err != nil {
			return err
		}
		ts, _, err := src.open()
		if err != nil {
			return err
		}
		defer ts.Close()
		dir := append(args, ".")[1]
		out := bufio.NewWriter(cmd.OutOrStdout())
		found := 0
		for e, err := range ts.Find(cmd.Context(), dir, gander.FindOptions{Files: flags.files, Pattern: args[0], OnlyFiles: true, Limit: flags.limit}) {
			if err != nil && e.Path == "" {
				return err
			}
			if err != nil {
				printError(cmd, err)
				continue
			}
			found++
			fmt.Fprintln(out, terminal.Line(path.Join(dir, e.Path)))
		}
		return finish(out, found)
	}
	return cmd
}

// finish writes the rest of an answer that has found so many things.
func finish(out *bufio.Writer, found int) error {
	if err := out.Flush(); err != nil {
		return failure{fmt.Errorf("cannot write the answer: %w", err)}
	}
	if found == 0 {
		return errNothingFound
	}
	return nil
}
