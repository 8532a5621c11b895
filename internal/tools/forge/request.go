package forge

import (
	"cmp"
	"encoding/json"
	"math"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"gander/internal/files/workspace"
	"gander/internal/paths"
	"gander/internal/tools/shared"
	"gander/tool"
)

// A request holds the valid arguments of a call.
type request struct {
	location   workspace.Location
	path       string // normalized
	depth      int
	maxEntries int

	hidden, files, dirs, symlinks, other bool
}

// messages returns the messages for arguments that do not match the schema.
func messages() shared.Messages {
	return shared.Messages{
		JSON:    "arguments are not one JSON object: {error}",
		Missing: "{key} is required",
		String:  "{key} must be a string, got {type}",
		Boolean: "{key} must be true or false, got {type}",
		Integer: "{key} must be an integer, got {value}",
		Range:   "{key} must be at least {min}, got {value}",
	}
}

// parseRequest decodes and validates the arguments, then the path against the sandbox (reading 6).
func (t *ListDirectory) parseRequest(args json.RawMessage) (request, error) {
	a := shared.DecodeArguments(args, messages())
	name := strings.TrimSpace(a.Required("path").String(""))
	recursive := a.Optional("recursive").Bool(false)
	// Reading 9 applies to integers; limits validates the maximums.
	maxDepth := a.Optional("max_depth").Int(0, 1, math.MaxInt)
	maxEntries := a.Optional("max_entries").Int(0, 1, math.MaxInt)
	r := request{
		hidden:   a.Optional("include_hidden").Bool(t.settings.IncludeHidden),
		files:    a.Optional("include_files").Bool(t.settings.IncludeFiles),
		dirs:     a.Optional("include_dirs").Bool(t.settings.IncludeDirs),
		symlinks: a.Optional("include_symlinks").Bool(t.settings.IncludeSymlinks),
		other:    a.Optional("include_other").Bool(t.settings.IncludeOther),
	}
	if a.Err() != nil {
		return request{}, a.Err()
	}
	if err := t.limits(&r, recursive, maxDepth, maxEntries); err != nil {
		return request{}, err
	}
	switch {
	case name == "":
		return request{}, shared.BadArguments(`path must not be empty; use "." for the workspace root`)
	case strings.ContainsRune(name, 0):
		return request{}, shared.BadArguments("path must not contain a NUL character")
	case !r.files && !r.dirs && !r.symlinks: // effective values (reading 9)
		return request{}, shared.BadArguments(
			"at least one of include_files, include_dirs and include_symlinks must be true")
	}
	r.path = normalize(name)
	var err error
	r.location, err = t.find(name)
	return r, err
}

// limits sets the effective max_depth and max_entries. 0 means an absent argument.
func (t *ListDirectory) limits(r *request, recursive bool, maxDepth, maxEntries int) error {
	switch {
	case !recursive && maxDepth > 1:
		return shared.BadArguments(
			"max_depth must be absent or 1 unless recursive is true, got %d", maxDepth)
	case maxDepth > t.settings.MaxDepth && recursive:
		return shared.BadArguments(
			"max_depth must be at most %d, got %d", t.settings.MaxDepth, maxDepth)
	case maxEntries > t.settings.MaxEntries:
		return shared.BadArguments(
			"max_entries must be at most %d, got %d", t.settings.MaxEntries, maxEntries)
	}
	r.depth = 1
	if recursive {
		r.depth = cmp.Or(maxDepth, t.settings.MaxDepth)
	}
	r.maxEntries = cmp.Or(maxEntries, t.settings.MaxEntries)
	return nil
}

// find finds the path in the workspace lexically.
func (t *ListDirectory) find(path string) (location workspace.Location, err error) {
	slashed := filepath.ToSlash(path)
	outside := func(message string) error { return &tool.Error{Kind: tool.Outside, Message: message} }
	switch {
	case slices.Contains(strings.Split(slashed, "/"), ".."): // reading 7
		return location, outside(`path must not contain ".."; name the directory from the workspace root`)
	case !t.settings.AllowAbsolute && (filepath.IsAbs(path) || strings.HasPrefix(slashed, "/")):
		return location, outside("path must be relative to the workspace root")
	}
	if location, err = t.workspace.Find(path); err != nil {
		return location, newError(err)
	}
	return location, nil
}

// normalize returns a path without ".." with slashes, and without empty segments and "."
// (reading 8). A drive root keeps its slash on every system.
func normalize(name string) string {
	name = filepath.ToSlash(name)
	clean := path.Clean(name)
	if len(clean) == 2 && paths.HasDrive(clean) && strings.HasSuffix(name, "/") {
		return clean + "/"
	}
	return clean
}
