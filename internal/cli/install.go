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
		return true, failed(err)
	}
	i.cmd.PrintErrln("gander: done; restart " + id)
	return true, nil
}

func clientNames() []string { return slices.Sorted(maps.Keys(install.Clients)) }

// plan describes the change of a client's configuration, and returns it, or nil if nothing has to
// change.
func (i *installation) plan(id string) (line string, change install.Change, err error) {
	client, ok := install.Clients[id]
	if !ok {
		known := clientNames()
		err := errors.New("unknown client; the clients are " + strings.Join(known, ", "))
		return "", nil, didYouMean(err, "", suggest(id, known))
	}
	scope := cmp.Or(i.scope, client.Scopes[0])
	if !slices.Contains(client.Scopes, scope) {
		return "", nil, fmt.Errorf("no scope %q; use --scope %s",
			scope, strings.Join(client.Scopes, " or "))
	}
	if !i.remove { // The client would not show an error.
		ts, err := i.open()
		if err != nil {
			return "", nil, err
		}
		ts.Close()
	}
	dir, err := os.Getwd()
	if err != nil {
		return "", nil, failed(err)
	}
	root := dir
	isProject := scope == "project" || strings.HasPrefix(client.Workspace, "$")
	if isProject && client.Workspace != "" {
		root = client.Workspace
	}
	server, err := i.server(root)
	if errors.Is(err, errTemporary) && !i.doWrite {
		i.cmd.PrintErrln("gander: warning: " + err.Error())
		err = nil
	}
	if err != nil {
		return "", nil, failed(err)
	}
	line, change, err = client.Plan(scope, dir, server, i.remove)
	return line, change, failed(err)
}

// server returns the command line of a server with the source's flags. The default root is root.
func (s *source) server(root string) ([]string, error) {
	words, err := thisProgram()
	add := func(flag, path string) {
		absolute, failure := filepath.Abs(path)
		words, err = append(words, flag, absolute), errors.Join(err, failure)
	}
	words = append(words, "mcp")
	if len(s.roots) == 0 {
		words = append(words, "--root", root)
	}
	for _, root := range s.roots {
		add("--root", root)
	}
	if s.config != "" {
		add("--config", s.config)
	}
	for _, pattern := range s.deny {
		words = append(words, "--deny", pattern)
	}
	if len(s.tools) > 0 {
		words = append(words, "--tools", strings.Join(s.tools, ","))
	}
	return words, err
}

// errTemporary matches the error about a program in a temporary directory.
var errTemporary = errors.New("is temporary; build or install the program, and run that")

// npxPath matches the path of a program that npx has fetched, and its package.
var npxPath = regexp.MustCompile(`/_npx/.*/node_modules/((?:@[^/]+/)?[^/]+)-[^/-]+-[^/-]+/`)

// thisProgram returns the command line that starts this program: its path, or the command of npx
// that fetched it.
func thisProgram() ([]string, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	slashed := filepath.ToSlash(self)
	if found := npxPath.FindStringSubmatch(slashed); found != nil {
		return []string{"npx", "-y", found[1]}, nil
	}
	if _, ok := paths.Below(os.TempDir(), self); ok || strings.Contains(slashed, "/go-build") {
		return []string{self}, fmt.Errorf("%s %w", self, errTemporary)
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
