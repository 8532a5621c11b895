package gemini

import (
	"encoding/json"
	"path/filepath"

	"gander/internal/files/workspace"
	"gander/internal/tools/shared"
)

// A request is the parameters of a call, complete and valid.
type request struct {
	place                   workspace.Location
	path                    string
	globs                   []glob
	gitIgnore, geminiIgnore bool // whether .gitignore and .geminiignore are respected
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

// request decodes and checks the parameters: the schema in the order of its properties, then whether the path is absolute,
// then whether it lies in the workspace.
func (t *ListDirectory) request(args json.RawMessage) (request, error) {
	a := shared.DecodeArguments(args, messages)
	r := request{path: a.Required("path").String("")}
	for _, pattern := range a.Optional("ignore").Strings() {
		r.globs = append(r.globs, newGlob(pattern))
	}
	options := a.Optional("file_filtering_options").Object()
	r.gitIgnore = options.Optional("respect_git_ignore").Bool(t.settings.RespectGitIgnore)
	r.geminiIgnore = options.Optional("respect_gemini_ignore").Bool(t.settings.RespectGeminiIgnore)
	if a.Err() != nil {
		return r, a.Err()
	}
	if !filepath.IsAbs(r.path) {
		return r, shared.BadArguments("Path must be absolute: %s", t.shown(r.path))
	}
	var err error
	if r.place, err = t.workspace.Find(r.path); err != nil {
		return r, t.newError(err, "stat", r.path)
	}
	return r, nil
}
