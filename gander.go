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
	"slices"

	"gander/internal/workspace"
	"gander/tool"
)

// A Toolset is a workspace and the tools over it. It is safe for concurrent use.
type Toolset struct {
	workspace *workspace.Workspace
	registry  *tool.Registry
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
	w, err := workspace.Open(workspace.Options{Deny: o.Sandbox.patterns(), MemoryBytes: o.Limits.memoryBytes()}, roots...)
	if err != nil {
		return nil, err
	}
	r, err := gather(w, o)
	if err != nil {
		w.Close()
		return nil, err
	}
	return &Toolset{w, r}, nil
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

// gather makes the chosen tools over w and the registry that holds them.
func gather(w *workspace.Workspace, o Options) (*tool.Registry, error) {
	tools, err := builtin(w, o)
	if err != nil {
		return nil, err
	}
	return tool.NewRegistry(tool.RegistryOptions{
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

// Close releases every handle the toolset holds. Calls made afterwards find nothing; those that are being made end as they
// would have. Closing again does nothing.
func (t *Toolset) Close() error { return t.workspace.Close() }
