// Package forge implements list_directory as specified by the requirements document of Forge.
// Readings in comments are the numbered ones of ambiguous clauses in
// docs/reproductions.md#forge-list_directory.
package forge

import (
	"context"
	_ "embed"
	"errors"
	"io/fs"

	"gander/internal/files/workspace"
	"gander/internal/tools/shared"
	"gander/tool"
)

// definitions contains the published definition.
//
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
	return &ListDirectory{shared.Defined{Published: shared.Definitions("forge", definitions)[0]}, w, s}
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
	r, err := t.parseRequest(c.Args)
	if err != nil {
		return tool.Result{}, err
	}
	return r.run(ctx, c.Budget)
}

// newError converts an error of the path.
func newError(err error) error {
	return shared.NewError(err, shared.ErrorTexts{
		workspace.ErrOutside:      "path is outside the sandbox; use a path inside the workspace",
		workspace.ErrDenied:       "path is %s",
		fs.ErrInvalid:             "path must not contain a NUL character",
		workspace.ErrNotDirectory: "path is not a directory",
		nil:                       "failed to read directory: %s",
	}.Of(err))
}
