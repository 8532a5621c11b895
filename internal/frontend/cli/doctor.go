package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"gander"
	"gander/internal/frontend/install"
	"gander/tool"
)

// An examination is what doctor has found.
type examination struct {
	OK       bool              `json:"ok"`
	Version  string            `json:"version"`
	Go       string            `json:"go"`
	Platform string            `json:"platform"`
	Modules  map[string]string `json:"modules"`
	Limits   limits            `json:"limits"`
	// Workspace is the one of the command line.
	Workspace workspaceCheck `json:"workspace"`
	// Servers are the entries of clients.
	Servers []serverCheck `json:"servers"`
	// Problems are all that is wrong, those of Workspace and Servers included.
	Problems []string `json:"problems"`
}

// limits are those of every call; 0 stands for none.
type limits struct {
	MaxOutputBytes int   `json:"max_output_bytes"`
	TimeoutMS      int64 `json:"timeout_ms"`
	MemoryBytes    int   `json:"memory_bytes"`
	MaxCalls       int   `json:"max_calls"`
}

// A workspaceCheck says whether roots open and tools answer.
type workspaceCheck struct {
	Roots []string `json:"roots"`
	Tools []answer `json:"tools"`

	problems []string
	limits   limits
}

// An answer is how a tool has answered a call about a root, or a file in it.
type answer struct {
	Tool  string  `json:"tool"`
	Root  string  `json:"root"`
	MS    float64 `json:"ms"`
	Bytes int     `json:"bytes"`
	Note  string  `json:"note,omitempty"`
	Error string  `json:"error,omitempty"`
}

func newDoctorCmd() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Say which clients start gander, which roots open and how the tools answer",
		Long: `Say which clients start gander and how, which roots open, how long the tools take to answer about them, which limits hold
and which versions these are. Looked at are the users' files of all clients that gander install knows, those of a project in
the working directory, and the workspace of the flags. Nothing is written, and no command of a client is run: its roots and
tools are opened and called by this program.

Exits with 1 where something is wrong.`,
		Example: `  gander doctor
  gander doctor --root ~/project --json`,
		Args: arguments(0, 0, "no arguments"),
	}
	src := newSource(cmd.Flags()).withRoots().withTools()
	asJSON := cmd.Flags().Bool("json", false, "write one JSON object")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		e, err := examine(cmd.Context(), src)
		if err != nil {
			return err
		}
		out := cmd.OutOrStdout()
		said := shown(out, e.text())
		if *asJSON {
			data, err := json.MarshalIndent(e, "", "  ")
			if err != nil {
				return failure{err}
			}
			said = shown(out, string(data)+"\n")
		}
		if err := write(out, said); err != nil {
			return err
		}
		if n := len(e.Problems); n > 0 {
			return failure{fmt.Errorf("%d wrong; see above", n)}
		}
		return nil
	}
	return cmd
}

func examine(ctx context.Context, src *source) (examination, error) {
	e := examination{
		Version: version(), Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH,
		Modules: map[string]string{}, Servers: []serverCheck{}, Problems: []string{},
	}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, m := range info.Deps {
			e.Modules[m.Path] = m.Version
		}
	}
	dir, err := os.Getwd()
	if err != nil {
		return e, err
	}
	e.Workspace = checkWorkspace(ctx, src)
	e.Limits = e.Workspace.limits
	e.Problems = append(e.Problems, e.Workspace.problems...)
	entries, unreadable := install.Find(thisMachine(), dir, "gander")
	for _, entry := range entries {
		s := checkServer(ctx, entry, dir)
		e.Servers = append(e.Servers, s)
		for _, p := range s.Problems {
			e.Problems = append(e.Problems, fmt.Sprintf("%s, %q of %s: %s", entry.Client.Title, entry.Name, entry.Path, p))
		}
	}
	for _, u := range unreadable {
		e.Problems = append(e.Problems, fmt.Sprintf("the configuration of %s cannot be read: %s: %v", u.Client.Title, u.Path, u.Err))
	}
	e.OK = len(e.Problems) == 0
	return e, ctx.Err()
}

// checkWorkspace opens what the flags say and calls every tool about every root.
func checkWorkspace(ctx context.Context, src *source) workspaceCheck {
	c := workspaceCheck{Roots: []string{}, Tools: []answer{}}
	ts, o, err := src.open()
	c.limits = limitsOf(o.Limits)
	if err != nil {
		c.problems = append(c.problems, err.Error())
		return c
	}
	defer ts.Close()
	c.Roots = ts.Roots()
	for i, root := range c.Roots {
		for _, d := range ts.Definitions() {
			a := probe(ctx, ts, d, root, i == 0)
			if a.Error != "" {
				c.problems = append(c.problems, fmt.Sprintf("%s fails on %s: %s", a.Tool, root, a.Error))
			}
			c.Tools = append(c.Tools, a)
		}
	}
	return c
}

// limitsOf returns the limits in force.
func limitsOf(l gander.Limits) limits {
	effective := func(value, standard int) int {
		if value == 0 {
			return standard
		}
		return max(value, 0)
	}
	return limits{
		MaxOutputBytes: effective(l.MaxOutputBytes, 102400),
		TimeoutMS:      time.Duration(effective(int(l.Timeout), int(10*time.Second))).Milliseconds(),
		MemoryBytes:    effective(l.MemoryBytes, 32<<20),
		MaxCalls:       effective(l.MaxCalls, 64),
	}
}

// probe calls a tool about a root, or where it wants a file about one in it. A path is given as most tools take it and,
// where that is refused and the root is the one that relative paths refer to, as the others do.
func probe(ctx context.Context, ts *gander.Toolset, d tool.Definition, root string, first bool) answer {
	a := answer{Tool: d.ID, Root: root}
	wants := required(d.Input)
	paths := []string{root}
	if first {
		paths = append(paths, ".")
	}
	if slices.ContainsFunc(wants, isFile) {
		if paths = someFiles(ctx, ts, root); len(paths) == 0 {
			a.Note = "not called, no file is near"
			return a
		}
	}
	for _, path := range paths {
		arguments := map[string]string{}
		for _, name := range wants {
			arguments[name] = path
		}
		raw, err := json.Marshal(arguments)
		if err != nil {
			a.Error = err.Error()
			return a
		}
		start := time.Now()
		result, err := ts.Call(ctx, d.Name, tool.Call{Args: raw})
		a.MS, a.Bytes, a.Error = float64(time.Since(start).Microseconds())/1000, len(result.Text()), ""
		if err == nil {
			return a
		}
		a.Error = err.Error()
		if errors.Is(err, tool.ErrPolicy) {
			a.Note, a.Error = "the policy refuses it", ""
			return a
		}
	}
	return a
}

// required are the arguments that a schema demands. All of them are paths.
func required(schema json.RawMessage) []string {
	var s struct{ Required []string }
	if err := json.Unmarshal(schema, &s); err != nil {
		return nil
	}
	return s.Required
}

func isFile(argument string) bool { return strings.Contains(argument, "file") }

// someFiles returns the paths of a few files in the root, not all of which can be read.
func someFiles(ctx context.Context, ts *gander.Toolset, root string) []string {
	const enough, deep, looked = 20, 3, 2000
	var files []string
	for e, err := range ts.List(ctx, root, gander.ListOptions{Depth: deep, Limit: looked}) {
		if err == nil && e.Type()&fs.ModeType == 0 {
			files = append(files, filepath.Join(root, filepath.FromSlash(e.Path)))
		}
		if len(files) == enough {
			break
		}
	}
	return files
}
