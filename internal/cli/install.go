package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"gander/internal/install"
	"gander/internal/terminal"

	"gander/internal/paths"
)

// An installation is what the flags of install say.
type installation struct {
	*source
	scope, name, command, file string
	write, remove, list        bool
}

func newInstallCmd() *cobra.Command {
	var ids []string
	for _, c := range install.Clients() {
		ids = append(ids, c.ID)
	}
	cmd := &cobra.Command{
		Use:   "install [CLIENT]",
		Short: "Add gander to the configuration of MCP clients",
		Long: `Print the change that adds gander mcp to a client's configuration, as a unified
diff, or with --write make it. Everything else in the file stays byte for byte,
and a backup is made. A file that cannot be parsed is not changed. Without
CLIENT, do this for every client that is found on this machine.

The clients are ` + strings.Join(ids[:5], ", ") + `,
` + strings.Join(ids[5:], ", ") + `.

--remove takes the entry out again, without CLIENT from all clients. --list
prints the entries of all clients that start gander.

The scope project is the working directory, and roots in it are written so that
they hold wherever the project lies. A root with a variable of the client, such
as ${HOME}/x, is written as it is.`,
		Example: `  gander install
  gander install claude-code --write
  gander install vscode --write --tools codex
  gander install codex --scope user --root ~/project --write
  gander install vscode --remove --write
  gander install --list`,
		Args:      arguments(0, 1, "at most one client"),
		ValidArgs: ids,
	}
	i := &installation{source: newSource(cmd).withTools()}
	cmd.Flags().StringVar(&i.scope, "scope", "", "change the file of the `SCOPE` project or user")
	cmd.Flags().StringVar(&i.name, "name", "gander", "give the entry the name `NAME`")
	cmd.Flags().StringVar(&i.command, "command", "", "let the client run `COMMAND` (default this program)")
	cmd.Flags().StringVar(&i.file, "file", "", "change `FILE` instead of the client's usual file")
	cmd.Flags().BoolVar(&i.write, "write", false, "make the change")
	cmd.Flags().BoolVar(&i.remove, "remove", false, "remove the entry instead of adding it")
	cmd.Flags().BoolVar(&i.list, "list", false, "print the entries that start gander")
	completeFlag(cmd, "scope", completeWords([]string{string(install.Project), string(install.User)}))
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if i.list {
			if len(args) > 0 || i.write || i.remove {
				return seeHelp(cmd, errors.New("--list takes neither a client nor --write or --remove"))
			}
			return listEntries(cmd)
		}
		if err := install.CheckName(i.name); err != nil && !i.remove {
			return err
		}
		scope := install.Scope(i.scope)
		if scope != "" && scope != install.User && scope != install.Project {
			return fmt.Errorf("unknown scope %q; use project or user", scope)
		}
		if len(args) == 0 {
			return i.all(cmd, scope)
		}
		client, err := install.Lookup(args[0])
		if err != nil {
			return didYouMean(err, suggest(args[0], ids))
		}
		if scope == "" {
			scope = client.Scopes()[0]
		}
		change, err := i.plan(client, scope)
		if err != nil {
			return err
		}
		if !i.remove {
			i.warnOfRoots(cmd)
		}
		if err := i.finish(cmd, client, scope, change); err != nil || i.write || change.IsEmpty() {
			return err
		}
		cmd.PrintErrln("gander: nothing is written; --write makes this change")
		return nil
	}
	return cmd
}

// plan returns the change that the flags ask for, in a scope.
func (i *installation) plan(client install.Client, scope install.Scope) (install.Change, error) {
	dir, err := os.Getwd()
	if err != nil {
		return install.Change{}, err
	}
	file, err := client.File(thisMachine(), scope, dir)
	switch {
	case i.file != "":
		file, err = filepath.Abs(i.file)
	case err == nil && scope == install.Project:
		if err := install.CheckProject(dir, file); err != nil {
			return install.Change{}, failure{err}
		}
	}
	if err != nil {
		return install.Change{}, err
	}
	var change install.Change
	if i.remove {
		change, err = client.Holding(file, i.name, scope, dir).PlanRemoval(file, i.name, scope)
	} else {
		server, wrong := i.server(client, scope, dir)
		switch {
		case wrong != nil:
			return change, wrong
		default:
			change, err = client.Plan(file, i.name, scope, server)
		}
	}
	if err != nil {
		return change, failure{err}
	}
	return change, nil
}

