package cli

import (
	"errors"
	"fmt"
	"maps"
	"math"
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

type installation struct {
	*source
	scope, name     string
	only            []string
	doWrite, remove bool
}

func newInstallCmd() *cobra.Command {
	cmd := newCommand("install")
	cmd.Args = takes(1, math.MaxInt)
	cmd.ValidArgsFunction = func(
		*cobra.Command, []string, string,
	) ([]cobra.Completion, cobra.ShellCompDirective) {
		return clientNames(), cobra.ShellCompDirectiveNoFileComp
	}
	i := installation{source: newSource(cmd).withTools()}
	f := cmd.Flags()
	f.StringVar(&i.scope, "scope", "", "use the configuration of `SCOPE`: local, project or user")
	f.StringVar(&i.name, "name", "gander", "call the server `NAME`")
	f.StringSliceVar(&i.only, "only", nil, "deny the client's own `TOOLS`: reading, editing, web")
	f.Lookup("only").NoOptDefVal = install.Reading + "," + install.Editing
	f.BoolVar(&i.doWrite, "write", false, "make the change")
	f.BoolVar(&i.remove, "remove", false, "remove what the same command adds")
	completeValues(cmd, "scope", "local", "project", "user")
	completeValues(cmd, "only", install.Reading, install.Editing, install.Web)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		var failures []error
		hasChange := false
		for _, id := range args {
			isNeeded, err := i.configure(id)
			hasChange = hasChange || isNeeded
			if err != nil {
				named := func(each error) error { return fmt.Errorf("%s: %w", id, each) }
				failures = append(failures, changeErrors(err, named))
			}
		}
		if hasChange && !i.doWrite && len(failures) == 0 {
			cmd.PrintErrln("gander: nothing was changed; use --write to make the change")
		}
		return errors.Join(failures...)
	}
	return cmd
}

// configure prints the changes of a client's configuration, and makes them if that is requested.
func (i *installation) configure(id string) (isNeeded bool, err error) {
	client, changes, err := i.plan(id)
	if err != nil {
		return false, err
	}
	for _, change := range changes {
		defer change.Close()
		isNeeded = isNeeded || change.IsNeeded()
		for _, line := range change.Lines {
			if err := write(i.cmd, terminal.Line(line)+"\n"); err != nil {
				return false, err
			}
		}
	}
	i.sayOpen(id, client)
	if !isNeeded || !i.doWrite {
		return isNeeded, nil
	}
	for _, change := range changes {
		if !change.IsNeeded() {
			continue
		}
		if err := change.Make(); err != nil {
			return true, failure(err)
		}
	}
	i.cmd.PrintErrln("gander: done; restart " + id)
	return true, nil
}

func (i *installation) sayOpen(id string, client install.Client) {
	switch {
	case len(i.only) == 0 || i.remove || client.HasNone:
	case len(client.Only) == 0:
		i.cmd.PrintErrf("gander: %s has no setting that denies its own tools; they stay\n", id)
	case !slices.Contains(i.only, install.Reading):
		i.cmd.PrintErrf("gander: %s still reads with its own tools; --only=reading denies them\n", id)
	default:
		i.cmd.PrintErrf("gander: %s still reads: %s\n", id, client.StillOpen(i.only))
	}
}

func clientNames() []string { return slices.Sorted(maps.Keys(install.Clients())) }

func (i *installation) plan(
	id string,
) (client install.Client, changes []install.Change, err error) {
	client, scope, err := i.client(id)
	if err != nil {
		return client, nil, err
	}
	for _, kind := range i.only {
		if !slices.Contains([]string{install.Reading, install.Editing, install.Web}, kind) {
			return client, nil, fmt.Errorf("--only is %q; use reading, editing or web", kind)
		}
	}
	if !serverName.MatchString(i.name) {
		return client, nil, fmt.Errorf("--name is %q; use letters, digits, - and _", i.name)
	}
	if !i.remove { // The client would not show an error.
		ts, err := i.open()
		if err != nil {
			return client, nil, err
		}
		i.warnHome(ts.Roots())
		ts.Close()
	}
	program, err := i.program(scope.Name)
	if err != nil {
		return client, nil, failure(err)
	}
	dir, err := os.Getwd()
	if err != nil {
		return client, nil, failure(err)
	}
	args, err := i.serverArgs(defaultRoot(client, scope.Name, dir))
	if err != nil {
		return client, nil, failure(err)
	}
	changes, err = client.Plan(install.Request{
		Scope: scope, Dir: dir, Name: i.name, Server: append(program, args...), Only: i.only,
		Remove: i.remove,
	})
	return client, changes, failure(err)
}

