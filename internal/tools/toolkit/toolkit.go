// Package toolkit has tree as the feature specification of the toolkit describes it. Sections in
// comments are those of the specification.
package toolkit

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"

	"gander/internal/files/workspace"
	"gander/internal/tools/shared"
	"gander/tool"
)

// Settings configure [Tree].
type Settings struct {
	MaxDepth, MaxEntries int      // defaults of the arguments of these names
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
	exclude   excludes // those of the settings
}

// New returns the tool over a workspace. It fails if a glob in s.Exclude is not valid.
func New(w *workspace.Workspace, s Settings) (*Tree, error) {
	exclude, err := compile(context.Background(), s.Exclude)
	if err != nil {
		return nil, err
	}
	return &Tree{workspace: w, settings: s, exclude: exclude}, nil
}

// Spec implements [tool.Tool].
func (t *Tree) Spec() tool.Spec { return t.Definition().Spec }

// Definition returns the definition of section 4.4.
func (t *Tree) Definition() shared.Definition {
	return shared.Definition{
		Spec: tool.Spec{
			ID:          "toolkit/tree",
			Name:        "tree",
			Title:       "Tree",
			Description: "Returns a workspace tree: directories only or directories with files.",
			Input:       json.RawMessage(inputSchema),
			Output:      json.RawMessage(outputSchema),
			Risk:        "Low",
		},
		Hint:         "overview of a directory tree, as JSON (where limit_reached, ask for a subdirectory)",
		PathArgument: "path",
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

// PublishError sets the code and puts it at the start of the message.
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

// Call lists a tree. It checks the arguments before it looks at any file.
func (t *Tree) Call(ctx context.Context, c tool.Call) (tool.Result, error) {
	r, err := t.parseRequest(ctx, c.Args)
	if err != nil {
		return tool.Result{}, err
	}
	return t.newListing(ctx, r, c.Budget).run(c.Budget)
}

// open opens the requested directory, which must not be a symlink. A path that leads through a file
// does not exist. Where only the directory itself is asked for, it need not be readable, and open
// returns nil.
func open(p workspace.Location, itself bool) (*workspace.Dir, error) {
	info, err := p.Lstat()
	if errors.Is(err, workspace.ErrNotDirectory) {
		err = fs.ErrNotExist
	}
	if err == nil && info.Kind != workspace.Directory {
		err = workspace.ErrNotDirectory
	}
	if err != nil {
		return nil, newError(err)
	}
	var dir *workspace.Dir
	if itself {
		err = p.CheckDir()
	} else {
		dir, err = p.Dir()
	}
	if err != nil {
		return nil, newError(err)
	}
	return dir, nil
}

// newError returns the error of a call whose path failed with err.
func newError(err error) error {
	return shared.NewError(err, shared.ErrorTexts{
		shared.Outside:      "path is outside the workspace; use a path inside it",
		shared.DeniedPath:   "path is %s",
		shared.BadPath:      "path must not contain a NUL character",
		shared.NotExist:     "path does not exist; list its parent to see what does",
		shared.NotDirectory: "path is not a directory",
		shared.Other:        "cannot read the directory: %s",
	}.Of(err))
}
