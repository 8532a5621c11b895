// Package gander gives an agent the read-only file tools that language models were trained on, confined to a workspace:
// Codex's list_dir and read_file, Gemini's and Forge's list_directory, and the toolkit's tree, byte for byte. It writes
// nothing, runs nothing and opens no connection.
//
// [Open] opens the workspace. A [Toolset] then serves an agent in one of two ways. With a model's interface that is a
// [Provider], [Toolset.Tools] is what goes into the request, and [Toolset.Answer] turns the response into what to append
// to the conversation. With any other, [Toolset.Definitions] has names, descriptions and schemas as published, and
// [Toolset.Call] makes a call.
//
// Programs that want entries or files rather than text for a model use [Toolset.List] and [Toolset.FS], which are as
// confined as the tools.
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

	"gander/internal/engine/workspace"
	"gander/tool"
)

// A Toolset is a workspace and the tools over it. It is safe for concurrent use.
type Toolset struct {
	workspace *workspace.Workspace
	registry  *tool.Registry
	own       map[string]tool.Tool // gander's own tools by their ids
	options   Options              // as it was opened with
}

// Open opens the workspace and gathers its tools. It fails where a root does not exist or is no directory, and where an
// option is wrong; nothing is left open then.
func Open(o Options) (*Toolset, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	roots, err := rootsOf(o)
	if err != nil {
		return nil, err
	}
	w, err := workspace.Open(workspace.Options{Deny: o.Sandbox.patterns(), CacheBytes: o.Limits.memoryBytes()}, roots...)
	if err != nil {
		return nil, err
	}
	t, err := gather(w, o)
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

// gather makes the tools over w and the registry that holds the chosen ones.
func gather(w *workspace.Workspace, o Options) (*Toolset, error) {
	tools, err := builtin(w, o)
	if err != nil {
		return nil, err
	}
	own := make(map[string]tool.Tool, len(tools))
	for _, t := range tools {
		own[t.Spec().ID] = t
	}
	r, err := tool.NewRegistry(tool.RegistryOptions{
		Select:         o.Tools,
		Policy:         o.Policy,
		Approver:       o.Approver,
		MaxOutputBytes: o.Limits.maxOutputBytes(),
		Timeout:        o.Limits.timeout(),
		MaxCalls:       o.Limits.MaxCalls,
		Wrap:           o.Wrap,
		Observe:        o.Observe,
		Logger:         o.Logger,
		Clock:          o.Clock,
	}, append(tools, o.More...)...)
	if err != nil {
		return nil, err
	}
	return &Toolset{w, r, own, o}, nil
}

// Roots returns the workspace's root directories as absolute paths, in the order given.
func (t *Toolset) Roots() []string { return t.workspace.Roots() }

// Definitions returns the tools under the names by which they are shown together.
func (t *Toolset) Definitions() []tool.Definition { return t.registry.Definitions() }

// Lookup returns the tool called name. See [tool.Registry.Lookup].
func (t *Toolset) Lookup(name string) (tool.Spec, error) { return t.registry.Lookup(name) }

// Call calls a tool. See [tool.Registry.Call].
func (t *Toolset) Call(ctx context.Context, name string, c tool.Call) (tool.Result, error) {
	return t.registry.Call(ctx, name, c)
}

// CallAs does work in the place of a tool and under its rules. See [tool.Registry.CallAs].
func (t *Toolset) CallAs(ctx context.Context, name string, c tool.Call, work tool.Handler) (tool.Result, error) {
	return t.registry.CallAs(ctx, name, c, work)
}

// Select returns a toolset of those of the tools that the words name, over the same workspace; see
// [tool.Registry.Select]. Closing either closes the workspace.
func (t *Toolset) Select(words ...string) (*Toolset, error) {
	r, err := t.registry.Select(words...)
	if err != nil {
		return nil, err
	}
	return &Toolset{t.workspace, r, t.own, t.options}, nil
}

// Narrow returns the toolset over a workspace of its own, whose roots are directories of t's: absolute paths in t's roots,
// or paths relative to the first. Policy, patterns and limits are t's; calls are counted for themselves. It is closed for
// itself, and before t. The error is an [*tool.Error] about the directory that cannot be a root.
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
	narrow, err := gather(n, t.options)
	if err == nil {
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

// Close releases every handle the toolset holds. Calls made afterwards find nothing; those that are being made end as they
// would have. Closing again does nothing.
func (t *Toolset) Close() error { return t.workspace.Close() }
