package cli

import (
	"bufio"
	"errors"
	"fmt"
	"path"
	"runtime"
	"strconv"

	"github.com/spf13/cobra"

	"gander"
	"gander/internal/frontend/terminal"
)

func newSearchCmd() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "search PATTERN [PATH...]",
		Short: "Search files for lines that match a regular expression",
		Long: `Search files for lines that match a regular expression, in the syntax of
ripgrep. What git ignores, names that begin with a dot, and files with a NUL
are left out. A file that PATH names is always searched.

The lines of a file follow its path, each after its number and a colon, or a
dash if it is context.`,
		Example: `  gander search 'func \w+' src
  gander search -i -C 2 -g '*.go' PACKAGE
  gander search -l --sort modified --limit 5 main`,
		Args: cobra.MinimumNArgs(1),
	}
	src := newSource(cmd).withRoots()
	flags := newFilesFlags(cmd, "lines, or files if -l or -c is given")
	var o gander.SearchOptions
	cmd.Flags().BoolVarP(&o.IgnoreCase, "ignore-case", "i", false, "ignore case")
	cmd.Flags().BoolVarP(&o.Literal, "fixed-strings", "F", false, "take PATTERN as text")
	cmd.Flags().IntVarP(&o.Before, "context", "C", 0, "print `N` lines before and after each line")
	names := cmd.Flags().BoolP("files-with-matches", "l", false, "print only the paths of files")
	counts := cmd.Flags().BoolP("count", "c", false, "print only the number of lines for each file")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := flags.check(); err != nil {
			return err
		}
		switch {
		case o.Before < 0:
			return seeHelp(cmd, fmt.Errorf("--context is %d; it must be at least 0", o.Before))
		case *names && *counts:
			return seeHelp(cmd, errors.New("-l and -c exclude each other; give one of them"))
		case *names:
			o.Output = gander.MatchingFiles
		case *counts:
			o.Output = gander.MatchCounts
		}
		o.Files, o.After = flags.files, o.Before
		if flags.limit == 0 {
			o.Workers = min(2, runtime.GOMAXPROCS(0))
		}
		ts, _, err := src.open()
		if err != nil {
			return err
		}
		defer ts.Close()
		p := &resultPrinter{out: bufio.NewWriterSize(cmd.OutOrStdout(), 64<<10), output: o.Output, context: o.Before, limit: flags.limit}
		paths := args[1:]
		if len(paths) == 0 {
			paths = []string{"."}
		}
		for _, path := range paths {
			if err := searchPath(cmd, ts, path, args[0], o, p); err != nil {
				return errors.Join(err, p.out.Flush())
			}
		}
		return finish(p.out, p.found)
	}
	return cmd
}

// searchPath prints what is found at a path.
func searchPath(cmd *cobra.Command, ts *gander.Toolset, at, pattern string, o gander.SearchOptions, p *resultPrinter) error {
	if p.full() {
		return nil
	}
	for r, err := range ts.Search(cmd.Context(), at, pattern, o) {
		switch {
		case err != nil && r.Path == "":
			return err
		case err != nil:
			printError(cmd, err)
		case !p.print(at, r):
			return nil
		}
	}
	return nil
}

// A resultPrinter prints the results of searches.
type resultPrinter struct {
	out     *bufio.Writer
	output  gander.SearchOutput
	context int // lines after each
	limit   int // of what is found, 0 for none
	found   int // lines, or files if no lines are printed

	files int
	last  int // number of the last line printed of the file
	match int // number of the last that matches
}

// full reports whether the limit is reached.
func (p *resultPrinter) full() bool { return p.limit > 0 && p.found >= p.limit }

// print prints a result of a search at a path, and reports whether more are wanted.
func (p *resultPrinter) print(at string, r gander.SearchResult) bool {
	switch {
	case p.full() && !r.Line.Context:
		return false
	case r.Line.Number > 0:
		p.line(r.Line)
		return !p.full() || p.last < p.match+p.context
	}
	name := terminal.Line(path.Join(at, r.Path))
	switch {
	case p.output == gander.MatchCounts:
		p.found++
		fmt.Fprintf(p.out, "%s:%d\n", name, r.Count)
	case p.output == gander.MatchingFiles:
		p.found++
		fmt.Fprintln(p.out, name)
	case r.Binary:
		p.found++
		fmt.Fprintf(p.out, "%s: a binary file; lines from its first NUL on are not shown\n", name)
	default:
		if p.files++; p.files > 1 {
			_ = p.out.WriteByte('\n') // Flush returns the errors.
		}
		p.last = 0
		fmt.Fprintln(p.out, name)
	}
	return !p.full() || p.output == gander.MatchingLines
}

func (p *resultPrinter) line(l gander.SearchLine) {
	mark := byte(':')
	if l.Context {
		mark = '-'
	} else {
		p.match = l.Number
		p.found++
	}
	if p.last > 0 && l.Number > p.last+1 && p.context > 0 {
		_, _ = p.out.WriteString("--\n")
	}
	p.last = l.Number
	_, _ = p.out.Write(append(strconv.AppendInt(p.out.AvailableBuffer(), int64(l.Number), 10), mark))
	_, _ = p.out.Write(l.Text)
	if l.Length > int64(len(l.Text)) {
		fmt.Fprintf(p.out, " [line cut: %d of %d bytes]", len(l.Text), l.Length)
	}
	_ = p.out.WriteByte('\n')
}
