// Package cli implements the command line: commands, flags, help and exit codes.
package cli

import (
	"cmp"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"gander/internal/terminal"
)

// Main runs the program with the arguments after its name, and returns its exit code. If ctx is
// canceled, Main returns without printing an error, but it cannot interrupt a read or a write that
// blocks. The kernel confines the process before a command looks at files.
func Main(ctx context.Context, args []string) int {
	// A write to a closed pipe then fails instead of ending the process. Programs that this one starts
	// would inherit that the signal is ignored, but not that it is caught.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	return run(ctx, args, os.Stdin, os.Stdout, os.Stderr)
}

func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	out := terminal.NewWriter(stdout)
	root := newRootCmd(out, args)
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetErr(stderr)
	err := checkCommand(root, args)
	if err == nil {
		err = root.ExecuteContext(ctx)
	}
	unwritten := out.Close()
	switch {
	case isClosedPipe(unwritten): // by a program such as head, which has read enough
		err = nil
	case unwritten != nil:
		err = failure(fmt.Errorf("cannot write the result: %w", unwritten))
	}
	switch {
	case err == nil:
		return exitOK
	case ctx.Err() != nil:
		return exitInterrupted
	}
	if unknown := findUnknown(root, args); unknown != nil {
		err = unknown
	}
	if e, ok := errors.AsType[exitError](err); !ok || e.err != nil {
		printError(root, err)
	}
	return exitCode(err)
}

// isClosedPipe reports whether a write failed because nobody reads from the pipe.
func isClosedPipe(err error) bool {
	const brokenPipe, noData = syscall.Errno(109), syscall.Errno(232) // error codes of Windows
	isOfWindows := errors.Is(err, brokenPipe) || errors.Is(err, noData)
	return errors.Is(err, syscall.EPIPE) || isOfWindows && runtime.GOOS == "windows"
}

// Command returns the program's command with all its subcommands.
func Command() *cobra.Command { return newRootCmd(os.Stdout, nil) }

// newRootCmd returns the program's command for arguments: nil for any.
func newRootCmd(stdout io.Writer, args []string) *cobra.Command {
	root := newCommand("gander")
	root.SetOut(stdout) // the command completion keeps it
	root.Version = version()
	root.DisableSuggestions, root.SilenceErrors, root.SilenceUsage = true, true, true
	root.SetVersionTemplate("gander {{.Version}}\n")
	root.SetFlagErrorFunc(flagError)
	usage := strings.ReplaceAll(root.UsageTemplate(), ".FlagUsages", ".FlagUsagesWrapped 80")
	root.SetUsageTemplate(usage)
	addGroup(root, "Look at files, as a model does:",
		append(newToolCmds(args), newBashCmd(), newWhyCmd())...)
	addGroup(root, "Serve the tools to a model:", newMCPCmd(), newToolsCmd(), newCallCmd(args))
	const setUp = "Set up:"
	addGroup(root, setUp, newInstallCmd(), newConfigCmd(), newAuditCmd(), newVersionCmd())
	root.SetHelpCommandGroupID(setUp)
	root.SetCompletionCommandGroupID(setUp)
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	for _, cmd := range root.Commands() {
		switch cmd.Name() {
		case "help":
			cmd.Run, cmd.RunE = nil, printHelp
		case "completion":
			helpOnly(cmd)
		}
	}
	return root
}

func printHelp(helpCmd *cobra.Command, args []string) error {
	cmd, rest, err := helpCmd.Root().Find(args)
	if err != nil || len(rest) > 0 {
		return unknownCommand(cmd, rest[0])
	}
	cmd.InitDefaultHelpFlag()
	return cmd.Help()
}

func helpOnly(cmd *cobra.Command) {
	cmd.Args = cobra.NoArgs
	cmd.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
}

func addGroup(root *cobra.Command, title string, cmds ...*cobra.Command) {
	root.AddGroup(&cobra.Group{ID: title, Title: title})
	for _, cmd := range cmds {
		cmd.GroupID = title
		root.AddCommand(cmd)
	}
}

// helpText has a section for each command, a command before its subcommands: a heading with the
// usage, the summary, perhaps a description, and examples.
//
//go:embed help.txt
var helpText string

func newCommand(path string) *cobra.Command {
	_, section, ok := strings.Cut("\n"+helpText, "\n# "+path)
	if !ok {
		panic("help.txt has no section for " + path)
	}
	section, _, _ = strings.Cut(section, "\n# ")
	section, examples, _ := strings.Cut(section, "\n\n  ")
	usage, text, _ := strings.Cut(section, "\n")
	short, long, _ := strings.Cut(text, "\n\n")
	return &cobra.Command{
		Use:     path[strings.LastIndexByte(path, ' ')+1:] + usage,
		Short:   short,
		Long:    cmp.Or(long, short),
		Example: strings.TrimRight("  "+examples, "\n"),
	}
}

func takes(lo, hi int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) >= lo && len(args) <= hi {
			return nil
		}
		_, usage, _ := strings.Cut(cmd.Use, " ")
		name := strings.TrimPrefix(cmd.CommandPath(), "gander ")
		return seeHelp(cmd, fmt.Errorf("%s takes %s, but got %d",
			name, cmp.Or(usage, "no arguments"), len(args)))
	}
}

func write(cmd *cobra.Command, data string) error {
	_, err := io.WriteString(cmd.OutOrStdout(), data)
	return failure(err)
}

// release is the version of a release, which the linker sets. It is empty in any other build.
var release string

// version returns the version of the release, or else the version of the main module.
func version() string {
	if release != "" {
		return release
	}
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "(devel)" {
		return "devel"
	}
	return cmp.Or(info.Main.Version, "devel")
}
