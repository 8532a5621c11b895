package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"gander/internal/install"
	"gander/internal/terminal"
)

// A serverReport is what doctor has found about an entry of a client.
type serverReport struct {
	Client   string   `json:"client"`
	Scope    string   `json:"scope"`
	File     string   `json:"file"`
	Name     string   `json:"name"`
	Command  string   `json:"command"`
	Program  string   `json:"program,omitempty"` // the file that the command runs
	Args     []string `json:"args"`
	Disabled bool     `json:"disabled"`
	// Workspace is what the server would serve, nil if only the client knows that.
	Workspace *workspaceReport `json:"workspace,omitempty"`
	Notes     []string         `json:"notes"`
	Problems  []string         `json:"problems"`
}

// newServerReport returns what the entry itself says.
func newServerReport(e install.Entry) serverReport {
	s := serverReport{
		Client: e.Client.ID, Scope: string(e.Scope), File: e.Path, Name: e.Name,
		Command: e.Server.Command, Args: append([]string{}, e.Server.Args...), Disabled: e.Server.Disabled,
		Notes: []string{}, Problems: []string{},
	}
	if s.Disabled {
		s.note("the entry is disabled")
	}
	return s
}

// checkServer checks the program that the client would run, and opens what the program would serve. dir is the project's
// directory.
func checkServer(ctx context.Context, e install.Entry, dir string) serverReport {
	s := newServerReport(e)
	s.checkProgram()
	src, err := s.source(e, dir)
	switch {
	case err != nil:
		s.Problems = append(s.Problems, err.Error())
	case src != nil:
		w := checkWorkspace(ctx, src)
		s.Workspace, s.Problems = &w, append(s.Problems, w.problems...)
	}
	return s
}

func (s *serverReport) note(format string, args ...any) {
	s.Notes = append(s.Notes, fmt.Sprintf(format, args...))
}

// checkProgram looks for the program that the command runs.
func (s *serverReport) checkProgram() {
	if hasVariable(s.Command) {
		s.note("only the client knows where the program is")
		return
	}
	program, err := exec.LookPath(s.Command)
	if err != nil {
		s.Problems = append(s.Problems, fmt.Sprintf("the command cannot be started: %v; name the program by its absolute path", err))
		return
	}
	s.Program = program
	if self, err := thisProgram(false); err != nil || !sameFile(program, self) {
		s.note("the command runs another program than this one")
	}
}

// source returns what the server would serve, or nil if only the client knows that.
func (s *serverReport) source(e install.Entry, dir string) (*source, error) {
	if len(s.Args) == 0 || s.Args[0] != "mcp" {
		if strings.TrimSuffix(filepath.Base(filepath.ToSlash(s.Command)), ".exe") != "gander" {
			s.note("another program starts gander; what it serves is not checked")
			return nil, nil
		}
		return nil, errors.New("the arguments do not begin with mcp, so nothing is served")
	}
	cmd, src := newMCP()
	if err := errors.Join(cmd.ParseFlags(s.Args[1:]), cmd.ValidateArgs(cmd.Flags().Args())); err != nil {
		return nil, fmt.Errorf("gander mcp would refuse its arguments: %w", err)
	}
	relative := func(path string) bool { return !filepath.IsAbs(path) && !hasVariable(path) }
	if e.Scope == install.User && (len(src.roots) == 0 || slices.ContainsFunc(src.roots, relative)) {
		s.note("the roots depend on the directory in which the client starts the server; checked is %s", dir)
	}
	src.config = expandProjectDir(src.config, e.Client, dir)
	for i, root := range src.roots {
		src.roots[i] = expandProjectDir(root, e.Client, dir)
	}
	if slices.ContainsFunc(append(slices.Clone(src.roots), src.config), hasVariable) {
		s.note("only the client knows its variables; what is served is not checked")
		return nil, nil
	}
	// A repository may name a pipe, and reading that would wait for whoever writes.
	if info, err := os.Stat(src.config); err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("the configuration %s is no regular file", src.config)
	}
	return src, nil
}

// expandProjectDir replaces the client's variable for the project's directory by dir.
func expandProjectDir(path string, c install.Client, dir string) string {
	if hasVariable(c.ProjectDir) {
		return strings.ReplaceAll(path, c.ProjectDir, dir)
	}
	return path
}

func (s *serverReport) text() string {
	words := append([]string{s.Command}, s.Args...)
	for i, word := range words {
		if word == "" || strings.ContainsAny(word, " \t\n\"'") {
			words[i] = fmt.Sprintf("%q", word)
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s, %s scope, %q in %s\n", s.Client, s.Scope, s.Name, terminal.Line(s.File))
	fmt.Fprintf(&b, "  command %s\n", terminal.Line(strings.Join(words, " ")))
	for _, n := range s.Notes {
		fmt.Fprintf(&b, "  note: %s\n", terminal.Line(n))
	}
	if s.Workspace != nil {
		b.WriteString(s.Workspace.text())
	}
	return b.String()
}
