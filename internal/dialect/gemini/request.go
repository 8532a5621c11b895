package gemini

import (
	"encoding/json"
	"fmt"
	"path/filepath"

	"gander/internal/engine/workspace"
	"gander/internal/jsonobject"
	"gander/tool"
)

// A request is a call's parameters, resolved against the configuration and found valid.
type request struct {
	place                     workspace.Place
	path                      string
	globs                     []glob
	gitIgnored, geminiIgnored bool // whether .gitignore and .geminiignore are respected
}

func invalid(format string, args ...any) error {
	return &tool.Error{Kind: tool.BadArguments, Message: fmt.Sprintf(format, args...)}
}

// request judges the parameters: schema, absolute, workspace.
func (t *ListDirectory) request(args json.RawMessage) (request, error) {
	r := request{gitIgnored: t.settings.RespectGitIgnore, geminiIgnored: t.settings.RespectGeminiIgnore}
	o, err := jsonobject.ParseArguments(args)
	if err != nil {
		return r, invalid("params must be one JSON object: %v", err)
	}
	if err := r.decode(o); err != nil {
		return r, err
	}
	if !filepath.IsAbs(r.path) {
		return r, invalid("Path must be absolute: %s", shown(r.path))
	}
	if r.place, err = t.workspace.Find(r.path); err != nil {
		return r, t.refuse(err, "stat", r.path)
	}
	return r, nil
}

// decode checks the schema: the first error in the order of its properties, in the words of the original's validator.
func (r *request) decode(o *jsonobject.Object) error {
	path, ok := o.Get("path")
	if !ok {
		return invalid("params must have required property 'path'")
	}
	if r.path, ok = path.Text(); !ok {
		return invalid("params/path must be string")
	}
	if ignore, ok := o.Get("ignore"); ok {
		patterns, ok := ignore.Array()
		if !ok {
			return invalid("params/ignore must be array")
		}
		for i, p := range patterns {
			pattern, ok := p.Text()
			if !ok {
				return invalid("params/ignore/%d must be string", i)
			}
			r.globs = append(r.globs, newGlob(pattern))
		}
	}
	return r.decodeOptions(o)
}

func (r *request) decodeOptions(o *jsonobject.Object) error {
	v, ok := o.Get("file_filtering_options")
	if !ok {
		return nil
	}
	options, ok := v.Object()
	if !ok {
		return invalid("params/file_filtering_options must be object")
	}
	if err := decodeOption(options, "respect_git_ignore", &r.gitIgnored); err != nil {
		return err
	}
	return decodeOption(options, "respect_gemini_ignore", &r.geminiIgnored)
}

func decodeOption(options *jsonobject.Object, key string, to *bool) error {
	v, ok := options.Get(key)
	if !ok {
		return nil
	}
	if *to, ok = v.Bool(); !ok {
		return invalid("params/file_filtering_options/%s must be boolean", key)
	}
	return nil
}
