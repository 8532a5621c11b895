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

// maxValues is how many completions there are at most.
const maxValues = 100

// Completions are how a value that is begun can go on.
type Completions struct {
	Values []string
	// More says that there are others.
	More bool
}

// Complete returns the paths that begin as value does: below the directory base, with slashes, directories with one at
// the end. Entries whose names begin with a dot come where the value asks for one. Where nothing is found, or nothing may
// be, there are no completions. With encoded set, paths are written as in URIs.
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
	text, err := f.as(ctx, f.lister, dir, func(ctx context.Context, _ tool.Call) (tool.Result, error) {
		found, err := f.begin(ctx, dir, prefix)
		if err != nil {
			return tool.Result{}, err
		}
		text, err := json.Marshal(found)
		return tool.Result{Parts: tool.Text(string(text))}, err
	})
	var names []string
	if err != nil || json.Unmarshal([]byte(text), &names) != nil {
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

// begin returns the names in a directory that begin with prefix, one more than are wanted where there are so many.
func (f *Files) begin(ctx context.Context, dir, prefix string) ([]string, error) {
	names := []string{}
	resources := behind("")
	keep := func(e gander.Entry) bool {
		return strings.HasPrefix(e.Path, prefix) && (e.Path[0] != '.' || prefix != "") && resources(e)
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

// cut returns what of a path has been written out, up to its last slash, and what is begun.
func cut(value string) (parent, begun string) {
	i := strings.LastIndexByte(value, '/') + 1
	return value[:i], value[i:]
}

// decodePath returns what stands before the last slash of a path in a URI, with that slash; "" for nothing.
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
