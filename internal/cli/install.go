package cli

import (
	"cmp"
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

// An installation holds the flags of install.
type installation struct {
	*source
	scope           string
	doWrite, remove bool
}

func newInstallCmd() *cobra.Command {
	cmd := newCommand("install")
	cmd.Args = takes(1, math.MaxInt)
	cmd.ValidArgsFunction = cobra.FixedCompletions(clientNames(), cobra.ShellCompDirectiveNoFileComp)
	i := installation{source: newSource(cmd).withTools()}
	f := cmd.Flags()
	f.StringVar(&i.scope, "scope", "", "use the configuration of `SCOPE`: local, project or user")
	f.BoolVar(&i.doWrite, "write", false, "make the change")
	f.BoolVar(&i.remove, "remove", false, "remove the entry instead of adding it")
	completeValues(cmd, "scope", "local", "project", "user")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		var failures []error
		hasChange := false
		for _, id := range args {
			isNeeded, err := i.configure(id)
			hasChange = hasChange || isNeeded
			if err != nil {
				failures = append(failures, withPrefix(id, err))
			}
		}
		if hasChange && !i.doWrite && len(failures) == 0 {
			cmd.PrintErrln("gander: nothing was changed; use --write to make the change")
		}
		return errors.Join(failures...)
	}
	return cmd
}

// withPrefix adds a prefix to an error, or to each of several.
func withPrefix(prefix string, err error) error {
	return changeErrors(err, func(each error) error { return fmt.Errorf("%s: %w", prefix, each) })
}

// configure prints the change of a client's configuration, if any, and makes it if that is
// requested.
func (i *installation) configure(id string) (isNeeded bool, err error) {
	line, change, err := i.plan(id)
	if err != nil {
		return false, err
	}
	if err := write(i.cmd, terminal.Line(line)+"\n"); err != nil {
		return false, err
	}
	if change == nil || !i.doWrite {
		return change != nil, nil
	}
	if err := change.Make(); err != nil {
		return true, failure(err)
	}
	i.cmd.PrintErrln("gander: done; restart " + id)
	return true, nil
}

func clientNames() []string { return slices.Sorted(maps.Keys(install.Clients)) }

// plan describes the change of a client's configuration, and returns it, or nil if nothing has to
// change.
func (i *installation) plan(id string) (line string, change install.Change, err error) {
	client, scope, err := i.client(id)
	if err != nil {
		return "", nil, err
	}
	if !i.remove { // The client would not show an error.
		ts, err := i.open()
		if err != nil {
			return "", nil, err
		}
		ts.Close()
	}
	program, err := i.program()
	if err != nil {
		return "", nil, failure(err)
	}
	dir, err := os.Getwd()
	if err != nil {
		return "", nil, failure(err)
	}
	args, err := i.serverArgs(defaultRoot(client, scope, dir))
	if err != nil {
		return "", nil, failure(err)
	}
	line, change, err = client.Plan(scope, dir, append(program, args...), i.remove)
	return line, change, failure(err)
}

// client returns the client with an ID, and the scope of its configuration.
func (i *installation) client(id string) (client install.Client, scope string, err error) {
	client, ok := install.Clients[id]
	if !ok {
		known := clientNames()
		err := errors.New("unknown client; the clients are " + strings.Join(known, ", "))
		return client, "", didYouMean(err, "", suggest(id, known))
	}
	scope = cmp.Or(i.scope, client.Scopes[0])
	if !slices.Contains(client.Scopes, scope) {
		err = fmt.Errorf("no scope %q; use --scope %s", scope, strings.Join(client.Scopes, " or "))
	}
	return client, scope, err
}

// defaultRoot returns the workspace as the client spells it if the entry is for any workspace, or
// else the working directory dir.
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
		absolute, err := filepath.Abs(root)
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
// fetched it. A temporary program is an error, or just a warning if nothing is written.
func (i *installation) program() ([]string, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	slashed := filepath.ToSlash(self)
	if found := npxPath.FindStringSubmatch(slashed); found != nil {
		return []string{"npx", "-y", found[1]}, nil
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
