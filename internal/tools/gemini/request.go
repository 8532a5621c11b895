package gemini

import (
	"context"
	"encoding/json"
	"path/filepath"
	"strings"

	"gander/internal/files/pattern"
	"gander/internal/files/workspace"
	"gander/internal/paths"
	"gander/internal/tools/shared"
)

// A request holds the valid parameters of a call.
type request struct {
	place                   workspace.Location
	path                    string
	globs                   []*pattern.Pattern // for whole names, from the ignore parameter
	gitIgnore, geminiIgnore bool               // respect .gitignore and .geminiignore
}

// messages returns the messages of the original's schema validator.
func messages() shared.Messages {
	return shared.Messages{
		Prefix:  "params",
		JSON:    " must be one JSON object: {error}",
		Missing: " must have required property '{key}'",
		String:  "/{key} must be string",
		Boolean: "/{key} must be boolean",
		Array:   "/{key} must be array",
		Object:  "/{key} must be object",
		Element: "%s/%d",
		Member:  "%s/%s",
	}
}

// parseRequest decodes and validates the parameters: the schema in the order of its properties,
// then the form of the path, then whether it is inside the workspace.
func (t *ListDirectory) parseRequest(ctx context.Context, args json.RawMessage) (request, error) {
	a := shared.DecodeArguments(args, messages())
	r := request{path: a.Required("path").String("")}
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
	var err error
	if !filepath.IsAbs(path) { // a path of the current drive
		if path, err = filepath.Abs(path); err != nil {
			return r, t.newError(err, "stat", r.path)
		}
	}
	if r.place, err = t.workspace.Find(path); err != nil {
		return r, t.newError(err, "stat", r.path)
	}
	return r, nil
}
