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
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"gander/internal/text"
)

// The exit codes. A process ended by a signal exits with 128 and the signal's number.
const (
	exitOK     = 0
	exitFailed = 1 // a call, or a stream, failed
	exitUsage  = 2 // the command, its configuration or its roots are wrong
)

// A failure is an error that changing the command line would not mend.
type failure struct{ error }

func (f failure) Unwrap() error { return f.error }

// Run runs the program with args, which do not hold its name, and returns its exit code. Data goes to stdout; an error
// is one line on stderr. When ctx ends, so does Run, unless a read or write is stuck, and without a word.
func Run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	root := newRootCmd()
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	cmd, err := root.ExecuteContextC(ctx)
	if err == nil {
		return exitOK
	}
	if ctx.Err() != nil {
		return exitFailed
	}
	fmt.Fprintf(stderr, "gander: %s\n", text.Escape(text.Sanitize(message(cmd, err))))
	if errors.As(err, new(failure)) {
		return exitFailed
	}
	return exitUsage
}

func newRootCmd() *cobra.Command {
	root := &cobra.Command{
		Use:   "gander",
		Short: "The read-only file tools that language models know, confined to a workspace",
		Long: `The read-only file tools that language models know, confined to a workspace.

Exit codes: 0, 1 where a call failed, 2 for wrong usage, configuration or roots, 130 when interrupted.`,
		Example: `  gander call toolkit/tree '{"path": "."}'
  gander mcp --root ~/project
  gander tools --format anthropic --tools codex`,
		Version:       version(),
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return hint(cmd, errors.New("no command given"))
		},
	}
	root.SetVersionTemplate("gander {{.Version}}\n")
	root.SetFlagErrorFunc(hint)
	root.AddCommand(newCallCmd(), newJSONLCmd(), newMCPCmd(), newToolsCmd())
	root.SetHelpCommand(newHelpCmd())
	return root
}

// newHelpCmd stands in for cobra's own, which does not fail where there is no such command.
func newHelpCmd() *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Print the usage of a command",
		RunE: func(cmd *cobra.Command, args []string) error {
			about, _, err := cmd.Root().Find(args)
			if err != nil {
				return err
			}
			about.InitDefaultHelpFlag()
			about.InitDefaultVersionFlag()
			return about.Help()
		},
	}
}

// hint says where the usage of cmd stands.
func hint(cmd *cobra.Command, err error) error {
	return fmt.Errorf("%w; see '%s --help'", err, cmd.CommandPath())
}

// message words an error of cmd in one line. Cobra sets its suggestions for an unknown command below each other.
func message(cmd *cobra.Command, err error) string {
	words, list, suggests := strings.Cut(err.Error(), "\n\nDid you mean this?\n")
	switch {
	case suggests:
		return words + "; did you mean " + strings.Join(strings.Fields(list), " or ") + "?"
	case strings.HasPrefix(words, "unknown command "):
		return hint(cmd, err).Error()
	default:
		return words
	}
}

// version returns what the build says of the main module.
func version() string {
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
