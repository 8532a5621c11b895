// Package gemini implements list_directory of Gemini CLI as defined by its document and the
// original program (0.13.0), with git's ignore rules. See
// docs/reproductions.md#gemini-list_directory.
package gemini

import (
	"context"
	_ "embed"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"gander/internal/files/names"
	"gander/internal/files/text"
	"gander/internal/files/workspace"
	"gander/internal/tools/shared"
	"gander/tool"
)

// definitions contains the published definition, with gander's own descriptions.
//
//go:embed definitions.json
var definitions []byte

// Settings holds the options of [ListDirectory].
type Settings struct {
	RespectGitIgnore, RespectGeminiIgnore bool // defaults of the options
	VerbatimNames                         bool // print names without escaping control characters
}

// DefaultSettings returns the published defaults.
func DefaultSettings() Settings {
	return Settings{RespectGitIgnore: true, RespectGeminiIgnore: true}
}

// ListDirectory is gemini/list_directory.
type ListDirectory struct {
	shared.Defined
	workspace *workspace.Workspace
	settings  Settings
}

// New returns the tool over a workspace.
func New(w *workspace.Workspace, s Settings) *ListDirectory {
	defined := shared.Defined{Published: shared.Definitions("gemini", definitions)[0]}
	return &ListDirectory{defined, w, s}
}

// executionFailed is the displayed text of all errors except invalid parameters.
const executionFailed = "Error: Failed to list directory."

// PublishError adds the code if it is missing, and gives an execution error the message of the
// original.
func (t *ListDirectory) PublishError(e *tool.Error) {
	switch {
	case e.Code != "":
	case e.Kind == tool.BadArguments || e.Kind == tool.Outside:
		e.Code = "invalid_tool_params"
	default:
		e.Code, e.Display = "ls_execution_error", executionFailed
		e.Message = "Error listing directory: " + e.Message
	}
}

// Call lists a directory. It validates the parameters before any file access.
func (t *ListDirectory) Call(ctx context.Context, c tool.Call) (tool.Result, error) {
	r, err := t.parseRequest(ctx, c.Args)
	if err != nil {
		return tool.Result{}, err
	}
	return t.run(ctx, r, c.Budget)
}

// run reads the directory and writes the result.
func (t *ListDirectory) run(ctx context.Context, r request, b tool.Budget) (tool.Result, error) {
	dir, err := t.open(r)
	if err != nil {
		return tool.Result{}, err
	}
	defer dir.Close()
	l, err := t.newContents(ctx, dir, r)
	if err != nil {
		return tool.Result{}, t.newError(err, "scandir", r.path)
	}
	memory := names.NewMemory(ctx)
	defer memory.Release()
	q := names.Query{Order: names.Collation(names.DirectoriesFirst), Memory: memory}
	q.MaxBytes, _ = b.Limit()
	entries, err := names.Sort(ctx, q, l.read)
	if err != nil {
		return tool.Result{}, t.newError(err, "scandir", r.path)
	}
	return l.write(entries, t.shown(r.path), b)
}

// open opens the requested directory. Errors name the failing system call of the original, which
// calls stat and then scandir.
func (t *ListDirectory) open(r request) (*workspace.Dir, error) {
	dir, err := r.place.Dir()
	if err == nil {
		return dir, nil
	}
	info, statErr := r.place.Stat()
	switch {
	case statErr != nil:
		return nil, t.newError(statErr, "stat", r.path)
	case info.Kind != workspace.Directory:
		return nil, &tool.Error{
			Kind:    tool.NotDirectory,
			Code:    "path_is_not_a_directory",
			Message: "Error: Path is not a directory: " + t.shown(r.path),
			Display: "Error: Path is not a directory.",
			Err:     workspace.ErrNotDirectory,
		}
	default:
		return nil, t.newError(err, "scandir", r.path)
	}
}

// shown returns a path for output, cut to the maximum length of a path.
func (t *ListDirectory) shown(path string) string {
	return string(shared.Printable([]byte(text.Cut(path, 4096)), t.settings.VerbatimNames))
}

// newError converts the error of a system call. Its text is as in Node.js.
func (t *ListDirectory) newError(err error, call, path string) error {
	message := ""
	switch shared.Cause(err) {
	case workspace.ErrOutside:
		var roots []string
		for _, root := range t.workspace.Resolved() {
			if !slices.Contains(roots, root) {
				roots = append(roots, root)
			}
		}
		message = "Path must be within one of the workspace directories: " + strings.Join(roots, ", ")
	case fs.ErrInvalid:
		message = "Path must not contain a NUL character: " + shared.Excerpt(path)
	default:
		message = fmt.Sprintf("%s, %s '%s'", shared.NodeTexts().Of(err), call, t.shown(path))
	}
	return shared.NewError(err, message)
}
