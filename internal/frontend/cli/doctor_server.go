package cli

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"gander/internal/frontend/install"
)

// A serverCheck is what doctor has found about an entry of a client.
type serverCheck struct {
	Client   string   `json:"client"`
	Scope    string   `json:"scope"`
	File     string   `json:"file"`
	Name     string   `json:"name"`
	Command  string   `json:"command"`
	Program  string   `json:"program,omitempty"` // where the command was found
	Args     []string `json:"args"`
	Disabled bool     `json:"disabled"`
	// Workspace is what the server would serve, nil where that cannot be told from here.
	Workspace *workspaceCheck `json:"workspace,omitempty"`
	Notes     []string        `json:"notes"`
	Problems  []string        `json:"problems"`
}

// checkServer looks at what the client would start, and opens what that would serve. The directory is the project's.
func checkServer(ctx context.Context, e install.Entry, dir string) serverCheck {
	s := serverCheck{
		Client: e.Client.ID, Scope: string(e.Scope), File: e.Path, Name: e.Name,
		Command: e.Server.Command, Args: append([]string{}, e.Server.Args...), Disabled: e.Server.Disabled,
		Notes: []string{}, Problems: []string{},
	}
	if s.Disabled {
		s.Notes = append(s.Notes, "the client is told not to start it")
	}
	program, err := exec.LookPath(s.Command)
	switch {
	case isVariable(s.Command):
		s.Notes = append(s.Notes, "where the program lies is for the client to make out")
	case err != nil:
		s.Problems = append(s.Problems, fmt.Sprintf("the command cannot be started: %v; name the program by its absolute path", err))
	default:
		s.Program = program
		if self, err := thisProgram(false); err != nil || !sameFile(program, self) {
			s.Notes = append(s.Notes, "the command is another program than this one, which answers here")
		}
	}
	src, err := servedBy(&s, e, dir)
	switch {
	case err != nil:
		s.Problems = append(s.Problems, err.Error())
	case src != nil:
		c := checkWorkspace(ctx, src)
		s.Workspace, s.Problems = &c, append(s.Problems, c.problems...)
	}
	return s
}

// servedBy returns what the server of the entry would serve, nil where that cannot be told from here.
func servedBy(s *serverCheck, e install.Entry, dir string) (*source, error) {
	name := strings.TrimSuffix(filepath.Base(filepath.ToSlash(s.Command)), ".exe")
	if len(s.Args) == 0 || s.Args[0] != "mcp" {
		if name != "gander" {
			s.Notes = append(s.Notes, "gander is started by another program; what it serves is not looked at")
			return nil, nil
		}
		return nil, errors.New("the arguments do not begin with mcp, so that nothing is served")
	}
	cmd := newMCPCmd()
	if err := cmd.ParseFlags(s.Args[1:]); err != nil {
		return nil, fmt.Errorf("gander mcp would refuse its arguments: %w", err)
	}
	if err := cmd.ValidateArgs(cmd.Flags().Args()); err != nil {
		return nil, fmt.Errorf("gander mcp would refuse its arguments: %w", err)
	}
	return sourceOf(cmd, s, e, dir)
}

// sourceOf returns the source that the flags of cmd describe, with paths as they are in the project.
func sourceOf(cmd *cobra.Command, s *serverCheck, e install.Entry, dir string) (*source, error) {
	src := &source{flags: cmd.Flags(), roots: given(cmd.Flags(), "root")}
	var err error
	if src.tools, err = cmd.Flags().GetStringSlice("tools"); err != nil {
		return nil, err
	}
	if src.config, err = cmd.Flags().GetString("config"); err != nil {
		return nil, err
	}
	if len(src.roots) == 0 {
		s.Notes = append(s.Notes, "no --root is given; what is served depends on the directory in which the client starts it")
	}
	for _, path := range src.rootsAndConfig() {
		if e.Scope == install.User && path != "" && !filepath.IsAbs(path) && !isVariable(path) {
			s.Notes = append(s.Notes, fmt.Sprintf("%s depends on the directory in which the client starts it; looked at is the one below %s", path, dir))
		}
	}
	for i, root := range src.roots {
		src.roots[i] = inProject(root, e, dir)
	}
	src.config = inProject(src.config, e, dir)
	for _, path := range src.rootsAndConfig() {
		if isVariable(path) {
			s.Notes = append(s.Notes, fmt.Sprintf("what %s stands for is for the client to make out; what is served is not looked at", path))
			return nil, nil
		}
	}
	return src, nil
}

func (s *source) rootsAndConfig() []string { return append(append([]string{}, s.roots...), s.config) }

// inProject puts the project's directory in the place of what the client calls it.
func inProject(path string, e install.Entry, dir string) string {
	if isVariable(e.Client.ProjectDir) {
		return strings.ReplaceAll(path, e.Client.ProjectDir, dir)
	}
	return path
}
