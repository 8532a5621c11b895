// Package toolkit is the toolkit dialect: tree, as its feature spec describes it. It knows the spec's arguments, words
// and JSON; the engine finds the entries.
package toolkit

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"

	"gander/internal/dialect"
	"gander/internal/engine/workspace"
	"gander/tool"
)

// Settings configure [Tree].
type Settings struct {
	MaxDepth, MaxEntries int      // values of the arguments of these names where a call leaves them out
	DepthCap, EntriesCap int      // the largest values that a call may give for them
	Exclude              []string // globs that are excluded beside those of the call
	DefaultExcludes      bool     // exclude the published names too, such as .git and node_modules
}

// DefaultSettings returns the published defaults and maximums.
func DefaultSettings() Settings {
	return Settings{MaxDepth: 3, MaxEntries: 100, DepthCap: 12, EntriesCap: 1000, DefaultExcludes: true}
}

// Tree is toolkit/tree.
type Tree struct {
	workspace *workspace.Workspace
	settings  Settings
	always    *excludes // those of the settings
}

var (
	_ dialect.Lister = (*Tree)(nil)
	_ tool.Publisher = (*Tree)(nil)
)

// New returns the tool over a workspace. A glob in s.Exclude that is not valid is an error.
func New(w *workspace.Workspace, s Settings) (*Tree, error) {
	always, err := compile(s.Exclude)
	if err != nil {
		return nil, err
	}
	return &Tree{workspace: w, settings: s, always: always}, nil
}

// Spec is section 4.4.
func (t *Tree) Spec() tool.Spec {
	return tool.Spec{
		ID:           "toolkit/tree",
		Name:         "tree",
		Title:        "Tree",
		Description:  "Returns a workspace tree: directories only or directories with files.",
		Hint:         "overview of a directory tree, as JSON; where limit_reached, ask for a subdirectory",
		Input:        json.RawMessage(inputSchema),
		Output:       json.RawMessage(outputSchema),
		PathArgument: "path",
		Resource:     tool.DirectoryResource,
		Risk:         tool.Low,
	}
}

// The published codes of errors (section 4.3).
const (
	invalidArgument  = "INVALID_ARGUMENT"
	notFound         = "NOT_FOUND"
	notDirectory     = "NOT_DIRECTORY"
	internal         = "INTERNAL"
	sandboxViolation = "SANDBOX_VIOLATION"
)

// PublishError sets the code and puts it before the message.
func (t *Tree) PublishError(e *tool.Error) {
	switch {
	case e.Kind == tool.BadArguments:
		e.Code = invalidArgument
	case e.Kind == tool.Outside || errors.Is(e, workspace.ErrDenied) || errors.Is(e, tool.ErrPolicy):
		e.Code = sandboxViolation
	case e.Kind == tool.NotFound:
		e.Code = notFound
	case e.Kind == tool.NotDirectory:
		e.Code = notDirectory
	default:
		e.Code = internal
	}
	e.Message = e.Code + ": " + e.Message
}

// Call lists a tree. The path's form and the arguments are judged before anything is looked at.
func (t *Tree) Call(ctx context.Context, c tool.Call) (tool.Result, error) {
	r, err := t.request(c.Args)
	if err != nil {
		return tool.Result{}, err
	}
	return t.lister(ctx, r, c.Budget).answer(ctx, c.Budget)
}

// answer lists the requested tree.
func (l *lister) answer(ctx context.Context, b tool.Budget) (tool.Result, error) {
	dir, err := open(l.place)
	if err != nil {
		return tool.Result{}, err
	}
	defer dir.Close()
	return l.list(ctx, dir, b)
}

// open opens the requested directory, which must not itself be a symlink. What lies below a file does not exist.
func open(p workspace.Place) (*workspace.Dir, error) {
	info, err := p.Lstat()
	if errors.Is(err, workspace.ErrNotDirectory) {
		err = fs.ErrNotExist
	}
	if err == nil && info.Kind != workspace.Directory {
		err = workspace.ErrNotDirectory
	}
	if err != nil {
		return nil, refuse(err)
	}
	dir, err := p.Dir()
	if err != nil {
		return nil, refuse(err)
	}
	return dir, nil
}

func refuse(err error) error {
	switch {
	case errors.Is(err, workspace.ErrOutside):
		return dialect.NewError(err, "path is outside the workspace; use a path inside it")
	case errors.Is(err, workspace.ErrDenied):
		return dialect.NewError(err, "path is denied by the sandbox")
	case errors.Is(err, fs.ErrNotExist):
		return dialect.NewError(err, "path does not exist; list its parent to see what does")
	case errors.Is(err, workspace.ErrNotDirectory):
		return dialect.NewError(err, "path is not a directory")
	case errors.Is(err, workspace.ErrBadPath):
		return dialect.NewError(err, "path must not contain a NUL character")
	default:
		return dialect.NewError(err, "cannot read the directory: "+dialect.ErrorText(err))
	}
}
