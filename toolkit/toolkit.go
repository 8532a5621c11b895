// Package toolkit reproduces tree, as described by the feature specification of the toolkit and
// recorded from the original TypeScript program, for the library gander, byte for byte.
//
// The tool differs from the original in these ways: it reads only what is inside the roots and not
// denied; an unreadable subdirectory does not fail the call; no node is added beyond the limit on
// results; and ".." in a path is resolved before symlinks. docs/reproductions.md has the details.
package toolkit

import (
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"gander"
	"gander/internal/files/workspace"
	"gander/internal/option"
	"gander/internal/tools/definition"
	"gander/internal/tools/toolerror"
	"gander/tool"
)

//go:embed definitions.json
var definitions []byte

// The published maximums of the arguments.
const (
	depthCap   = 12
	entriesCap = 1000
)

// Options configures the tool. Zero or nil means the published default.
type Options struct {
	MaxDepth   *int // default of max_depth; 3
	MaxEntries int  // default of max_entries; 100
	DepthCap   *int // maximum of max_depth; at most 12, the default
	EntriesCap int  // maximum of max_entries; at most 1000, the default

	Exclude                []string // globs of entries to exclude from every call
	IncludeDefaultExcludes *bool    // excludes the published names, such as .git; true
}

// Tools returns toolkit/tree. [gander.Open] returns an error if an option is out of range or not a
// glob.
func Tools(o Options) gander.Set {
	o = o.withDefaults()
	exclude, err := o.check()
	return gander.Set(definition.One("toolkit", "tree", definitions, err,
		func(d definition.Defined, w *workspace.Workspace) tool.Tool { return &tree{d, w, o, exclude} }))
}

func (o Options) withDefaults() Options {
	o.MaxDepth = cmp.Or(o.MaxDepth, new(3))
	o.MaxEntries = cmp.Or(o.MaxEntries, 100)
	o.DepthCap = cmp.Or(o.DepthCap, new(depthCap))
	o.EntriesCap = cmp.Or(o.EntriesCap, entriesCap)
	o.IncludeDefaultExcludes = cmp.Or(o.IncludeDefaultExcludes, new(true))
	return o
}

// check returns the compiled o.Exclude, or an error if an option is invalid.
func (o Options) check() (exclude excludes, err error) {
	err = option.Check(
		option.Range{Option: "toolkit.DepthCap", Value: *o.DepthCap, Min: 0, Max: depthCap},
		option.Range{Option: "toolkit.EntriesCap", Value: o.EntriesCap, Min: 1, Max: entriesCap},
		option.Range{
			Option: "toolkit.MaxDepth", Value: *o.MaxDepth, Min: 0,
			Max: *o.DepthCap, Limit: "toolkit.DepthCap",
		},
		option.Range{
			Option: "toolkit.MaxEntries", Value: o.MaxEntries, Min: 1,
			Max: o.EntriesCap, Limit: "toolkit.EntriesCap",
		},
	)
	if err != nil {
		return nil, err
	}
	for _, glob := range o.Exclude {
		x, err := compile(context.Background(), []string{glob})
		if err != nil {
			const name = "toolkit.Exclude"
			return nil, &option.Error{Option: name, Value: glob, Err: fmt.Errorf(name+": %w", err)}
		}
		exclude = append(exclude, x...)
	}
	return exclude, nil
}

// tree is toolkit/tree.
type tree struct {
	definition.Defined
	workspace *workspace.Workspace
	options   Options
	exclude   excludes // what the options exclude
}

// PublishError sets the published code and prefixes the message with it.
func (t *tree) PublishError(e *tool.Error) {
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

// texts are the messages of errors about the requested directory.
var texts = toolerror.Texts{
	workspace.ErrOutside:      "path is outside the workspace; use a path inside it",
	workspace.ErrDenied:       "path is {error}",
	fs.ErrInvalid:             "path must not contain a NUL character",
	fs.ErrNotExist:            "path does not exist; list its parent to see what does",
	workspace.ErrNotDirectory: "path is not a directory",
	nil:                       "cannot read the directory: {error}",
}

// Call lists a tree. It validates the arguments before any file access.
func (t *tree) Call(ctx context.Context, c tool.Call) (tool.Result, error) {
	r, err := t.parseRequest(ctx, c.Args)
	if err != nil {
		return tool.Result{}, texts.New(err)
	}
	result, err := r.run(ctx, c.Budget)
	return result, texts.New(err)
}

// A request holds the valid arguments of a call.
type request struct {
	location   workspace.Location
	files      bool // entry_kind is "all"
	maxDepth   int
	maxEntries int
	hidden     bool

	exclude          excludes
	excludesDefaults bool // exclude the default names, too
}

// parseRequest decodes and validates the arguments in the published order: the path, the sandbox,
// the other arguments. As in the original, null selects the default, except for path and exclude,
// and a backslash in path is a separator.
func (t *tree) parseRequest(ctx context.Context, args json.RawMessage) (r request, err error) {
	a := t.Arguments(args)
	path := a.Required("path").String("")
	switch {
	case a.Err() != nil:
		return r, a.Err()
	case path == "":
		return r, toolerror.BadArguments(`path must not be empty; use "." for the workspace root`)
	}
	path = filepath.FromSlash(strings.ReplaceAll(path, `\`, "/"))
	if workspace.IsRelative(path) {
		path = filepath.Join(t.workspace.Roots()[0], path)
	}
	r.location, err = t.workspace.Find(ctx, filepath.Clean(path))
	if err != nil {
		return r, err
	}
	r.files = a.Nullable("entry_kind").Choice("directory", "all") == "all"
	r.maxDepth = a.Nullable("max_depth").Int(*t.options.MaxDepth, 0, *t.options.DepthCap)
	r.maxEntries = a.Nullable("max_entries").Int(t.options.MaxEntries, 1, t.options.EntriesCap)
	r.hidden = a.Nullable("include_hidden").Bool(false)
	exclude := a.Optional("exclude").Strings()
	if a.Err() != nil {
		return r, a.Err()
	}
	r.exclude, err = compile(ctx, exclude)
	if err != nil && ctx.Err() == nil {
		err = toolerror.BadArguments("exclude: %v", err)
	}
	r.exclude = append(r.exclude, t.exclude...)
	r.excludesDefaults = *t.options.IncludeDefaultExcludes
	return r, err
}

// open opens the requested directory, which must not be a symlink. A path below a file does not
// exist. If only the directory itself is requested, it need not be readable, and open returns nil.
func (r request) open() (*workspace.Dir, error) {
	info, err := r.location.Lstat()
	switch {
	case errors.Is(err, workspace.ErrNotDirectory):
		return nil, fs.ErrNotExist
	case err != nil:
		return nil, err
	case info.Kind != workspace.Directory:
		return nil, workspace.ErrNotDirectory
	case r.maxDepth == 0 || r.maxEntries == 1:
		return nil, r.location.CheckDir()
	default:
		return r.location.Dir()
	}
}
