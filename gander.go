// Package gander provides read-only file tools for AI agents, confined to a set of directories.
// Packages codex, gemini, forge, toolkit and filesystem add the tools of other programs, tool is
// the contract between tools and their callers, and mcpserver serves a [Toolset] over MCP.
package gander

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"

	"gander/internal/admission"
	"gander/internal/files/fsys"
	"gander/internal/files/workspace"
	"gander/internal/toolset"
	"gander/tool"
)

// largestFile is the size of the largest file that a tool returns as data, in bytes. It is that of
// filesystem/read_media_file.
const largestFile = 64 << 20

// A Toolset has tools for some directories. It is safe for concurrent use.
type Toolset toolset.Toolset

func (t *Toolset) inner() *toolset.Toolset { return (*toolset.Toolset)(t) }

// Open opens the roots. Any error is about a root or an invalid option.
func Open(o Options) (*Toolset, error) {
	if slices.Contains(o.Roots, "") {
		return nil, errors.New("a root is empty; name a directory, " +
			"or give no root for the working directory")
	}
	roots := o.Roots
	if len(roots) == 0 {
		dir, err := os.Getwd()
		if err != nil {
			return nil, fmt.Errorf("no root is given and the working directory is unknown: %w", err)
		}
		roots = []string{dir}
	}
	w, err := workspace.Open(workspace.Options{
		Deny: o.Deny, DefaultDeny: !o.NoDefaultDeny, CacheBytes: o.Limits.cacheBytes(),
	}, roots...)
	if err != nil {
		return nil, err
	}
	// A call must be able to hold a result of the maximum size.
	dataBytes := cmp.Or(o.Limits.maxDataBytes(), largestFile)
	callMemory := max(admission.DefaultBytes, int64(dataBytes))
	t, err := toolset.New(w, toolset.Options{
		Sets:           o.sets(),
		Tools:          o.ExtraTools,
		Select:         o.Tools,
		Policy:         o.Policy,
		MaxOutputBytes: o.Limits.maxOutputBytes(),
		MaxDataBytes:   o.Limits.maxDataBytes(),
		Timeout:        o.Limits.timeout(),
		Control:        admission.New(o.Limits.MaxConcurrentCalls, callMemory),
		Middleware:     o.Middleware,
		Audit:          o.Audit,
		Logger:         o.Logger,
	})
	if err != nil {
		return nil, errors.Join(err, w.Close())
	}
	return (*Toolset)(t), nil
}

// Roots returns the roots as absolute paths, in the given order.
func (t *Toolset) Roots() []string { return t.inner().Roots() }

// Tools returns the names, descriptions and schemas of the tools, for a model.
func (t *Toolset) Tools() []tool.Spec {
	definitions := t.inner().Definitions()
	specs := make([]tool.Spec, len(definitions))
	for i, d := range definitions {
		specs[i] = d.Spec
	}
	return specs
}

// Call calls the tool with the given name or ID. The arguments are a JSON object, or empty. Any
// error is a [*tool.Error] with a message for the model. Call returns shortly after ctx is done or
// the timeout expires.
func (t *Toolset) Call(
	ctx context.Context, name string, arguments json.RawMessage,
) (tool.Result, error) {
	return t.inner().Call(ctx, name, tool.Call{Args: arguments})
}

// Open opens a regular file or a directory at a path as gander's own tools do: relative to the
// first root, or absolute inside a root, following symlinks within the roots. Deny patterns apply,
// but the policy, limits and middleware do not. Files implement [io.ReaderAt] and [io.Seeker];
// directories implement [fs.ReadDirFile], until ctx is done. The error wraps [tool.ErrOutside] for
// a path outside, whether or not it exists, [fs.ErrPermission] for a denied one, [fs.ErrNotExist],
// or another error of the system. A [tool.Tool] can return it.
func (t *Toolset) Open(ctx context.Context, path string) (fs.File, error) {
	location, err := t.inner().Workspace().Find(ctx, path)
	if err != nil {
		return nil, fsys.NewError("open", path, err, tool.ErrOutside)
	}
	return fsys.Open(location, path, tool.ErrOutside)
}

// FS returns the first root as a file system that opens what [Toolset.Open] does, with its errors,
// at the paths of [fs.ValidPath]. It implements [fs.StatFS], [fs.ReadDirFS] and [fs.ReadLinkFS].
// FIFOs, sockets and devices have the type [fs.ModeIrregular]. Names that are not UTF-8 are
// omitted.
func (t *Toolset) FS() fs.FS {
	root, _ := t.inner().Workspace().Find(context.Background(), ".") // an error is about a path
	return fsys.New(root, tool.ErrOutside)
}

// Sub is like FS for the directory at a path, which is as for Open.
func (t *Toolset) Sub(dir string) (fs.FS, error) {
	location, err := t.inner().Directory(dir)
	if err != nil {
		return nil, err
	}
	return fsys.New(location, tool.ErrOutside), nil
}

// Close closes the roots. Calls of tools then fail with [tool.ErrClosed], and opening files fails
// with [fs.ErrClosed].
func (t *Toolset) Close() error { return t.inner().Close() }
