package toolkit

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"

	"gander/internal/dialect"
	"gander/internal/engine/workspace"
	"gander/internal/jsonobject"
	"gander/tool"
)

// A request is a call's arguments, resolved against the configuration and found valid.
type request struct {
	place      workspace.Place
	files      bool // entry_kind is "all"
	maxDepth   int
	maxEntries int
	hidden     bool
	exclude    *excludes
}

func invalid(format string, args ...any) error {
	return &tool.Error{Kind: tool.BadArguments, Message: fmt.Sprintf(format, args...)}
}

// request decodes and judges the arguments in the published order: an empty path, the sandbox, everything else.
func (t *Tree) request(args json.RawMessage) (request, error) {
	o, err := jsonobject.ParseArguments(args)
	if err != nil {
		return request{}, invalid("arguments are not one JSON object: %v", err)
	}
	var r request
	if r.place, err = t.find(o); err != nil {
		return request{}, err
	}
	if r.files, err = entryKind(o); err != nil {
		return request{}, err
	}
	if r.maxDepth, err = number(o, "max_depth", t.settings.MaxDepth, 0, t.settings.DepthCap); err != nil {
		return request{}, err
	}
	if r.maxEntries, err = number(o, "max_entries", t.settings.MaxEntries, 1, t.settings.EntriesCap); err != nil {
		return request{}, err
	}
	if v, ok := given(o, "include_hidden"); ok {
		if r.hidden, ok = v.Bool(); !ok {
			return request{}, invalid("include_hidden must be true or false, got %s", v.Type())
		}
	}
	r.exclude, err = excludeOf(o)
	return r, err
}

// find judges the path against the sandbox, as text: a backslash is a separator, and ".." is taken lexically.
func (t *Tree) find(o *jsonobject.Object) (workspace.Place, error) {
	v, ok := o.Get("path")
	if !ok {
		return workspace.Place{}, invalid("path is required; use \".\" for the workspace root")
	}
	p, ok := v.Text()
	switch {
	case !ok:
		return workspace.Place{}, invalid("path must be a string, got %s", v.Type())
	case p == "":
		return workspace.Place{}, invalid("path must not be empty; use \".\" for the workspace root")
	}
	p = filepath.FromSlash(strings.ReplaceAll(p, `\`, "/"))
	if workspace.IsRelative(p) {
		p = filepath.Join(t.workspace.Roots()[0], p)
	}
	place, err := t.workspace.Find(filepath.Clean(p))
	if err != nil {
		return workspace.Place{}, refuse(err)
	}
	return place, nil
}

// given returns an argument that has a default. As in the original, null asks for the default too, but not in exclude.
func given(o *jsonobject.Object, key string) (jsonobject.Value, bool) {
	v, ok := o.Get(key)
	return v, ok && v.Type() != jsonobject.TypeNull
}

func entryKind(o *jsonobject.Object) (files bool, err error) {
	v, ok := given(o, "entry_kind")
	if !ok {
		return false, nil
	}
	switch kind, _ := v.Text(); kind {
	case "directory":
		return false, nil
	case "all":
		return true, nil
	default:
		return false, invalid("entry_kind must be \"directory\" or \"all\", got %s", dialect.Excerpt(v.Raw()))
	}
}

func number(o *jsonobject.Object, key string, absent, least, most int) (int, error) {
	v, ok := given(o, key)
	if !ok {
		return absent, nil
	}
	n, err := v.Integer()
	if err != nil || n < int64(least) || n > int64(most) {
		return 0, invalid("%s must be an integer from %d to %d, got %s", key, least, most, dialect.Excerpt(v.Raw()))
	}
	return int(n), nil
}

func excludeOf(o *jsonobject.Object) (*excludes, error) {
	v, ok := o.Get("exclude")
	if !ok {
		return nil, nil
	}
	values, ok := v.Array()
	if !ok {
		return nil, invalid("exclude must be an array of strings, got %s", v.Type())
	}
	patterns := make([]string, len(values))
	for i, value := range values {
		if patterns[i], ok = value.Text(); !ok {
			return nil, invalid("exclude[%d] must be a string, got %s", i, value.Type())
		}
	}
	x, err := compile(patterns)
	if err != nil {
		return nil, invalid("exclude: %v", err)
	}
	return x, nil
}
