package resource

import (
	"context"
	"encoding/json"
	"net/url"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"gander"
	"gander/tool"
)

// maxValues is the most completions that are returned.
const maxValues = 100

// Completions are the ways in which a value may continue.
type Completions struct {
	Values []string
	More   bool // there are others
}

// Complete returns the paths that begin with value. They are relative to the directory base and have slashes; those of
// directories end in one. Names with a dot at the beginning are left out unless value has it. If encoded is set, paths are
// written as in URIs. If nothing is found, or nothing may be seen, there are no completions.
func (f *Files) Complete(ctx context.Context, base, value string, encoded bool) Completions {
	found := Completions{Values: []string{}}
	if encoded {
		path, err := url.PathUnescape(value)
		if err != nil || strings.Count(path, "/") > strings.Count(value, "/") { // A separator must not be encoded.
			return found
		}
		value = path
	}
	if strings.ContainsRune(value, 0) || !utf8.ValidString(value) {
		return found
	}
	last := strings.LastIndexByte(value, '/') + 1 // The name behind it is still being typed.
	parent, prefix := value[:last], value[last:]
	dir := filepath.Join(base, filepath.FromSlash(parent))
	result, err := f.callAs(ctx, f.lister, dir, func(ctx context.Context, _ tool.Call) (tool.Result, error) {
		names, err := f.namesWith(ctx, dir, prefix)
		return jsonResult(names, false, err)
	})
	var names []string
	if err != nil || json.Unmarshal([]byte(result.Text()), &names) != nil {
		return found
	}
	found.More = len(names) > maxValues
	for _, n := range names[:min(len(names), maxValues)] {
		path := parent + n
		if encoded {
			path = escape(path)
		}
		found.Values = append(found.Values, path)
	}
	return found
}

// namesWith returns the names in a directory that begin with prefix, at most one more than are returned to the client.
func (f *Files) namesWith(ctx context.Context, dir, prefix string) ([]string, error) {
	names := []string{}
	isResource := resourcesAfter("")
	keep := func(e gander.Entry) bool {
		return strings.HasPrefix(e.Path, prefix) && (e.Path[0] != '.' || prefix != "") && isResource(e)
	}
	for e, err := range f.ts.List(ctx, dir, gander.ListOptions{Limit: maxValues + 1, Keep: keep}) {
		if err != nil && e.Path == "" {
			return nil, err
		}
		name := e.Path
		if e.IsDir() {
			name += "/"
		}
		names = append(names, name)
	}
	return names, nil
}
