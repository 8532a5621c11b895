// Package toolkit implements tree as described by the feature specification of the toolkit.
// See docs/reproductions.md#toolkit-tree.
package toolkit

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io/fs"

	"gander/internal/files/workspace"
	"gander/internal/option"
	"gander/internal/tools/shared"
	"gander/tool"
)

// definitions contains the published definition.
//
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
	ctx := context.Background()
	exclude, err := compile(ctx, s.Exclude)
	if err != nil {
		const field = "ToolkitTree.Exclude"
		wrong := &option.Error{Option: field, Err: fmt.Errorf(field+": %w", err)}
		for _, glob := range s.Exclude {
			if _, err := compile(ctx, []string{glob}); err != nil && wrong.Value == "" {
				wrong.Value = glob
			}
		}
		return nil, wrong
	}
	defined := shared.Defined{Published: shared.Definitions("toolkit", definitions)[0]}
	return &Tree{defined, w, s, exclude}, nil
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

// newError converts an error of the path.
func newError(err error) error {
	return shared.NewError(err, shared.ErrorTexts{
		workspace.ErrOutside:      "path is outside the workspace; use a path inside it",
		workspace.ErrDenied:       "path is %s",
		fs.ErrInvalid:             "path must not contain a NUL character",
		fs.ErrNotExist:            "path does not exist; list its parent to see what does",
		workspace.ErrNotDirectory: "path is not a directory",
		nil:                       "cannot read the directory: %s",
	}.Of(err))
}
