// Package cli is the command line: its commands, their flags and help, and the exit codes. It knows tools only by what
// they say of themselves.
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

	"gander"
	"gander/internal/terminal"
	"gander/internal/tools/shared"
	"gander/internal/toolset"
)

// Run runs the program with args, the arguments after the program's name, and returns its exit code. Answers go to stdout,
// and an error is one line on stderr. When ctx ends, Run ends as well and prints no error, but it cannot interrupt a read or
// a write that blocks.
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
nothing else. Its commands show a person what a model would read.

` + exitHelp,
		Example: `  gander list
  gander search 'func \w+' src
  gander install claude-code
  gander mcp --root ~/project`,
		Version:            version(),
		DisableSuggestions: true,
		SilenceErrors:      true,
		SilenceUsage:       true,
		PersistentPreRunE:  func(cmd *cobra.Command, _ []string) error { return flagsFromEnv(cmd) },
		RunE:               noCommand,
	}
	root.SetVersionTemplate("gander {{.Version}}\n")
	root.SetFlagErrorFunc(flagError)
	root.SetUsageTemplate(strings.ReplaceAll(root.UsageTemplate(), ".FlagUsages", ".FlagUsagesWrapped 80"))
	addGroup(root, lookGroup, "Look at files, as a model does:", append(newToolCmds(), newWhyCmd())...)
	addGroup(root, serveGroup, "Serve the tools to a model:", newMCPCmd(), newToolsCmd(), newCallCmd())
	addGroup(root, setUpGroup, "Set up:", newInstallCmd(), newConfigCmd(), newVersionCmd())
	root.SetHelpCommandGroupID(setUpGroup)
	root.SetCompletionCommandGroupID(setUpGroup)
	for _, cmd := range root.Commands() {
		if cmd.ValidArgsFunction == nil && len(cmd.ValidArgs) == 0 && !cmd.HasSubCommands() {
			cmd.ValidArgsFunction = completeFiles
		}
	}
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
	var names []string
	for _, c := range cmd.Commands() {
		if slices.Contains(c.SuggestFor, name) {
			return didYouMean(err, []string{c.CommandPath()})
		}
		names = append(names, c.Name())
	}
	if _, isTool := lookup(name); cmd == root && isTool {
		return fmt.Errorf("%w; to call the tool, use 'gander call %s ARGS'", err, name)
	}
	if words := suggest(name, names); len(words) > 0 {
		for i, word := range words {
			words[i] = cmd.CommandPath() + " " + word
		}
		return didYouMean(err, words)
	}
	if cmd == root {
		return fmt.Errorf("%w; 'gander call TOOL ARGS' calls a tool, 'gander tools' lists the tools; see 'gander --help'", err)
	}
	return seeHelp(cmd, err)
}

// lookup returns the tool called name.
func lookup(name string) (shared.Definition, bool) {
	ts, err := gander.Open(gander.Options{})
	if err != nil {
		return shared.Definition{}, false // The working directory is gone, and every command says so.
	}
	defer ts.Close()
	s, err := (*toolset.Toolset)(ts).Lookup(name)
	return s, err == nil
}

// flagError words an error of parsing the flags of cmd.
func flagError(cmd *cobra.Command, err error) error {
	if invalid, ok := errors.AsType[*pflag.InvalidValueError](err); ok && invalid.GetFlag().Value.Type() == "bool" {
		err = fmt.Errorf("--%s must be true or false, not %q", invalid.GetFlag().Name, invalid.GetValue())
	}
	return seeHelp(cmd, err)
}

// seeHelp adds to err where the help of cmd is.
func seeHelp(cmd *cobra.Command, err error) error {
	return fmt.Errorf("%w; see '%s --help'", err, cmd.CommandPath())
}

// announce tells a person at a terminal what a command waits for on standard input.
func announce(cmd *cobra.Command, what string) {
	if terminal.Is(cmd.InOrStdin()) {
		cmd.PrintErrf("gander: waiting for %s, on standard input; Ctrl-D ends it, Ctrl-C stops gander\n", what)
	}
}

func printError(cmd *cobra.Command, err error) {
	cmd.PrintErrf("gander: %s\n", terminal.Line(err.Error()))
}

// write writes data, the whole answer of cmd.
func write(cmd *cobra.Command, data string) error {
	if _, err := io.WriteString(cmd.OutOrStdout(), data); err != nil {
		return failure{fmt.Errorf("cannot write the answer: %w", err)}
	}
	return nil
}

// arguments checks that a command gets from least to most arguments, which words describe.
func arguments(least, most int, words string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) < least || len(args) > most {
			return seeHelp(cmd, fmt.Errorf("%s takes %s, but got %d", cmd.Name(), words, len(args)))
		}
		return nil
	}
}
