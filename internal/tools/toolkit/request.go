package toolkit

import (
	"context"
	"encoding/json"
	"path/filepath"
	"strings"

	"gander/internal/files/workspace"
	"gander/internal/tools/shared"
)

// A request holds the valid arguments of a call.
type request struct {
	place      workspace.Location
	files      bool // entry_kind is "all"
	maxDepth   int
	maxEntries int
	hidden     bool
	exclude    excludes
}

// messages returns the messages for arguments that do not match the schema.
func messages() shared.Messages {
	integer := "{key} must be an integer from {min} to {max}, got {value}"
	return shared.Messages{
		JSON:    "arguments are not one JSON object: {error}",
		Missing: "{key} is required; use \".\" for the workspace root",
		String:  "{key} must be a string, got {type}",
		Boolean: "{key} must be true or false, got {type}",
		Array:   "{key} must be an array of strings, got {type}",
		Integer: integer,
		Range:   integer,
		Choice:  "{key} must be {choices}, got {value}",
		Quote:   "\"",
		Element: "%s[%d]",
	}
}

// parseRequest decodes and validates the arguments in the published order: the path, the sandbox,
// the other arguments. As in the original, null selects the default, except for path and exclude.
func (t *Tree) parseRequest(ctx context.Context, args json.RawMessage) (request, error) {
	a := shared.DecodeArguments(args, messages())
	path := a.Required("path").String("")
	if a.Err() != nil {
		return request{}, a.Err()
	}
	place, err := t.find(path)
	if err != nil {
		return request{}, err
	}
	r := request{
		place:      place,
		files:      a.Nullable("entry_kind").Choice("directory", "all") == "all",
		maxDepth:   a.Nullable("max_depth").Int(t.settings.MaxDepth, 0, t.settings.DepthCap),
		maxEntries: a.Nullable("max_entries").Int(t.settings.MaxEntries, 1, t.settings.EntriesCap),
		hidden:     a.Nullable("include_hidden").Bool(false),
	}
	exclude := a.Optional("exclude").Strings()
	if a.Err() != nil {
		return request{}, a.Err()
	}
	r.exclude, err = compile(ctx, exclude)
	if ctx.Err() != nil {
		return request{}, ctx.Err()
	}
	if err != nil {
		return request{}, shared.BadArguments("exclude: %v", err)
	}
	return r, nil
}

// find finds the path in the workspace lexically. A backslash is a separator.
func (t *Tree) find(path string) (workspace.Location, error) {
	if path == "" {
		return workspace.Location{}, shared.BadArguments(
			`path must not be empty; use "." for the workspace root`)
	}
	path = filepath.FromSlash(strings.ReplaceAll(path, `\`, "/"))
	if workspace.IsRelative(path) {
		path = filepath.Join(t.workspace.Roots()[0], path)
	}
	place, err := t.workspace.Find(filepath.Clean(path))
	if err != nil {
		return workspace.Location{}, newError(err)
	}
	return place, nil
}
