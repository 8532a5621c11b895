// Package toolset combines a workspace with its tools. The library, the command line and the MCP
// server share it; a *gander.Toolset converts to a [*Toolset].
package toolset

import (
	"context"
	"errors"
	"strings"

	"gander/internal/files/why"
	"gander/internal/files/workspace"
	"gander/internal/registry"
	"gander/internal/tools/shared"
	"gander/tool"
)

// All is the selector of all tools.
const All = registry.All

// DefaultTools returns the IDs of the tools that are visible by default.
func DefaultTools() []string {
	return []string{"gander/list_dir", "gander/read_file", "gander/find_files", "gander/search_text"}
}

type (
	// A Definition is the spec of a tool with additional data for the command line and MCP.
	Definition = shared.Definition
	// An MCP holds the published definition of a tool of another MCP server.
	MCP = shared.MCP
)

// Options configures a toolset.
type Options struct {
	Registry registry.Options
	// Build creates the tools for a workspace.
	Build func(*workspace.Workspace) ([]tool.Tool, error)
}

// A Toolset is a workspace and its tools. It is safe for concurrent use.
type Toolset struct {
	*registry.Registry
	workspace *workspace.Workspace
	options   Options
}

// New returns a Toolset for w. The Toolset takes ownership of w.
func New(w *workspace.Workspace, o Options) (*Toolset, error) {
	tools, err := o.Build(w)
	if err != nil {
		return nil, err
	}
	r, err := registry.New(o.Registry, tools...)
	if err != nil {
		return nil, err
	}
	return &Toolset{r, w, o}, nil
}

// Roots returns the root directories as absolute paths, in the given order.
func (t *Toolset) Roots() []string { return t.workspace.Roots() }

// Emulated returns the description of the server that published all visible tools, or nil if they
// do not all come from one other server.
func (t *Toolset) Emulated() *shared.MCP {
	var server *shared.MCP
	for _, d := range t.Definitions() {
		if d.MCP == nil || server != nil && d.MCP.Server != server.Server {
			return nil
		}
		server = d.MCP
	}
	return server
}

// Why explains why a path is shown or hidden. The limits on calls apply.
func (t *Toolset) Why(ctx context.Context, path string) (explanation why.Explanation, err error) {
	result := make(chan why.Explanation, 1)
	err = t.Run(ctx, func(ctx context.Context) error {
		explanation, err := why.Explain(ctx, t.workspace, path)
		result <- explanation
		return err
	})
	if err != nil {
		return why.Explanation{}, err
	}
	return <-result, nil
}

// Find returns the location of a directory of the workspace. It checks that the directory can be
// opened. Any error is a [*tool.Error].
func (t *Toolset) Find(dir string) (workspace.Location, error) {
	location, err := t.workspace.Find(dir)
	if err == nil {
		err = location.CheckDir()
	}
	if err != nil {
		return workspace.Location{}, directoryError(dir, err)
	}
	return location, nil
}

// Resolve returns the absolute path of a directory of the workspace, without symlinks. Any error is
// a [*tool.Error].
func (t *Toolset) Resolve(dir string) (string, error) {
	location, err := t.Find(dir)
	if err != nil {
		return "", err
	}
	if location, err = location.Resolve(); err != nil {
		return "", directoryError(dir, err)
	}
	return location.Absolute(), nil
}

func directoryError(dir string, err error) error {
	return &tool.Error{
		Kind:    shared.ErrorKind(err),
		Message: "cannot list " + dir + ": " + shared.PathErrorText(err),
		Err:     err,
	}
}

// Narrow returns a Toolset whose roots are the given directories of t. Paths must be absolute. It
// inherits the tools, deny patterns, policy and limits of t, and both share one quota of calls and
// memory. The caller must close it before t. Any error is a [*tool.Error].
func (t *Toolset) Narrow(dirs ...string) (*Toolset, error) {
	w, err := t.workspace.Narrow(dirs...)
	if err != nil {
		return nil, directoryError(strings.Join(dirs, ", "), err)
	}
	narrowed, err := New(w, t.options)
	if err != nil {
		return nil, errors.Join(err, w.Close())
	}
	return narrowed, nil
}

// Close releases all handles. Further calls and calls in progress fail with [tool.ErrClosed].
// Close is idempotent.
func (t *Toolset) Close() error {
	t.Registry.Close()
	return t.workspace.Close()
}
