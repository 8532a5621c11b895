// Package forge implements list_directory as specified by the requirements document of Forge.
// Readings in comments are the numbered ones of ambiguous clauses in
// docs/reproductions.md#forge-list_directory.
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

	"gander/internal/files/workspace"
	"gander/internal/paths"
	"gander/internal/tools/shared"
	"gander/tool"
)

//go:embed definitions.json
var definitions []byte

// Settings holds the options of [ListDirectory].
type Settings struct {
	MaxEntries int // default and maximum of max_entries
	MaxDepth   int // default and maximum of max_depth in recursive listings

	// Defaults of the arguments with these names.
	IncludeHidden, IncludeFiles, IncludeDirs, IncludeSymlinks, IncludeOther bool

	AllowAbsolute bool // accept absolute paths inside the workspace
}

// DefaultSettings returns the published defaults.
func DefaultSettings() Settings {
	return Settings{
		MaxEntries:      200,
		MaxDepth:        4,
		IncludeFiles:    true,
		IncludeDirs:     true,
		IncludeSymlinks: true,
		AllowAbsolute:   true,
	}
}

// ListDirectory is forge/list_directory.
type ListDirectory struct {
	shared.Defined
	workspace *workspace.Workspace
	settings  Settings
}

// New returns the tool over a workspace.
func New(w *workspace.Workspace, s Settings) *ListDirectory {
	return &ListDirectory{shared.Definitions("forge", definitions)[0], w, s}
}

// PublishError sets the published code (reading 6).
func (t *ListDirectory) PublishError(e *tool.Error) {
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

// Call lists a directory. It validates the arguments, and the form of the path, before it accesses
// files.
func (t *ListDirectory) Call(ctx context.Context, c tool.Call) (tool.Result, error) {
	r, err := t.parseRequest(ctx, c.Args)
	var result tool.Result
	if err == nil {
		result, err = r.run(ctx, c.Budget)
	}
	return result, shared.ErrorTexts{
		workspace.ErrOutside:      "path is outside the sandbox; use a path inside the workspace",
		workspace.ErrDenied:       "path is %s",
		fs.ErrInvalid:             "path must not contain a NUL character",
		workspace.ErrNotDirectory: "path is not a directory",
		nil:                       "failed to read directory: %s",
	}.NewError(err, "")
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
func (t *ListDirectory) parseRequest(
	ctx context.Context, args json.RawMessage,
) (request, error) {
	a := t.Arguments(args)
	name := strings.TrimSpace(a.Required("path").String(""))
	recursive := a.Optional("recursive").Bool(false)
	// Reading 9 applies to integers; limits validates the maximums.
	maxDepth := a.Optional("max_depth").Int(0, 1, math.MaxInt)
	maxEntries := a.Optional("max_entries").Int(0, 1, math.MaxInt)
	r := request{
		hidden:   a.Optional("include_hidden").Bool(t.settings.IncludeHidden),
		files:    a.Optional("include_files").Bool(t.settings.IncludeFiles),
		dirs:     a.Optional("include_dirs").Bool(t.settings.IncludeDirs),
		symlinks: a.Optional("include_symlinks").Bool(t.settings.IncludeSymlinks),
		other:    a.Optional("include_other").Bool(t.settings.IncludeOther),
	}
	if a.Err() != nil {
		return request{}, a.Err()
	}
	slashed := filepath.ToSlash(name)
	r.path = normalize(slashed)
	switch err := t.limits(&r, recursive, maxDepth, maxEntries); {
	case err != nil:
		return request{}, err
	case name == "":
		return request{}, shared.BadArguments(`path must not be empty; use "." for the workspace root`)
	case strings.ContainsRune(name, 0):
		return request{}, shared.BadArguments("path must not contain a NUL character")
	case !r.files && !r.dirs && !r.symlinks: // effective values (reading 9)
		return request{}, shared.BadArguments(
			"at least one of include_files, include_dirs and include_symlinks must be true")
	case slices.Contains(strings.Split(slashed, "/"), ".."): // reading 7
		return request{}, &tool.Error{
			Kind:    tool.Outside,
			Message: `path must not contain ".."; name the directory from the workspace root`,
		}
	case !t.settings.AllowAbsolute && (filepath.IsAbs(name) || strings.HasPrefix(slashed, "/")):
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

// limits sets the effective max_depth and max_entries. 0 means an absent argument.
func (t *ListDirectory) limits(r *request, recursive bool, maxDepth, maxEntries int) error {
	r.depth, r.maxEntries = 1, cmp.Or(maxEntries, t.settings.MaxEntries)
	if recursive {
		r.depth = cmp.Or(maxDepth, t.settings.MaxDepth)
	}
	const atMost = "%s must be at most %d, got %d"
	switch {
	case !recursive && maxDepth > 1:
		return shared.BadArguments(
			"max_depth must be absent or 1 unless recursive is true, got %d", maxDepth)
	case r.depth > t.settings.MaxDepth && recursive:
		return shared.BadArguments(atMost, "max_depth", t.settings.MaxDepth, maxDepth)
	case r.maxEntries > t.settings.MaxEntries:
		return shared.BadArguments(atMost, "max_entries", t.settings.MaxEntries, maxEntries)
	}
	return nil
}
