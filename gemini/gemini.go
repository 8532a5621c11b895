// Package gemini implements list_directory of Gemini CLI as defined by its document and the
// original program (0.13.0), with git's ignore rules. See
// docs/reproductions.md#gemini-list_directory.
package gemini

import (
	"context"
	_ "embed"
	"encoding/json"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"gander/internal/files/pattern"
	"gander/internal/files/text"
	"gander/internal/files/workspace"
	"gander/internal/paths"
	"gander/internal/tools/shared"
	"gander/tool"
)

// The descriptions are gander's own.
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
	return &ListDirectory{shared.Definitions("gemini", definitions)[0], w, s}
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

// A request holds the valid parameters of a call.
type request struct {
	place                   workspace.Location
	path                    string
	globs                   []*pattern.Pattern // for whole names, from the ignore parameter
	gitIgnore, geminiIgnore bool               // respect .gitignore and .geminiignore
}

// parseRequest decodes and validates the parameters: the schema in the order of its properties,
// then the form of the path, then whether it is inside the workspace.
func (t *ListDirectory) parseRequest(
	ctx context.Context, args json.RawMessage,
) (r request, err error) {
	a := t.Arguments(args)
	r.path = a.Required("path").String("")
	globs := a.Optional("ignore").Strings()
	options := a.Optional("file_filtering_options").Object()
	r.gitIgnore = options.Optional("respect_git_ignore").Bool(t.settings.RespectGitIgnore)
	r.geminiIgnore = options.Optional("respect_gemini_ignore").Bool(t.settings.RespectGeminiIgnore)
	if a.Err() != nil {
		return r, a.Err()
	}
	c := pattern.NewCompiler(ctx)
	for _, g := range globs {
		p, err := c.Compile(pattern.Gemini, strings.ToValidUTF8(g, "\ufffd"), false)
		if ctx.Err() != nil {
			return r, ctx.Err()
		}
		if err != nil {
			return r, shared.BadArguments("ignore: the patterns are too long together; use fewer")
		}
		r.globs = append(r.globs, p)
	}
	if !paths.IsNodeAbsolute(r.path) {
		return r, shared.BadArguments("Path must be absolute: %s", t.shown(r.path))
	}
	path := r.path
	if !filepath.IsAbs(path) { // a path of the current drive
		path, err = filepath.Abs(path)
	}
	if err == nil {
		r.place, err = t.workspace.Find(ctx, path)
	}
	return r, t.newError(err, "stat", r.path)
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
		return nil, err
	}
}

// shown returns a path for output, cut to the maximum length of a path.
func (t *ListDirectory) shown(path string) string {
	return string(shared.Printable([]byte(text.Cut(path, 4096)), t.settings.VerbatimNames))
}

// newError converts the error of a system call, if any. Its text is as in Node.js.
func (t *ListDirectory) newError(err error, call, path string) error {
	switch shared.Cause(err) {
	case workspace.ErrOutside:
		var roots []string
		for _, root := range t.workspace.Resolved() {
			if !slices.Contains(roots, root) {
				roots = append(roots, root)
			}
		}
		return shared.NewError(err, "Path must be within one of the workspace directories: "+
			strings.Join(roots, ", "))
	case fs.ErrInvalid:
		return shared.NewError(err, "Path must not contain a NUL character: "+shared.Excerpt(path))
	default:
		return shared.NodeError(err, call, t.shown(path))
	}
}