// server returns how the client is to start gander. If that replaces another server, the arguments are those of the
// configuration alone.
func (i *installation) server(client install.Client, scope install.Scope, dir string) (s install.Server, err error) {
	if err := i.check(); err != nil {
		return s, err
	}
	projectDir := ""
	if scope == install.Project {
		projectDir = client.ProjectDir
	}
	if s.Args, err = i.toolArgs(dir, projectDir); err != nil {
		return s, err
	}
	if i.config != "" {
		path, err := clientPath(i.config, dir, projectDir)
		if err != nil {
			return s, err
		}
		s.Args = append(s.Args, "--config", path)
	}
	for _, pattern := range i.deny {
		s.Args = append(s.Args, "--deny", pattern)
	}
	if s.Command = i.command; s.Command == "" {
		s.Command, err = thisProgram(scope == install.Project)
	}
	return s, err
}

// warnOfRoots warns of roots that hold the home directory, because they hold much that no project needs.
func (i *installation) warnOfRoots(cmd *cobra.Command) {
	roots := i.roots
	if len(roots) == 0 {
		roots = []string{"."}
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return
	}
	for _, root := range roots {
		path, err := filepath.Abs(root)
		if err != nil || hasVariable(root) {
			continue
		}
		if _, inside := paths.Below(path, home); inside {
			cmd.PrintErrf("gander: warning: the root %s holds your whole home directory, for the model to read; name a smaller one with --root DIR\n", terminal.Line(path))
		}
	}
}

// listEntries prints the entries that start gander.
func listEntries(cmd *cobra.Command) error {
	dir, err := os.Getwd()
	if err != nil {
		return err
	}
	entries, unreadable := install.Find(thisMachine(), dir, "gander")
	var b strings.Builder
	for _, e := range entries {
		fmt.Fprintf(&b, "%s  %s  %s\n", e.Client.ID, terminal.Line(e.Name), terminal.Line(e.Path))
	}
	if len(entries) == 0 {
		b.WriteString("no client starts gander; see 'gander install --help'\n")
	}
	if err := write(cmd, b.String()); err != nil {
		return err
	}
	for _, u := range unreadable {
		return failure{fmt.Errorf("the configuration of %s cannot be read: %s: %w", u.Client.Title, u.Path, u.Err)}
	}
	return nil
}

// check opens the toolset as the server would, without the roots that only the client knows.
func (i *installation) check() error {
	known := *i.source
	known.roots = slices.DeleteFunc(slices.Clone(i.roots), hasVariable)
	ts, err := known.open()
	if err != nil {
		return err
	}
	return ts.Close()
}

// toolArgs returns the arguments that make the program serve the roots and the tools. dir is the working directory, and projectDir
// is the client's name for it, or "" if the client has none.
func (i *installation) toolArgs(dir, projectDir string) ([]string, error) {
	roots := i.roots
	if len(roots) == 0 {
		roots = []string{dir}
	}
	args := []string{"mcp"}
	for _, root := range roots {
		path, err := clientPath(root, dir, projectDir)
		if err != nil {
			return nil, err
		}
		args = append(args, "--root", path)
	}
	if len(i.tools) > 0 {
		args = append(args, "--tools", strings.Join(i.tools, ","))
	}
	return args, nil
}

// finish prints the change, and makes it if --write is given.
func (i *installation) finish(cmd *cobra.Command, client install.Client, scope install.Scope, change install.Change) error {
	if change.IsEmpty() {
		return write(cmd, fmt.Sprintf("%s: nothing to change\n", change.Path))
	}
	if !i.write {
		return write(cmd, change.Diff())
	}
	backup, err := change.Write()
	if err != nil {
		return failure{err}
	}
	message := change.Diff() + fmt.Sprintf("wrote %s\n", change.Path)
	if backup != "" {
		message += fmt.Sprintf("backup %s\n", backup)
	}
	if !i.remove {
		message += client.NextStep(scope) + "\n"
	}
	return write(cmd, message)
}
