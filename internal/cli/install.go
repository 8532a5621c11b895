package cli

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"gander/internal/install"
	"gander/internal/paths"
	"gander/internal/terminal"
)

func newInstallCmd() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "install CLIENT...",
		Short: "Add gander to the configuration of MCP clients",
		Long: `Print how to add gander to the configuration of MCP clients, or with --write do
it. For a client that has a command for it, that is the command; for the others
it is one key of a JSON file, of which everything else stays as it is. --remove
takes out again what was added.

The clients are ` + strings.Join(clientNames()[:5], ", ") + `,
` + strings.Join(clientNames()[5:], ", ") + `.`,
		Example: `  gander install claude-code
  gander install cursor zed --write
  gander install codex --root ~/project
  gander install cursor --remove --write`,
		Args:      arguments(1, len(clientNames()), "the names of clients"),
		ValidArgs: clientNames(),
	}
	src := newSource(cmd).withTools()
	scope := cmd.Flags().String("scope", "",
		"use the configuration of `SCOPE`: local, project or user")
	doWrite := cmd.Flags().Bool("write", false, "make the change")
	remove := cmd.Flags().Bool("remove", false, "remove the entry instead of adding it")
	completeFlag(cmd, "scope", completeWords([]string{install.Local, install.Project, install.User}))
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		var failed []string
		for _, id := range args {
			change, err := plan(src, id, *scope, *remove)
			if err == nil {
				err = write(cmd, terminal.Line(change.Summary)+"\n")
			}
			if err == nil && *doWrite && change.Apply != nil {
				if err = change.Apply(cmd.Context(), cmd.ErrOrStderr()); err != nil {
					err = failure{err}
				} else if !*remove {
					cmd.PrintErrln("gander: done; start " + id + " again")
				}
			}
			if err != nil && len(args) == 1 {
				return err
			}
			if err != nil {
				printError(cmd, fmt.Errorf("%s: %w", id, err))
				failed = append(failed, id)
			}
		}
		if len(failed) > 0 {
			return failure{fmt.Errorf("not done for %s", strings.Join(failed, ", "))}
		}
		if !*doWrite {
			cmd.PrintErrln("gander: nothing is changed; --write does it")
		}
		return nil
	}
	return cmd
}

// clientNames returns the names of all clients, sorted.
func clientNames() []string { return slices.Sorted(maps.Keys(install.Clients())) }

// plan returns the change of a client's configuration.
func plan(src *source, id, scope string, remove bool) (change install.Change, err error) {
	client, ok := install.Clients()[id]
	if !ok {
		known := clientNames()
		err := fmt.Errorf("unknown client %q; the clients are %s", id, strings.Join(known, ", "))
		return change, didYouMean(err, suggest(id, known))
	}
	scope = cmp.Or(scope, client.Scopes[0])
	if !slices.Contains(client.Scopes, scope) {
		return change, fmt.Errorf("%s has no scope %q; use --scope %s",
			id, scope, strings.Join(client.Scopes, " or "))
	}
	dir, err := os.Getwd()
	if err != nil {
		return change, err
	}
	var s *install.Server
	if !remove {
		if s, err = server(src, client, scope, dir); err != nil {
			return change, err
		}
	}
	if change, err = client.Plan(scope, dir, s); err != nil {
		return change, failure{err}
	}
	return change, nil
}

// server returns the command line that the client is to start.
func server(src *source, client install.Client, scope, dir string) (*install.Server, error) {
	ts, err := src.open() // The client would not show an error.
	if err != nil {
		return nil, err
	}
	ts.Close()
	s, err := thisProgram()
	if err != nil {
		return nil, failure{err}
	}
	s.Args = append(s.Args, "mcp")
	add := func(flag, value string) { s.Args = append(s.Args, flag, value) }
	for _, root := range src.roots {
		path, err := filepath.Abs(root)
		if err != nil {
			return nil, err
		}
		add("--root", path)
	}
	switch isProject := scope == install.Project || strings.HasPrefix(client.Workspace, "$"); {
	case len(src.roots) > 0:
	case isProject && client.Workspace != "":
		add("--root", client.Workspace)
	default:
		add("--root", dir)
	}
	if src.config != "" {
		path, err := filepath.Abs(src.config)
		if err != nil {
			return nil, err
		}
		add("--config", path)
	}
	for _, pattern := range src.deny {
		add("--deny", pattern)
	}
	if len(src.tools) > 0 {
		add("--tools", strings.Join(src.tools, ","))
	}
	return &s, nil
}

// thisProgram returns the command line that starts this program: its path, or the command of npx
// that fetched it.
func thisProgram() (install.Server, error) {
	self, err := os.Executable()
	if err != nil {
		return install.Server{}, err
	}
	slashed := filepath.ToSlash(self)
	npm := regexp.MustCompile(`/_npx/.*/node_modules/((?:@[^/]+/)?[^/]+)-[^/-]+-[^/-]+/`)
	if found := npm.FindStringSubmatch(slashed); found != nil {
		return install.Server{Command: "npx", Args: []string{"-y", found[1]}}, nil
	}
	if _, ok := paths.Below(os.TempDir(), self); ok || strings.Contains(slashed, "/go-build") {
		err := errors.New(self + " is temporary; build or install the program, and run that")
		return install.Server{}, err
	}
	// The PATH may have a link that stays valid when the program moves.
	if found, err := exec.LookPath("gander"); err == nil {
		if one, err := os.Stat(found); err == nil {
			if other, err := os.Stat(self); err == nil && os.SameFile(one, other) {
				found, err = filepath.Abs(found)
				return install.Server{Command: found}, err
			}
		}
	}
	return install.Server{Command: self}, nil
}
