// Package cli implements the command line: commands, flags, help and exit codes.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"gander/internal/terminal"
)

// Run runs the program with the arguments after its name, and returns its exit code. Results go to
// stdout, and an error is one line on stderr. If ctx is canceled, Run returns without printing an
// error, but it cannot interrupt a read or a write that blocks.
func Run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	root := Command()
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(terminal.Writer(stdout))
	root.SetErr(stderr)
	root.InitDefaultCompletionCmd(args...)
	if completion, _, err := root.Find([]string{"completion"}); err == nil {
		completion.RunE = noCommand
	}
	_, err := root.ExecuteContextC(ctx)
	if err == nil {
		return exitOK
	}
	if ctx.Err() != nil {
		return exitInterrupted
	}
	if err == errNothingFound {
		return exitFailed
	}
	if unknown := unknownCommand(root, args); unknown != nil {
		err = unknown
	}
	printError(root, err)
	return exitCode(err)
}

// Command returns the program's command with all its subcommands.
func Command() *cobra.Command {
	root := &cobra.Command{
		Use:   "gander",
		Short: "Give AI agents read-only access to a directory and to nothing else",
		Long: `gander gives AI agents read-only access to the files of a directory, and to
nothing else. Its commands print the results that a model would read.

` + exitHelp,
		Example: `  gander list
  gander search 'func \w+' src
  gander install claude-code
  gander mcp --root ~/project`,
		Version:            version(),
		DisableSuggestions: true,
		SilenceErrors:      true,
		SilenceUsage:       true,
		RunE:               noCommand,
	}
	root.SetVersionTemplate("gander {{.Version}}\n")
	root.SetFlagErrorFunc(flagError)
	usage := strings.ReplaceAll(root.UsageTemplate(), ".FlagUsages", ".FlagUsagesWrapped 80")
	root.SetUsageTemplate(usage)
	addGroup(root, lookGroup, "Look at files, as a model does:", append(newToolCmds(), newWhyCmd())...)
	addGroup(root, serveGroup, "Serve the tools to a model:", newMCPCmd(), newToolsCmd(), newCallCmd())
	addGroup(root, setUpGroup, "Set up:", newInstallCmd(), newConfigCmd(), newVersionCmd())
	root.SetHelpCommandGroupID(setUpGroup)
	root.SetCompletionCommandGroupID(setUpGroup)
	return root
}

// The groups of commands.
const (
	lookGroup  = "look"
	serveGroup = "serve"
	setUpGroup = "setup"
)

// addGroup adds commands to root as a group.
func addGroup(root *cobra.Command, id, title string, cmds ...*cobra.Command) {
	root.AddGroup(&cobra.Group{ID: id, Title: title})
	for _, cmd := range cmds {
		cmd.GroupID = id
		root.AddCommand(cmd)
	}
}

// noCommand runs a command without any of its subcommands. It prints the help.
func noCommand(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return seeHelp(cmd, fmt.Errorf("unknown command %q for %q", args[0], cmd.CommandPath()))
	}
	return cmd.Help()
}

// unknownCommand returns an error if args name a command that does not exist, and nil otherwise.
func unknownCommand(root *cobra.Command, args []string) error {
	cmd, rest, _ := root.Find(args)
	if !cmd.HasSubCommands() || len(rest) == 0 || strings.HasPrefix(rest[0], "-") {
		return nil
	}
	name := rest[0]
	err := fmt.Errorf("unknown command %q for %q", name, cmd.CommandPath())
	var words, names []string
	for _, c := range cmd.Commands() {
		names = append(names, c.Name())
		if slices.Contains(c.SuggestFor, name) {
			words = []string{c.CommandPath()}
		}
	}
	if len(words) == 0 {
		for _, word := range suggest(name, names) {
			words = append(words, cmd.CommandPath()+" "+word)
		}
	}
	if len(words) == 0 {
		return seeHelp(cmd, err)
	}
	return didYouMean(err, words)
}

// flagError adds the command for help to an error from the flags of cmd.
func flagError(cmd *cobra.Command, err error) error {
	invalid, ok := errors.AsType[*pflag.InvalidValueError](err)
	if ok && invalid.GetFlag().Value.Type() == "bool" {
		name, value := invalid.GetFlag().Name, invalid.GetValue()
		err = fmt.Errorf("--%s must be true or false, not %q", name, value)
	}
	return seeHelp(cmd, err)
}

// seeHelp adds the command that prints the help of cmd to err.
func seeHelp(cmd *cobra.Command, err error) error {
	return fmt.Errorf("%w; see '%s --help'", err, cmd.CommandPath())
}

// announce names the awaited input if standard input is a terminal.
func announce(cmd *cobra.Command, input string) {
	if terminal.Is(cmd.InOrStdin()) {
		cmd.PrintErrf("gander: waiting for %s, on standard input; Ctrl-D ends it, Ctrl-C stops gander\n",
			input)
	}
}

func printError(cmd *cobra.Command, err error) {
	cmd.PrintErrf("gander: %s\n", terminal.Line(err.Error()))
}

// write writes data to standard output.
func write(cmd *cobra.Command, data string) error {
	if _, err := io.WriteString(cmd.OutOrStdout(), data); err != nil {
		return failure{fmt.Errorf("cannot write the answer: %w", err)}
	}
	return nil
}

// arguments returns an error unless a command has lo to hi arguments, which words describe.
func arguments(lo, hi int, words string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) < lo || len(args) > hi {
			return seeHelp(cmd, fmt.Errorf("%s takes %s, but got %d", cmd.Name(), words, len(args)))
		}
		return nil
	}
}
