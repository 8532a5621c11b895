// Package toolset joins a workspace and the tools that access it. It is what the library, the
// command line and the MCP server have in common: *gander.Toolset converts to [*Toolset].
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

// All is the word that names every tool.
const All = registry.All

type (
	// A Definition is the spec of a tool and what the command line and MCP need in addition.
	Definition = shared.Definition
	// An MCP is what a tool publishes as a tool of another program's MCP server.
	MCP = shared.MCP
)

// Options configures a toolset.
type Options struct {
	Registry registry.Options
	// Build returns the tools for a workspace.
	Build func(*workspace.Workspace) ([]tool.Tool, error)
}

// A Toolset is a workspace and its tools. It is safe for concurrent use.
type Toolset struct {
	*registry.Registry
	workspace *workspace.Workspace
	options   Options
}

// New returns the tools for a workspace, which the Toolset closes.
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

// Emulated returns the description of the other server that published all of the tools, or nil.
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

// Why determines why a path is shown or hidden, within the limits of calls.
func (t *Toolset) Why(ctx context.Context, path string) (answer why.Answer, err error) {
	result := make(chan why.Answer, 1)
	err = t.Run(ctx, func(ctx context.Context) error {
		answer, err := why.Explain(ctx, t.workspace, path)
		result <- answer
		return err
	})
	if err != nil {
		return why.Answer{}, err
	}
	return <-result, nil
}

// Find returns the location of a directory of the workspace, after opening it once. The error is a
// [*tool.Error].
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

// Resolve returns the path of a directory of the workspace without symlinks. The error is a
// [*tool.Error].
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

// Narrow returns the same tools over a workspace of its own, whose roots are directories of t,
// given as absolute paths. Deny patterns, policy and limits are those of t, and the calls and the
// memory of both count together. The caller closes it before t. The error is a [*tool.Error].
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

// Close releases all handles. Further calls fail with [tool.ErrClosed], and so do calls in progress
// when they end. Closing again does nothing.
func (t *Toolset) Close() error {
	t.Registry.Close()
	return t.workspace.Close()
}
