package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"gander/internal/files/text"
	"gander/internal/plain"
	"gander/internal/terminal"
	"gander/internal/toolset"
	"gander/tool"
)

// The IDs of the tools whose commands also read standard input.
const (
	readTool   = "gander/read_file"
	searchTool = "gander/search_text"
)

// A toolCommand is the command of a tool.
type toolCommand struct {
	*cobra.Command
	tool string // the ID
	// parse completes the arguments with the words of the command line. It returns the other words,
	// which are paths.
	parse func(ts *toolset.Toolset, words []string) (paths []string, err error)

	arguments  toolArguments
	output     plain.Options // for other programs
	quiet      bool
	color      string
	firstError error // the first error about a path
}

// toolArguments are the arguments of the four tools. Those that are not given are omitted.
type toolArguments struct {
	Paths     []string `json:"path,omitempty"`
	Pattern   *string  `json:"pattern,omitempty"`
	Offset    *int     `json:"offset,omitempty"`
	Limit     *int     `json:"limit,omitempty"`
	Ignored   bool     `json:"ignored,omitempty"`
	Depth     *int     `json:"depth,omitempty"`
	Recursive bool     `json:"recursive,omitempty"`
	Details   bool     `json:"details,omitempty"`
	Block     *int     `json:"block,omitempty"`
	Numbers   *bool    `json:"numbers,omitempty"`
	Kind      string   `json:"kind,omitempty"`

	CaseSensitive *bool  `json:"case_sensitive,omitempty"`
	Sort          string `json:"sort,omitempty"`
	Glob          string `json:"glob,omitempty"`
	Literal       bool   `json:"literal,omitempty"`
	IgnoreCase    bool   `json:"ignore_case,omitempty"`
	Documents     bool   `json:"documents,omitempty"`
	After         *int   `json:"after,omitempty"`
	Before        *int   `json:"before,omitempty"`
	Context       *int   `json:"context,omitempty"`
	Output        string `json:"output,omitempty"`
}

func (a toolArguments) encode() json.RawMessage {
	raw, _ := json.Marshal(a) // every value has an encoding
	return raw
}

// newToolCommand returns the command of a tool. suggestFor has the names of other programs and
// tools with the same purpose.
func newToolCommand(name, tool, suggestFor string) *toolCommand {
	c := &toolCommand{Command: newCommand(name), tool: tool}
	c.SuggestFor = strings.Fields(suggestFor)
	c.parse = func(_ *toolset.Toolset, words []string) ([]string, error) { return words, nil }
	c.addWord(&c.color, "color", "", "color the results: auto, always or never",
		"auto", "always", "never")
	c.alias("color", "colour")
	c.Flags().BoolVarP(&c.quiet, "quiet", "q", false, "print no note on what is omitted")
	src := newSource(c.Command).withConfinement()
	src.setRun(func(ts *toolset.Toolset, words []string) error {
		paths, err := c.parse(ts, words)
		if err != nil {
			return seeHelp(c.Command, err)
		}
		if slices.Contains(paths, "") { // as from a variable that is not set
			return errors.New("a path is empty; name a file or a directory")
		}
		return c.printResults(ts, paths)
	})
	return c
}

// printResults prints the results about paths: on a terminal what a model reads, unless a flag or
// standard input asks for what other programs get.
func (c *toolCommand) printResults(ts *toolset.Toolset, paths []string) error {
	if c.readsInput(paths) {
		return c.printInput(ts)
	}
	if c.canReadInput() && slices.Contains(paths, "-") {
		c.output.Input = newInput(c.Command, "text")
	}
	out, ok := c.OutOrStdout().(*terminal.Writer)
	isTerminal := ok && terminal.Is(out)
	if isTerminal && !c.wantsLines() {
		return c.show(ts, paths, out)
	}
	return c.print(ts, paths)
}

// printInput prints the results about standard input, which the command reads for want of a path.
func (c *toolCommand) printInput(ts *toolset.Toolset) error {
	in := newInput(c.Command, "text, because no path is given")
	c.output.Input = in
	err := c.print(ts, []string{"-"})
	if c.tool == searchTool && !c.quiet {
		in.reportEmpty(c.Context())
	}
	return err
}

func (c *toolCommand) canReadInput() bool { return c.tool == readTool || c.tool == searchTool }

// readsInput reports whether the command reads standard input because there are no paths.
func (c *toolCommand) readsInput(paths []string) bool {
	return c.canReadInput() && len(paths) == 0 && hasInput(c.Command)
}

