// Package gemini reproduces list_directory of Gemini CLI 0.13.0 for the library gander, byte for
// byte. That is the last release which agrees with the tool's document.
//
// The tool differs from the original in these ways: it reads only what is inside the roots and not
// denied; ignore rules are exactly git's, so that "name/" hides a directory, as documented; a
// symlink that leads outside is shown as a plain name; Han characters are sorted by code point; a
// result that exceeds the limit ends with a note; and control characters in names are escaped. The
// descriptions for the model are gander's own. docs/reproductions.md has the details.
package gemini

import (
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"gander"
	"gander/internal/files/pattern"
	"gander/internal/files/text"
	"gander/internal/files/workspace"
	"gander/internal/paths"
	"gander/internal/tools/definition"
	"gander/internal/tools/toolerror"
	"gander/tool"
)

//go:embed definitions.json
var definitions []byte

// Options configures the tool. Nil means the published default.
type Options struct {
	RespectGitIgnore    *bool // default of file_filtering_options.respect_git_ignore; true
	RespectGeminiIgnore *bool // default of file_filtering_options.respect_gemini_ignore; true
	VerbatimNames       bool  // disables escaping of control characters in the names of a result
}

// Tools returns gemini/list_directory.
func Tools(o Options) gander.Set {
	o = o.withDefaults()
	return gander.Set(definition.One("gemini", "list_directory", definitions, nil,
		func(d definition.Defined, w *workspace.Workspace) tool.Tool { return &listDirectory{d, w, o} }))
}

func (o Options) withDefaults() Options {
	o.RespectGitIgnore = cmp.Or(o.RespectGitIgnore, new(true))
	o.RespectGeminiIgnore = cmp.Or(o.RespectGeminiIgnore, new(true))
	return o
}

// listDirectory is gemini/list_directory.
type listDirectory struct {
	definition.Defined
	workspace *workspace.Workspace
	options   Options
}

// executionFailed is the displayed text of all errors except invalid parameters.
const executionFailed = "Error: Failed to list directory."

// PublishError adds the code if it is missing, and gives an execution error the message of the
// original.
func (t *listDirectory) PublishError(e *tool.Error) {
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
func (t *listDirectory) Call(ctx context.Context, c tool.Call) (tool.Result, error) {
	r, err := t.parseRequest(ctx, c.Args)
	if err != nil {
		return tool.Result{}, err
	}
	return t.run(ctx, r, c.Budget)
}

// A request holds the valid parameters of a call.
type request struct {
	location                workspace.Location
	path                    string
	globs                   []*pattern.Pattern // for whole names, from the ignore parameter
	gitIgnore, geminiIgnore bool               // respect .gitignore and .geminiignore
}

// parseRequest decodes and validates the parameters: the schema in the order of its properties,
// then the form of the path, then whether it is inside the workspace.
func (t *listDirectory) parseRequest(
	ctx context.Context, args json.RawMessage,
) (r request, err error) {
	a := t.Arguments(args)
	r.path = a.Required("path").String("")
	globs := a.Optional("ignore").Strings()
	options := a.Optional("file_filtering_options").Object()
	r.gitIgnore = options.Optional("respect_git_ignore").Bool(*t.options.RespectGitIgnore)
	r.geminiIgnore = options.Optional("respect_gemini_ignore").Bool(*t.options.RespectGeminiIgnore)
	if a.Err() != nil {
		return r, a.Err()
	}
	c := pattern.NewCompiler(ctx)
	for _, g := range globs {
		p, err := c.Compile(pattern.Gemini, g, false)
		if ctx.Err() != nil {
			return r, ctx.Err()
		}
		if err != nil {
			return r, toolerror.BadArguments("ignore: the patterns are too long together; use fewer")
		}
		r.globs = append(r.globs, p)
	}
	if !paths.IsNodeAbsolute(r.path) {
		return r, toolerror.BadArguments("Path must be absolute: %s", text.Cut(r.path, maxPath))
	}
	path := r.path
	if !filepath.IsAbs(path) { // a path of the current drive
		path, err = filepath.Abs(path)
	}
	if err == nil {
		r.location, err = t.workspace.Find(ctx, path)
	}
	return r, t.newError(err, "stat", r.path)
}

// open opens the requested directory. Errors name the failing system call of the original, which
// calls stat and then scandir.
func (t *listDirectory) open(r request) (*workspace.Dir, error) {
	dir, err := r.location.Dir()
	if err == nil {
		return dir, nil
	}
	info, statErr := r.location.Stat()
	switch {
	case statErr != nil:
		return nil, t.newError(statErr, "stat", r.path)
	case info.Kind != workspace.Directory:
		return nil, &tool.Error{
			Kind:    tool.NotDirectory,
			Code:    "path_is_not_a_directory",
			Message: "Error: Path is not a directory: " + text.Escape(text.Cut(r.path, maxPath)),
			Display: "Error: Path is not a directory.",
			Err:     workspace.ErrNotDirectory,
		}
	default:
		return nil, err
	}
}

// maxPath is the maximum length of a path in results and errors.
const maxPath = 4096

// newError converts the error of a system call, if any. Its text is as in Node.js.
func (t *listDirectory) newError(err error, call, path string) error {
	switch toolerror.Cause(err) {
	case workspace.ErrOutside:
		var roots []string
		for _, root := range t.workspace.Resolved() {
			if !slices.Contains(roots, root) {
				roots = append(roots, root)
			}
		}
		return toolerror.New(err, "Path must be within one of the workspace directories: "+
			strings.Join(roots, ", "))
	case fs.ErrInvalid:
		return toolerror.New(err, "Path must not contain a NUL character: "+text.Excerpt(path))
	default:
		return toolerror.Node(err, call, text.Cut(path, maxPath))
	}
}
