package cli

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"gander"
	"gander/internal/install"
	"gander/internal/terminal"
)

// A doctorReport is what doctor has found.
type doctorReport struct {
	OK       bool   `json:"ok"`
	Version  string `json:"version"`
	Go       string `json:"go"`
	Platform string `json:"platform"`
	// Program is the file of this program, Source what it was built from, and Installed how it came to be there.
	Program   string `json:"program"`
	Source    string `json:"source"`
	Installed string `json:"installed"`
	// Workspace is that of the command line.
	Workspace workspaceReport `json:"workspace"`
	// Servers are the entries of clients.
	Servers []serverReport `json:"servers"`
	// Problems are all problems, those of Workspace and Servers included.
	Problems []string `json:"problems"`
}

// A workspaceReport describes a workspace: its roots and tools, none if it cannot be opened.
type workspaceReport struct {
	Roots []string `json:"roots"`
	Tools []string `json:"tools"`

	problems []string
}

func newDoctorCmd() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Check this program and the clients that start it",
		Long: `Tell which version this is and where it came from, which clients start gander
and how, whether the roots can be read, and what is wrong.

doctor looks at the workspace of its flags, and at the configurations of all
clients that gander install knows: the user's, and those of a project in
the working directory. It writes nothing and runs none of the commands it
finds. If something is wrong, it exits with 1.`,
		Example: `  gander doctor
  gander doctor --root ~/project --json`,
		Args: arguments(0, 0, "no arguments"),
	}
	src := newSource(cmd).withRoots().withTools()
	asJSON := cmd.Flags().Bool("json", false, "print a JSON object")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		r, err := newDoctorReport(cmd.Context(), src)
		if err != nil {
			return err
		}
		if *asJSON {
			err = writeJSON(cmd, r)
		} else {
			err = write(cmd, r.text())
		}
		if n := len(r.Problems); err == nil && n > 0 {
			err = failure{fmt.Errorf("problems found: %d; see above", n)}
		}
		return err
	}
	return cmd
}

func newDoctorReport(ctx context.Context, src *source) (doctorReport, error) {
	b := newBuild()
	r := doctorReport{
		Version: b.Version, Go: b.Go, Platform: b.Platform, Source: b.source(),
		Servers: []serverReport{}, Problems: []string{},
	}
	program, err := os.Executable()
	if err != nil {
		r.Problems = append(r.Problems, fmt.Sprintf("this program cannot find itself: %v", err))
	}
	r.Program, r.Installed = program, installedBy(program, thisMachine())
	dir, err := os.Getwd()
	if err != nil {
		return r, err
	}
	r.Workspace = checkWorkspace(ctx, src)
	r.Problems = append(r.Problems, r.Workspace.problems...)
	entries, unreadable := install.Find(thisMachine(), dir, "gander")
	for _, e := range entries {
		s := checkServer(ctx, e, dir)
		r.Servers = append(r.Servers, s)
		for _, p := range s.Problems {
			r.Problems = append(r.Problems, fmt.Sprintf("%s, %q of %s: %s", e.Client.Title, e.Name, e.Path, p))
		}
	}
	for _, u := range unreadable {
		r.Problems = append(r.Problems, fmt.Sprintf("the configuration of %s cannot be read: %s: %v", u.Client.Title, u.Path, u.Err))
	}
	r.OK = len(r.Problems) == 0
	return r, ctx.Err()
}

// checkWorkspace opens the workspace and reads an entry of each root.
func checkWorkspace(ctx context.Context, src *source) workspaceReport {
	r := workspaceReport{Roots: []string{}, Tools: []string{}}
	ts, _, err := src.open()
	if err != nil {
		r.problems = []string{err.Error()}
		return r
	}
	defer ts.Close()
	for _, d := range ts.Definitions() {
		r.Tools = append(r.Tools, d.ID)
	}
	r.Roots = ts.Roots()
	for _, root := range r.Roots {
		for _, err := range ts.List(ctx, root, gander.ListOptions{Limit: 1}) {
			if err != nil {
				r.problems = append(r.problems, err.Error())
			}
		}
	}
	return r
}

// text returns the report as a person reads it.
func (r doctorReport) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "gander %s, %s, %s\n  program %s\n  built from %s\n", r.Version, r.Go, r.Platform, terminal.Line(r.Program), r.Source)
	if r.Installed != "" {
		fmt.Fprintf(&b, "  installed by %s\n", r.Installed)
	}
	fmt.Fprintf(&b, "\nworkspace\n%s", r.Workspace.text())
	for _, s := range r.Servers {
		b.WriteString("\n" + s.text())
	}
	if len(r.Servers) == 0 {
		b.WriteString("\nno client starts gander; see 'gander install --help'\n")
	}
	b.WriteString("\n")
	for _, p := range r.Problems {
		fmt.Fprintf(&b, "problem: %s\n", terminal.Line(p))
	}
	if r.OK {
		b.WriteString("no problems found\n")
	}
	return b.String()
}

func (r workspaceReport) text() string {
	if len(r.Roots) == 0 {
		return "  cannot be opened\n"
	}
	var b strings.Builder
	for _, root := range r.Roots {
		fmt.Fprintf(&b, "  root %s\n", terminal.Line(root))
	}
	fmt.Fprintf(&b, "  tools %s\n", strings.Join(r.Tools, ", "))
	return b.String()
}
