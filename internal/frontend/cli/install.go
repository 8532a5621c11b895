package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"gander/internal/engine/text"
	"gander/internal/frontend/install"
)

// An installation is what the flags of install say.
type installation struct {
	*source
	scope, name, command, file string
	write                      bool
}

func newInstallCmd() *cobra.Command {
	var ids []string
	for _, c := range install.Clients() {
		ids = append(ids, c.ID)
	}
	cmd := &cobra.Command{
		Use:   "install CLIENT",
		Short: "Show, or make, the change that has an MCP client start gander",
		Long: `Show the change to a client's configuration that has it start gander mcp, as a unified diff; with --write make it. What else
the file holds stays byte for byte, comments included, and so does what else an entry of that name says; a backup is
made beside it. A file that cannot be parsed is left alone.

The clients: ` + strings.Join(ids, ", ") + `.

In the scope of a project, the working directory, the roots are written so that they hold wherever the project lies. A root
with ${ in it, a variable of the client, is written as it is.`,
		Example: `  gander install claude-code
  gander install vscode --write --tools codex
  gander install codex --scope user --root ~/project --write`,
		Args:      arguments(1, 1, "a client"),
		ValidArgs: ids,
	}
	i := installation{source: newSource(cmd.Flags()).withRoots().withTools()}
	cmd.Flags().StringVar(&i.scope, "scope", "", "configure the client for the `SCOPE`: project, the working directory, or user (default: project where the client has it)")
	cmd.Flags().StringVar(&i.name, "name", "gander", "call the entry `NAME`")
	cmd.Flags().StringVar(&i.command, "command", "", "have the client start `COMMAND` (default: this program)")
	cmd.Flags().StringVar(&i.file, "file", "", "change `FILE` instead of the one where the client looks by default")
	cmd.Flags().BoolVar(&i.write, "write", false, "make the change")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		client, err := install.Lookup(args[0])
		if err != nil {
			return err
		}
		change, err := i.plan(client)
		if err != nil {
			return err
		}
		return i.finish(cmd, client, change)
	}
	return cmd
}

// plan returns the change that the flags ask for.
func (i installation) plan(client install.Client) (install.Change, error) {
	if err := errors.Join(i.check(), install.CheckName(i.name)); err != nil {
		return install.Change{}, err
	}
	dir, err := os.Getwd()
	if err != nil {
		return install.Change{}, err
	}
	scope := client.Scopes()[0]
	if i.scope != "" {
		scope = install.Scope(i.scope)
	}
	if scope != install.User && scope != install.Project {
		return install.Change{}, fmt.Errorf("unknown scope %q; use project or user", scope)
	}
	path, err := client.File(thisMachine(), scope, dir)
	if i.file != "" {
		path, err = filepath.Abs(i.file)
	}
	if err != nil {
		return install.Change{}, err
	}
	here := ""
	if scope == install.Project {
		here = client.ProjectDir
	}
	server := install.Server{Command: i.command}
	if server.Args, err = i.arguments(dir, here); err != nil {
		return install.Change{}, err
	}
	if server.Command == "" {
		if server.Command, err = thisProgram(scope == install.Project); err != nil {
			return install.Change{}, err
		}
	}
	change, err := client.Plan(path, i.name, scope, server)
	if err != nil {
		return change, failure{err}
	}
	return change, nil
}

// check opens the toolset as the server would, but for roots that only the client knows.
func (i installation) check() error {
	known := *i.source
	known.roots = slices.DeleteFunc(slices.Clone(i.roots), isVariable)
	ts, _, err := known.open()
	if err != nil {
		return err
	}
	return ts.Close()
}

// isVariable says whether a path is left to the client to make out.
func isVariable(path string) bool { return strings.Contains(path, "${") }

// arguments returns those of the server. The directory is the working directory, which the client calls here; where here
// is "", the client knows nothing of it.
func (i installation) arguments(dir, here string) ([]string, error) {
	args := []string{"mcp"}
	roots := i.roots
	if len(roots) == 0 {
		roots = []string{dir}
	}
	for _, root := range roots {
		path, err := portable(root, dir, here)
		if err != nil {
			return nil, err
		}
		args = append(args, "--root", path)
	}
	if len(i.tools) > 0 {
		args = append(args, "--tools", strings.Join(i.tools, ","))
	}
	if i.config != "" {
		path, err := portable(i.config, dir, here)
		if err != nil {
			return nil, err
		}
		args = append(args, "--config", path)
	}
	for _, set := range i.set {
		args = append(args, "--set", set)
	}
	return args, nil
}

// portable returns path as the client can use it: absolute, or beginning with here where it lies in dir.
func portable(path, dir, here string) (string, error) {
	if isVariable(path) {
		return path, nil
	}
	absolute, err := filepath.Abs(path)
	if err != nil || here == "" {
		return absolute, err
	}
	inside, err := filepath.Rel(dir, absolute)
	switch {
	case err != nil || !filepath.IsLocal(inside):
		return absolute, nil
	case inside == ".":
		return here, nil
	case here == ".":
		return filepath.ToSlash(inside), nil
	default:
		return here + "/" + filepath.ToSlash(inside), nil
	}
}

// thisProgram returns the command that starts this program: its name, where a shared file is to hold it and the path
// leads here, and its absolute path otherwise.
func thisProgram(shared bool) (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("this program cannot find itself; name it with --command: %w", err)
	}
	if strings.Contains(filepath.ToSlash(self), "/go-build") {
		return "", fmt.Errorf("this program, %s, is gone once it has ended; build it, or name another with --command", self)
	}
	// What the path leads to may be a link that outlives the file it leads to now.
	if found, err := exec.LookPath("gander"); err == nil && sameFile(found, self) {
		if shared {
			return "gander", nil
		}
		return filepath.Abs(found)
	}
	return self, nil
}

func sameFile(a, b string) bool {
	one, err := os.Stat(a)
	if err != nil {
		return false
	}
	other, err := os.Stat(b)
	return err == nil && os.SameFile(one, other)
}

// thisMachine is the machine that the program runs on.
func thisMachine() install.Machine {
	home, err := os.UserHomeDir()
	if err != nil {
		home = "" // What needs it says so.
	}
	return install.Machine{System: runtime.GOOS, Home: home, Env: os.Getenv}
}

// finish shows the change and, where the flags say so, makes it.
func (i installation) finish(cmd *cobra.Command, client install.Client, change install.Change) error {
	out := cmd.OutOrStdout()
	if change.IsEmpty() {
		return write(out, shown(out, fmt.Sprintf("%s: nothing to change\n", change.Path)))
	}
	if !i.write {
		if err := write(out, shown(out, change.Diff())); err != nil {
			return err
		}
		cmd.PrintErrln("gander: nothing is written; --write makes this change")
		return nil
	}
	backup, err := change.Write()
	if err != nil {
		return failure{err}
	}
	said := fmt.Sprintf("wrote %s\n", change.Path)
	if backup != "" {
		said += fmt.Sprintf("backup %s\n", backup)
	}
	return write(out, shown(out, change.Diff()+said+client.NextStep+"\n"))
}

// shown is what of several lines may go to out.
func shown(out io.Writer, lines string) string {
	if isTerminal(out) {
		return text.Sanitize(lines)
	}
	return lines
}
