// Package toolkit implements tree as described by the feature specification of the toolkit.
// See docs/reproductions.md#toolkit-tree.
package toolkit

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"gander/internal/files/workspace"
	"gander/internal/option"
	"gander/internal/tools/shared"
	"gander/tool"
)

//go:embed definitions.json
var definitions []byte

// Settings holds the options of [Tree].
type Settings struct {
	MaxDepth, MaxEntries int      // defaults of the arguments
	DepthCap, EntriesCap int      // maximums of the arguments
	Exclude              []string // globs in addition to the globs of the call
	DefaultExcludes      bool     // exclude the published names, such as .git and node_modules
}

// DefaultSettings returns the published defaults and maximums.
func DefaultSettings() Settings {
	return Settings{
		MaxDepth: 3, MaxEntries: 100, DepthCap: 12, EntriesCap: 1000, DefaultExcludes: true,
	}
}

// Tree is toolkit/tree.
type Tree struct {
	shared.Defined
	workspace *workspace.Workspace
	settings  Settings
	exclude   excludes // of the settings
}

// New returns the tool over a workspace. An error is an [option.Error] about s.Exclude.
func New(w *workspace.Workspace, s Settings) (*Tree, error) {
	var exclude excludes
	for _, glob := range s.Exclude {
		x, err := compile(context.Background(), []string{glob})
		if err != nil {
			const field = "ToolkitTree.Exclude"
			return nil, &option.Error{Option: field, Value: glob, Err: fmt.Errorf(field+": %w", err)}
		}
		exclude = append(exclude, x...)
	}
	return &Tree{shared.Definitions("toolkit", definitions)[0], w, s, exclude}, nil
}

// PublishError sets the published code and prefixes the message with it.
func (t *Tree) PublishError(e *tool.Error) {
	switch {
	case e.Kind == tool.BadArguments:
		e.Code = "INVALID_ARGUMENT"
	case e.Kind == tool.Outside || errors.Is(e, workspace.ErrDenied) || errors.Is(e, tool.ErrPolicy):
		e.Code = "SANDBOX_VIOLATION"
	case e.Kind == tool.NotFound:
		e.Code = "NOT_FOUND"
	case e.Kind == tool.NotDirectory:
		e.Code = "NOT_DIRECTORY"
	default:
		e.Code = "INTERNAL"
	}
	e.Message = e.Code + ": " + e.Message
}

// Call lists a tree. It validates the arguments before any file access.
func (t *Tree) Call(ctx context.Context, c tool.Call) (tool.Result, error) {
	r, err := t.parseRequest(ctx, c.Args)
	var result tool.Result
	if err == nil {
		result, err = t.run(ctx, r, c.Budget)
	}
	return result, shared.ErrorTexts{
		workspace.ErrOutside:      "path is outside the workspace; use a path inside it",
		workspace.ErrDenied:       "path is %s",
		fs.ErrInvalid:             "path must not contain a NUL character",
		fs.ErrNotExist:            "path does not exist; list its parent to see what does",
		workspace.ErrNotDirectory: "path is not a directory",
		nil:                       "cannot read the directory: %s",
	}.NewError(err, "")
}

// A request holds the valid arguments of a call.
type request struct {
	place      workspace.Location
	files      bool // entry_kind is "all"
	maxDepth   int
	maxEntries int
	hidden     bool
	exclude    excludes
}

// parseRequest decodes and validates the arguments in the published order: the path, the sandbox,
// the other arguments. As in the original, null selects the default, except for path and exclude,
// and a backslash in path is a separator.
func (t *Tree) parseRequest(ctx context.Context, args json.RawMessage) (r request, err error) {
	a := t.Arguments(args)
	path := a.Required("path").String("")
	switch {
	case a.Err() != nil:
		return r, a.Err()
	case path == "":
		return r, shared.BadArguments(`path must not be empty; use "." for the workspace root`)
	}
	path = filepath.FromSlash(strings.ReplaceAll(path, `\`, "/"))
	if workspace.IsRelative(path) {
		path = filepath.Join(t.workspace.Roots()[0], path)
	}
	if r.place, err = t.workspace.Find(ctx, filepath.Clean(path)); err != nil {
		return r, err
	}
	r.files = a.Nullable("entry_kind").Choice("directory", "all") == "all"
	r.maxDepth = a.Nullable("max_depth").Int(t.settings.MaxDepth, 0, t.settings.DepthCap)
	r.maxEntries = a.Nullable("max_entries").Int(t.settings.MaxEntries, 1, t.settings.EntriesCap)
	r.hidden = a.Nullable("include_hidden").Bool(false)
	exclude := a.Optional("exclude").Strings()
	if a.Err() != nil {
		return r, a.Err()
	}
	if r.exclude, err = compile(ctx, exclude); err != nil && ctx.Err() == nil {
		err = shared.BadArguments("exclude: %v", err)
	}
	r.exclude = append(r.exclude, t.exclude...)
	return r, err
}

// open opens the requested directory, which must not be a symlink. A path below a file does not
// exist. If only the directory itself is requested, it need not be readable, and open returns nil.
func (r request) open() (*workspace.Dir, error) {
	info, err := r.place.Lstat()
	switch {
	case errors.Is(err, workspace.ErrNotDirectory):
		return nil, fs.ErrNotExist
	case err != nil:
		return nil, err
	case info.Kind != workspace.Directory:
		return nil, workspace.ErrNotDirectory
	case r.maxDepth == 0 || r.maxEntries == 1:
		return nil, r.place.CheckDir()
	default:
		return r.place.Dir()
	}
}