// wantsLines reports whether the command line asks for what only [toolCommand.print] can print.
func (c *toolCommand) wantsLines() bool {
	o := c.output
	hasForm := o.JSON || o.Null
	hasPrefix := o.WithPath || o.WithoutPath || o.WithoutNumber
	return hasForm || hasPrefix || o.Input != nil
}

// print prints the results for another program.
func (c *toolCommand) print(ts *toolset.Toolset, paths []string) error {
	if c.tool == readTool && c.arguments.Numbers == nil {
		c.arguments.Numbers = new(false)
	}
	if !terminal.Is(c.OutOrStdout()) { // which escapes codes for colors, and shows that results arrive
		c.output.Color = c.color == "always"
		endProgress := showProgress(c.Command, ts)
		defer endProgress()
	}
	out := plain.New(c.OutOrStdout(), c.output, c.printPathError)
	summary, err := ts.Print(c.Context(), c.tool, c.arguments.encode(), paths, out)
	if isGivenUp(c.Context(), err) {
		_ = out.Flush() // not Close, because what prints can still be running
		return err
	}
	unwritten := out.Close()
	switch {
	case err != nil:
		return withAdvice(err)
	case unwritten != nil: // the writer keeps the error for [run]
		return nil
	}
	if summary.Note != "" && !c.quiet {
		printError(c.Command, errors.New(summary.Note))
	}
	return c.outcome(out.Found(), summary.Failed)
}

// isGivenUp reports whether err ended a call that can still be running.
func isGivenUp(ctx context.Context, err error) bool {
	return err != nil && (ctx.Err() != nil || exitCode(err) == exitTimeout)
}

// isUsageError reports whether err is about arguments, which all calls of a command share.
func isUsageError(err error) bool { return err != nil && exitCode(err) == exitUsage }

// show prints what a model reads.
func (c *toolCommand) show(ts *toolset.Toolset, paths []string, out *terminal.Writer) error {
	const maxPaths = 50 // the maximum of the tools
	batches := [][]string{nil}
	if len(paths) > 0 {
		batches = slices.Collect(slices.Chunk(paths, maxPaths))
	}
	isFound, hasFailed := false, false
	for _, batch := range batches {
		c.arguments.Paths = asUTF8(batch)
		arguments := c.arguments.encode()
		endProgress := showProgress(c.Command, ts)
		result, err := ts.Call(c.Context(), c.tool, tool.Call{Args: arguments})
		endProgress()
		switch {
		case isGivenUp(c.Context(), err) || isUsageError(err):
			return err
		case err != nil:
			c.printPathError(err)
			hasFailed = true
			continue
		}
		isFound = isFound || !result.NothingFound
		hasFailed = hasFailed || result.Unreadable
		content := strings.TrimSuffix(result.Text(), "\n") + "\n"
		err = out.WriteStyled(content, func(safe string) string {
			if !c.wantsColor() {
				return safe
			}
			return ts.Highlight(c.Context(), c.tool, arguments, safe)
		})
		if err != nil {
			return failure(err)
		}
	}
	return c.outcome(isFound, hasFailed)
}

// asUTF8 returns paths as arguments, which are UTF-8: a path that is not is escaped.
func asUTF8(paths []string) (arguments []string) {
	for _, path := range paths {
		if !utf8.ValidString(path) {
			path = text.EscapePath(path)
		}
		arguments = append(arguments, path)
	}
	return arguments
}

func (c *toolCommand) wantsColor() bool {
	isAllowed := os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
	return c.color == "always" || c.color != "never" && isAllowed
}

// printPathError prints the error of a path. The command continues with the next path.
func (c *toolCommand) printPathError(err error) {
	c.firstError = cmp.Or(c.firstError, err)
	printError(c.Command, withAdvice(err))
}

// withAdvice adds to an error what a user of the commands can do.
func withAdvice(err error) error {
	if exitCode(err) == exitOutside {
		return fmt.Errorf("%w; --root adds a directory", err)
	}
	return err
}

// outcome returns nil, or the exit code of a command that has found nothing or has failed in part.
func (c *toolCommand) outcome(isFound, hasFailed bool) error {
	switch {
	case hasFailed && c.tool == searchTool:
		return exitError{code: exitUsage} // as grep and rg do
	case hasFailed && !isFound && c.firstError != nil:
		return exitError{code: exitCode(c.firstError)}
	case hasFailed || !isFound:
		return exitError{code: exitFailed}
	default:
		return nil
	}
}

func isDir(ts *toolset.Toolset, path string) bool {
	_, err := ts.Directory(path)
	return err == nil
}
