// Package gander gives an agent read-only file tools, confined to a workspace: tools of its own that list, read, find and
// search files, and reproductions of tools that language models were trained on, byte for byte. It writes nothing, runs
// nothing and opens no connection.
//
// [Open] opens the workspace and returns a [Toolset]. [Toolset.Definitions] returns names, descriptions and schemas for a
// request to a model, and [Toolset.Call] makes a call.
//
// Programs that want entries or files instead of text for a model use [Toolset.List] and [Toolset.FS], which are confined in
// the same way.
//
// Package gander/tool holds what tools and callers share: definitions, calls, results, errors, policy and middleware.
// Package gander/mcpserver serves a toolset over MCP.
package gander

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"gander/internal/files/workspace"
	"gander/tool"
)

// A Toolset is a workspace and the tools over it. It is safe for concurrent use.
type Toolset struct {
	workspace *workspace.Workspace
	registry  *tool.Registry
	options   Options // as given to Open
	selected  bool    // whether the registry has fewer tools than the options choose
}

// Open opens the workspace and returns its tools. It fails if a root does not exist or is not a directory, or if an option is
// wrong; nothing is left open then.
func Open(o Options) (*Toolset, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	roots, err := rootsOf(o)
	if err != nil {
		return nil, err
	}
	w, err := workspace.Open(workspace.Options{
		Deny: o.Sandbox.Deny, DefaultDeny: !o.Sandbox.NoDefaultDenies, CacheBytes: o.Limits.memoryBytes(),
	}, roots...)
	if err != nil {
		return nil, err
	}
	t, err := gather(w, o, nil)
	if err != nil {
		w.Close()
		return nil, err
	}
	return t, nil
}

func rootsOf(o Options) ([]string, error) {
	if slices.Contains(o.Roots, "") {
		return nil, errors.New("a root is empty; name a directory, or give no root for the working directory")
	}
	if len(o.Roots) > 0 {
		return o.Roots, nil
	}
	dir, err := os.Getwd()
	if err != nil {
		return nil, fmt.Errorf("no root is given and the working directory cannot be found: %w", err)
	}
	return []string{dir}, nil
}

// gather returns the chosen tools over w.
func gather(w *workspace.Workspace, o Options, sharing *tool.Registry) (*Toolset, error) {
	tools, err := builtin(w, o)
	if err != nil {
		return nil, err
	}
	r, err := tool.NewRegistry(tool.RegistryOptions{
		Select:         o.Tools,
		Show:           o.shown(),
		Policy:         o.Policy,
		Approver:       o.Approver,
		MaxOutputBytes: o.Limits.maxOutputBytes(),
		MaxDataBytes:   o.Limits.maxDataBytes(),
		Timeout:        o.Limits.timeout(),
		MaxCalls:       o.Limits.MaxCalls,
		Sharing:        sharing,
		Wrap:           o.Wrap,
		Observe:        o.Observe,
		Logger:         o.Logger,
		Clock:          o.Clock,
	}, append(tools, o.More...)...)
	if err != nil {
		return nil, err
	}
	return &Toolset{workspace: w, registry: r, options: o}, nil
}

// Roots returns the workspace's root directories as absolute paths, in the order given.
func (t *Toolset) Roots() []string { return t.workspace.Roots() }

// Definitions returns the tools that are shown, under the names by which they are shown together.
func (t *Toolset) Definitions() []tool.Definition { return t.registry.Definitions() }

// Lookup returns the tool called name. See [tool.Registry.Lookup].
func (t *Toolset) Lookup(name string) (tool.Spec, error) { return t.registry.Lookup(name) }

// Call calls a tool. See [tool.Registry.Call].
func (t *Toolset) Call(ctx context.Context, name string, c tool.Call) (tool.Result, error) {
	return t.registry.Call(ctx, name, c)
}

// Highlight returns the spans of an answer for a frontend that shows them in colour. See [tool.Registry.Highlight].
func (t *Toolset) Highlight(name string, c tool.Call, text string) []tool.Span {
	return t.registry.Highlight(name, c, text)
}

// CallAs calls work in place of a tool and under its rules. See [tool.Registry.CallAs].
func (t *Toolset) CallAs(ctx context.Context, name string, c tool.Call, work tool.Handler) (tool.Result, error) {
	return t.registry.CallAs(ctx, name, c, work)
}

// Do does work that touches files and is no call of a tool, within the limits of calls. See [tool.Registry.Do].
func (t *Toolset) Do(ctx context.Context, work func(context.Context) error) error {
	return t.registry.Do(ctx, work)
}

// Select returns a toolset that shows the tools that the words name and has no other, over the same workspace; see
// [tool.Registry.Select]. Closing either toolset closes the workspace.
func (t *Toolset) Select(words ...string) (*Toolset, error) {
	r, err := t.registry.Select(words...)
	if err != nil {
		return nil, err
	}
	return &Toolset{t.workspace, r, t.options, true}, nil
}

// Narrow returns the same tools over a workspace of its own, whose roots are directories of t's workspace: absolute paths, or
// paths relative to the first root. It has the policy, patterns and limits of t; the calls of both count together. It must be
// closed, and before t. The error is an [*tool.Error] about the directory that cannot be a root.
func (t *Toolset) Narrow(dirs ...string) (*Toolset, error) {
	if len(dirs) == 0 {
		return nil, errors.New("a workspace needs at least one root; name a directory of the workspace")
	}
	w := t.workspace
	absolute := make([]string, len(dirs))
	for i, dir := range dirs {
		if absolute[i] = dir; !filepath.IsAbs(dir) {
			absolute[i] = filepath.Join(w.Roots()[0], dir)
		}
		if _, err := t.directory(absolute[i]); err != nil {
			return nil, listError(dir, err)
		}
	}
	n, err := w.Narrow(absolute...)
	if err != nil {
		return nil, listError(strings.Join(dirs, ", "), err)
	}
	narrow, err := gather(n, t.options, t.registry)
	if err == nil && t.selected {
		var ids []string
		for _, d := range t.Definitions() {
			ids = append(ids, d.ID)
		}
		narrow, err = narrow.Select(ids...)
	}
	if err != nil {
		n.Close()
		return nil, err
	}
	return narrow, nil
}

// Resolve returns the path of a directory of the workspace, free of symlinks. The error is an [*tool.Error] about the directory.
func (t *Toolset) Resolve(dir string) (string, error) {
	place, err := t.directory(dir)
	if err == nil {
		place, err = place.Resolve()
	}
	if err != nil {
		return "", listError(dir, err)
	}
	return place.Absolute(), nil
}

// Close releases every handle of the toolset. Calls that are under way end normally; calls made later fail. Closing again does
// nothing.
func (t *Toolset) Close() error { return t.workspace.Close() }
