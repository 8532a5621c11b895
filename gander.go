// Package gander gives an agent read-only file tools, confined to directories: tools of its own that
// list, read, find and search files, and byte-for-byte reproductions of the tools of other agents.
//
// [Open] opens the directories and returns a [Toolset]. [Toolset.Tools] returns the names,
// descriptions and schemas for a model, and [Toolset.Call] makes a call. [Toolset.FS] gives tools of
// the embedding program the same confined access.
//
// Package gander/tool is the contract between tools and their callers. Package gander/mcpserver
// serves a toolset over the Model Context Protocol.
package gander

import (
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
	"gander/internal/registry"
	"gander/internal/toolset"
	"gander/tool"
)

// A Toolset is a set of tools and the directories that they can access. It is safe for concurrent
// use.
type Toolset toolset.Toolset

// Open opens the roots and returns the tools. It fails if a root is not a directory, or if an option
// is not valid.
func Open(o Options) (*Toolset, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	roots, err := rootsOf(o)
	if err != nil {
		return nil, err
	}
	w, err := workspace.Open(workspace.Options{
		Deny: o.Deny, DefaultDeny: !o.NoDefaultDeny, CacheBytes: o.Limits.cacheBytes(),
	}, roots...)
	if err != nil {
		return nil, err
	}
	t, err := toolset.New(w, o.toolset())
	if err != nil {
		return nil, errors.Join(err, w.Close())
	}
	return (*Toolset)(t), nil
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

// toolset returns the options of the internal toolset.
func (o Options) toolset() toolset.Options {
	size := max(admission.DefaultBytes, int64(o.Limits.maxDataBytes()))
	return toolset.Options{
		Registry: registry.Options{
			Select:         o.Tools,
			Show:           o.visible(),
			Yield:          []string{"filesystem"},
			Policy:         o.Policy,
			MaxOutputBytes: o.Limits.maxOutputBytes(),
			MaxDataBytes:   o.Limits.maxDataBytes(),
			Timeout:        o.Limits.timeout(),
			Control:        admission.New(o.Limits.MaxConcurrentCalls, size),
			Middleware:     o.Middleware,
			Logger:         o.Logger,
		},
		Build: func(w *workspace.Workspace) ([]tool.Tool, error) {
			builtin, err := builtin(w, o)
			return append(builtin, o.ExtraTools...), err
		},
	}
}

// inner returns t as the internal toolset that it is.
func (t *Toolset) inner() *toolset.Toolset { return (*toolset.Toolset)(t) }

// Roots returns the roots as absolute paths, in the given order.
func (t *Toolset) Roots() []string { return t.inner().Roots() }

// Tools returns the specs of the tools for a model. If several have the same name, it is preceded by
// the name of the set, as in "codex_read_file".
func (t *Toolset) Tools() []tool.Spec {
	definitions := t.inner().Definitions()
	specs := make([]tool.Spec, len(definitions))
	for i, d := range definitions {
		specs[i] = d.Spec
	}
	return specs
}

// Call calls the tool with that name or id. The arguments are one JSON object; empty means an empty
// object. The error is a [*tool.Error] with a message for the model. Call returns soon after ctx or
// the timeout ends, even if the tool is blocked in the operating system.
func (t *Toolset) Call(ctx context.Context, name string, arguments json.RawMessage) (tool.Result, error) {
	return t.inner().Call(ctx, name, tool.Call{Args: arguments})
}

// FS returns the first root as a file system, which is also an [fs.StatFS], [fs.ReadDirFS] and
// [fs.ReadLinkFS]. It is confined like the tools, whatever happens to the files meanwhile, and
// safe for concurrent use. It differs from [os.DirFS] as follows:
//
//   - A path outside the roots is an error that matches [tool.ErrOutside], whether or not it exists.
//     Symlinks are followed while they stay inside. Deny patterns apply.
//   - Only regular files and directories can be opened. All others have the type [fs.ModeIrregular].
//   - Names that are not UTF-8 are omitted, because no valid path names them.
//   - Modes have no permission to write.
//   - Files are also an [io.ReaderAt] and an [io.Seeker].
//
// Policy, limits and middleware apply to calls, but not to FS.
func (t *Toolset) FS() fs.FS {
	files, err := t.Sub(".")
	if err != nil {
		return failedFS{err}
	}
	return files
}

// Sub returns a directory of the workspace as [Toolset.FS] returns the first root. A relative path
// is relative to the first root. The error is a [*tool.Error].
func (t *Toolset) Sub(dir string) (fs.FS, error) {
	location, err := t.inner().Find(dir)
	if err != nil {
		return nil, err
	}
	return fsys.New(location, tool.ErrOutside), nil
}

// failedFS is the file system of a root that cannot be opened.
type failedFS struct{ err error }

func (f failedFS) Open(name string) (fs.File, error) {
	return nil, &fs.PathError{Op: "open", Path: name, Err: f.err}
}

// Close closes the roots. Later calls fail with [tool.ErrClosed], and so do calls in progress when
// they end. Closing again does nothing.
func (t *Toolset) Close() error { return t.inner().Close() }
