package resource

import (
	"context"
	"encoding/json"
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
	none := Completions{Values: []string{}}
	if encoded {
		parent, last := cut(value)
		path, err := decodePath(parent)
		if err != nil {
			return none
		}
		if name, err := decode(last, false); err == nil {
			last = name
		}
		value = path + last
	}
	if strings.ContainsRune(value, 0) || !utf8.ValidString(value) {
		return none
	}
	parent, prefix := cut(value)
	dir := filepath.Join(base, filepath.FromSlash(parent))
	result, err := f.callAs(ctx, f.lister, dir, func(ctx context.Context, _ tool.Call) (tool.Result, error) {
		found, err := f.namesWith(ctx, dir, prefix)
		if err != nil {
			return tool.Result{}, err
		}
		text, err := json.Marshal(found)
		return tool.Result{Parts: tool.Text(string(text))}, err
	})
	var names []string
	if err != nil || json.Unmarshal([]byte(result.Text()), &names) != nil {
		return none
	}
	all := Completions{Values: []string{}, More: len(names) > maxValues}
	for _, n := range names[:min(len(names), maxValues)] {
		path := parent + n
		if encoded {
			var b strings.Builder
			escape(&b, path)
			path = b.String()
		}
		all.Values = append(all.Values, path)
	}
	return all
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

// cut splits a path after its last slash: the name behind it is still being typed.
func cut(value string) (parent, prefix string) {
	i := strings.LastIndexByte(value, '/') + 1
	return value[:i], value[i:]
}

// decodePath decodes the part of a URI's path that ends in its last slash; it may be empty.
func decodePath(parent string) (string, error) {
	if parent == "" {
		return "", nil
	}
	names := strings.Split(strings.TrimSuffix(parent, "/"), "/")
	for i, n := range names {
		name, err := decode(n, false)
		if err != nil {
			return "", err
		}
		names[i] = name
	}
	return strings.Join(names, "/") + "/", nil
}