// serverName matches the names that all clients accept.
var serverName = regexp.MustCompile(`^[A-Za-z0-9_-]+$`)

func (i *installation) warnHome(roots []string) {
	home, _ := os.UserHomeDir() // without one, no root is the same
	for _, root := range roots {
		if isSameFile(root, home) {
			i.cmd.PrintErrf("gander: warning: the root %s is your home directory; "+
				"name a project with --root\n", root)
		}
	}
}

func (i *installation) client(id string) (install.Client, install.Scope, error) {
	client, ok := install.Clients()[id]
	if !ok {
		known := clientNames()
		err := errors.New("unknown client; the clients are " + strings.Join(known, ", "))
		return client, install.Scope{}, didYouMean(err, "", suggest(id, known))
	}
	scope, err := client.Scope(i.scope)
	return client, scope, err
}

// defaultRoot returns the workspace as the client spells it if the entry is for any, or else dir.
func defaultRoot(client install.Client, scope, dir string) string {
	isForAny := scope == "project" || strings.HasPrefix(client.Workspace, "$")
	if isForAny && client.Workspace != "" {
		return client.Workspace
	}
	return dir
}

// serverArgs returns the arguments of a server with the source's flags. The default root is root.
func (s *source) serverArgs(root string) ([]string, error) {
	args := []string{"mcp"}
	if len(s.roots) == 0 {
		args = append(args, "--root", root)
	}
	for _, root := range s.roots {
		absolute, err := filepath.Abs(expandHome(root))
		if err != nil {
			return nil, err
		}
		args = append(args, "--root", absolute)
	}
	if s.config != "" {
		absolute, err := filepath.Abs(s.config)
		if err != nil {
			return nil, err
		}
		args = append(args, "--config", absolute)
	}
	for _, pattern := range s.deny {
		args = append(args, "--deny", pattern)
	}
	if len(s.tools) > 0 {
		args = append(args, "--tools", strings.Join(s.tools, ","))
	}
	return args, nil
}

// npxPath matches the path of a program that npx has fetched, and its package.
var npxPath = regexp.MustCompile(`/_npx/.*/node_modules/((?:@[^/]+/)?[^/]+)-[^/-]+-[^/-]+/`)

// program returns the command line that starts this program: its path, or the command of npx that
// fetched it. In a file that a team shares, it is the name. A temporary program is an error, or
// just a warning if nothing is written.
func (i *installation) program(scope string) ([]string, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	slashed := filepath.ToSlash(self)
	if found := npxPath.FindStringSubmatch(slashed); found != nil {
		return []string{"npx", "-y", found[1]}, nil
	}
	if scope == "project" {
		return []string{"gander"}, nil
	}
	_, isBelowTemp := paths.Below(os.TempDir(), self)
	isTemporary := isBelowTemp || strings.Contains(slashed, "/go-build")
	if isTemporary {
		err := fmt.Errorf("%s is temporary; build or install the program, and run that", self)
		if i.doWrite {
			return nil, err
		}
		i.cmd.PrintErrln("gander: warning: " + err.Error())
		return []string{self}, nil
	}
	// The PATH may have a link that stays valid when the program moves.
	if found, err := exec.LookPath("gander"); err == nil && isSameFile(found, self) {
		self = found
	}
	self, err = filepath.Abs(self)
	return []string{self}, err
}

func isSameFile(a, b string) bool {
	infoA, errA := os.Stat(a)
	infoB, errB := os.Stat(b)
	return errA == nil && errB == nil && os.SameFile(infoA, infoB)
}
