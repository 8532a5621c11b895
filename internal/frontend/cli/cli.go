// Package cli knows the program's commands: their words, their streams and their exit codes. It knows no dialect; what a
// command does is done by the rooms that it puts together.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/term"

	"gander/internal/engine/text"
)

// Run runs the program with args, which do not hold its name, and returns its exit code. Data goes to stdout; an error
// is one line on stderr. When ctx ends, so does Run, unless a read or write is stuck, and without a word.
func Run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	root := newRootCmd(args...)
	if completing(args) {
		complete(root)
	}
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	cmd, err := root.ExecuteContextC(ctx)
	if err == nil {
		return exitOK
	}
	if ctx.Err() != nil {
		return exitInterrupted
	}
	fmt.Fprintf(stderr, "gander: %s\n", fitLine(message(cmd, err)))
	return exitCode(err)
}

// newRootCmd returns the program as far as args may ask for it.
func newRootCmd(args ...string) *cobra.Command {
	root := &cobra.Command{
		Use:   "gander",
		Short: "The read-only file tools that language models know, confined to a workspace",
		Long: `The read-only file tools that language models know, confined to a workspace. See
'gander help COMMAND'.

` + exitHelp,
		Example: `  gander tree -L 2
  gander why src/main.go
  gander call toolkit/tree '{"path": "."}'
  gander mcp --root ~/project`,
		Version:            version(),
		DisableSuggestions: true,
		SilenceErrors:      true,
		SilenceUsage:       true,
		CompletionOptions:  cobra.CompletionOptions{DisableDefaultCmd: true},
		PersistentPreRunE:  func(cmd *cobra.Command, _ []string) error { return standIn(cmd) },
		RunE:               noCommand,
	}
	root.SetVersionTemplate("gander {{.Version}}\n")
	root.SetFlagErrorFunc(flagError)
	root.SetHelpFunc(help)
	root.SetHelpCommand(newHelpCmd())
	root.AddCommand(commands(args)...)
	return root
}

// A command is one that is not made yet.
type command struct {
	name string
	make func() *cobra.Command
}

// commands returns all commands, but of those that do the program's work only the one that args begin with, where they do:
// to make the flags of all takes longer than a small directory does.
func commands(args []string) []*cobra.Command {
	working := []command{
		{"tree", newTreeCmd},
		{"ls", newLsCmd},
		{"read", newReadCmd},
		{"why", newWhyCmd},
		{"call", newCallCmd},
		{"jsonl", newJSONLCmd},
		{"mcp", newMCPCmd},
		{"tools", newToolsCmd},
	}
	if i := slices.IndexFunc(working, func(c command) bool { return len(args) > 0 && args[0] == c.name }); i >= 0 {
		return []*cobra.Command{working[i].make()}
	}
	var all []*cobra.Command
	for _, c := range working {
		all = append(all, c.make())
	}
	return append(all,
		newConfigCmd(), newInstallCmd(), newDoctorCmd(),
		newCompletionCmd(), newManCmd(), newVersionCmd(),
	)
}

// flagError is an error about the flags of cmd, with those that are near to one that there is not.
func flagError(cmd *cobra.Command, err error) error {
	err = hint(cmd, err)
	unknown, ok := errors.AsType[*pflag.NotExistError](err)
	if !ok {
		return err
	}
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	close := near(unknown.GetSpecifiedName(), names)
	for i := range close {
		close[i] = "--" + close[i]
	}
	return suggested(err, close)
}

// fitLine is a message on one line, without what steers a terminal.
func fitLine(message string) string { return text.Escape(text.Sanitize(message)) }

// hint says where the usage of cmd stands.
func hint(cmd *cobra.Command, err error) error {
	return fmt.Errorf("%w; see '%s --help'", err, cmd.CommandPath())
}

// message words an error of cmd in one line. Cobra knows no command that is not there; what is near to it is told here.
func message(cmd *cobra.Command, err error) string {
	rest, unknown := strings.CutPrefix(err.Error(), "unknown command ")
	if !unknown || errors.As(err, new(unknownCommand)) {
		return err.Error()
	}
	name, _ := strconv.QuotedPrefix(rest)
	name, _ = strconv.Unquote(name)
	return noCommand(cmd.Root(), []string{name}).Error()
}

// An unknownCommand is the error about a command that there is not.
type unknownCommand struct{ error }

// version returns what the release was built with, or what the build says of the main module.
func version() string {
	if release != "" {
		return release
	}
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" || info.Main.Version == "(devel)" {
		return "devel"
	}
	return info.Main.Version
}

// write writes data, the whole answer of a command.
func write(w io.Writer, data string) error {
	if _, err := io.WriteString(w, data); err != nil {
		return failure{fmt.Errorf("cannot write the answer: %w", err)}
	}
	return nil
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// arguments demands from least to most arguments, which words describe.
func arguments(least, most int, words string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) < least || len(args) > most {
			return hint(cmd, fmt.Errorf("%s takes %s, but got %d", cmd.Name(), words, len(args)))
		}
		return nil
	}
}
