// Package forge implements list_directory as specified by version 1.1 of the requirements document
// of Forge, for the library gander. No original program exists.
//
// Where the document is ambiguous, docs/reproductions.md numbers the readings that the package
// follows, and comments refer to these numbers. The one difference is that absolute paths inside a
// root are accepted by default.
package forge

import (
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"io/fs"
	"math"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"gander"
	"gander/internal/files/workspace"
	"gander/internal/option"
	"gander/internal/paths"
	"gander/internal/tools/definition"
	"gander/internal/tools/toolerror"
	"gander/tool"
)

//go:embed definitions.json
var definitions []byte

// Options configures the tool. Zero or nil means the default. The names are those of the document.
type Options struct {
	MaxEntries int // default and maximum of max_entries; 200
	MaxDepth   int // default and maximum of max_depth in recursive listings; 4

	IncludeHiddenDefault   bool  // default of include_hidden
	IncludeSymlinksDefault *bool // default of include_symlinks; true
	IncludeFilesDefault    *bool // default of include_files; true
	IncludeDirsDefault     *bool // default of include_dirs; true
	IncludeOtherDefault    bool  // default of include_other

	AllowAbsolute *bool // accepts absolute paths inside a root; true
}

// Tools returns forge/list_directory. [gander.Open] returns an error if an option is out of range.
func Tools(o Options) gander.Set {
	o = o.withDefaults()
	err := option.Check(
		option.Range{Option: "forge.MaxEntries", Value: o.MaxEntries, Min: 1, Max: math.MaxInt},
		option.Range{Option: "forge.MaxDepth", Value: o.MaxDepth, Min: 1, Max: math.MaxInt},
	)
	return gander.Set(definition.One("forge", "list_directory", definitions, err,
		func(d definition.Defined, w *workspace.Workspace) tool.Tool { return &listDirectory{d, w, o} }))
}

func (o Options) withDefaults() Options {
	o.MaxEntries = cmp.Or(o.MaxEntries, 200)
	o.MaxDepth = cmp.Or(o.MaxDepth, 4)
	o.IncludeSymlinksDefault = cmp.Or(o.IncludeSymlinksDefault, new(true))
	o.IncludeFilesDefault = cmp.Or(o.IncludeFilesDefault, new(true))
	o.IncludeDirsDefault = cmp.Or(o.IncludeDirsDefault, new(true))
	o.AllowAbsolute = cmp.Or(o.AllowAbsolute, new(true))
	return o
}

// listDirectory is forge/list_directory.
type listDirectory struct {
	definition.Defined
	workspace *workspace.Workspace
	options   Options
}

// PublishError sets the published code (reading 6).
func (t *listDirectory) PublishError(e *tool.Error) {
	switch {
	case e.Kind == tool.BadArguments:
		e.Code = "BadArgs"
	case errors.Is(e, tool.ErrPolicy):
		e.Code = "PolicyDenied"
	case e.Kind == tool.Outside || errors.Is(e, workspace.ErrDenied):
		e.Code = "SandboxViolation"
	case e.Kind == tool.Timeout:
		e.Code = "Timeout"
	case e.Kind == tool.Cancelled:
		e.Code = "Cancelled"
	default:
		e.Code = "ExecutionFailed"
	}
}

// texts are the messages of errors about the requested directory.
var texts = toolerror.Texts{
	workspace.ErrOutside:      "path is outside the sandbox; use a path inside the workspace",
	workspace.ErrDenied:       "path is {error}",
	fs.ErrInvalid:             "path must not contain a NUL character",
	workspace.ErrNotDirectory: "path is not a directory",
	nil:                       "failed to read directory: {error}",
}

// Call lists a directory. It validates the arguments, and the form of the path, before it accesses
// files.
func (t *listDirectory) Call(ctx context.Context, c tool.Call) (tool.Result, error) {
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
	path       string // normalized (reading 8)
	depth      int
	maxEntries int

	hidden, files, dirs, symlinks, other bool
}

// parseRequest decodes and validates the arguments, then the path against the sandbox (reading 6).
func (t *listDirectory) parseRequest(
	ctx context.Context, args json.RawMessage,
) (request, error) {
	a := t.Arguments(args)
	name := strings.TrimSpace(a.Required("path").String(""))
	recursive := a.Optional("recursive").Bool(false)
	// Reading 9 applies to integers; setLimits validates the maximums.
	maxDepth := a.Optional("max_depth").Int(0, 1, math.MaxInt)
	maxEntries := a.Optional("max_entries").Int(0, 1, math.MaxInt)
	r := request{
		hidden:   a.Optional("include_hidden").Bool(t.options.IncludeHiddenDefault),
		files:    a.Optional("include_files").Bool(*t.options.IncludeFilesDefault),
		dirs:     a.Optional("include_dirs").Bool(*t.options.IncludeDirsDefault),
		symlinks: a.Optional("include_symlinks").Bool(*t.options.IncludeSymlinksDefault),
		other:    a.Optional("include_other").Bool(t.options.IncludeOtherDefault),
	}
	if a.Err() != nil {
		return request{}, a.Err()
	}
	if err := t.setLimits(&r, recursive, maxDepth, maxEntries); err != nil {
		return request{}, err
	}
	slashed := filepath.ToSlash(name)
	isAbsolute := filepath.IsAbs(name) || strings.HasPrefix(slashed, "/")
	r.path = normalize(slashed)
	switch {
	case name == "":
		return request{}, toolerror.BadArguments(`path must not be empty; use "." for the workspace root`)
	case strings.ContainsRune(name, 0):
		return request{}, toolerror.BadArguments("path must not contain a NUL character")
	case !r.files && !r.dirs && !r.symlinks: // effective values (reading 9)
		return request{}, toolerror.BadArguments(
			"at least one of include_files, include_dirs and include_symlinks must be true")
	case slices.Contains(strings.Split(slashed, "/"), ".."): // reading 7
		return request{}, &tool.Error{
			Kind:    tool.Outside,
			Message: `path must not contain ".."; name the directory from the workspace root`,
		}
	case isAbsolute && !*t.options.AllowAbsolute:
		return request{}, &tool.Error{
			Kind:    tool.Outside,
			Message: "path must be relative to the workspace root",
		}
	}
	var err error
	r.location, err = t.workspace.Find(ctx, name)
	return r, err
}

// normalize returns a path without empty segments and "." (reading 8). A drive root keeps its slash
// on every system.
func normalize(slashed string) string {
	clean := path.Clean(slashed)
	if len(clean) == 2 && paths.HasDrive(clean) && strings.HasSuffix(slashed, "/") {
		return clean + "/"
	}
	return clean
}

// setLimits sets the effective max_depth and max_entries. 0 means an absent argument.
func (t *listDirectory) setLimits(r *request, recursive bool, maxDepth, maxEntries int) error {
	r.maxEntries = cmp.Or(maxEntries, t.options.MaxEntries)
	r.depth = 1
	if recursive {
		r.depth = cmp.Or(maxDepth, t.options.MaxDepth)
	}
	const atMost = "%s must be at most %d, got %d"
	switch {
	case !recursive && maxDepth > 1:
		return toolerror.BadArguments(
			"max_depth must be absent or 1 unless recursive is true, got %d", maxDepth)
	case recursive && r.depth > t.options.MaxDepth:
		return toolerror.BadArguments(atMost, "max_depth", t.options.MaxDepth, maxDepth)
	case r.maxEntries > t.options.MaxEntries:
		return toolerror.BadArguments(atMost, "max_entries", t.options.MaxEntries, maxEntries)
	}
	return nil
}
