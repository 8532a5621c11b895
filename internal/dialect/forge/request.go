package forge

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
	path       string // as printed (FR-LD-VAL-10)
	depth      int
	maxEntries int

	hidden, files, dirs, symlinks, other bool
}

func badArguments(format string, args ...any) error {
	return &tool.Error{Kind: tool.BadArguments, Message: fmt.Sprintf(format, args...)}
}

// request decodes and judges the arguments, in the order of reading 6: first all that is wrong in themselves, then the
// path against the sandbox.
func (t *ListDirectory) request(args json.RawMessage) (request, error) {
	o, err := jsonobject.ParseArguments(args)
	if err != nil {
		return request{}, badArguments("arguments are not one JSON object: %v", err)
	}
	d := decoder{object: o}
	path := strings.TrimSpace(d.text("path"))
	recursive := d.flag("recursive", false)
	maxDepth := d.count("max_depth")
	maxEntries := d.count("max_entries")
	r := request{
		hidden:   d.flag("include_hidden", t.settings.IncludeHidden),
		files:    d.flag("include_files", t.settings.IncludeFiles),
		dirs:     d.flag("include_dirs", t.settings.IncludeDirs),
		symlinks: d.flag("include_symlinks", t.settings.IncludeSymlinks),
		other:    d.flag("include_other", t.settings.IncludeOther),
	}
	if d.err != nil {
		return request{}, d.err
	}
	if err := t.limits(&r, recursive, maxDepth, maxEntries); err != nil {
		return request{}, err
	}
	switch {
	case path == "": // FR-LD-VAL-01
		return request{}, badArguments("path must not be empty; use \".\" for the workspace root")
	case strings.ContainsRune(path, 0):
		return request{}, badArguments("path must not contain a NUL character")
	case !r.files && !r.dirs && !r.symlinks: // FR-LD-VAL-05, on effective values (reading 9)
		return request{}, badArguments("at least one of include_files, include_dirs and include_symlinks must be true")
	}
	r.path = normalize(path)
	r.place, err = t.find(path)
	return r, err
}

// limits resolves max_depth and max_entries; nil means that the argument is absent.
func (t *ListDirectory) limits(r *request, recursive bool, maxDepth, maxEntries *int64) error {
	r.depth, r.maxEntries = 1, t.settings.MaxEntries // FR-LD-VAL-06a
	if recursive {
		r.depth = t.settings.MaxDepth // FR-LD-VAL-03
	}
	if maxDepth != nil {
		switch {
		case !recursive && *maxDepth != 1: // FR-LD-VAL-02
			return badArguments("max_depth must be absent or 1 unless recursive is true, got %d", *maxDepth)
		case recursive && *maxDepth > int64(t.settings.MaxDepth): // FR-LD-VAL-06b
			return badArguments("max_depth must be at most %d, got %d", t.settings.MaxDepth, *maxDepth)
		}
		r.depth = int(*maxDepth)
	}
	if maxEntries != nil {
		if *maxEntries > int64(t.settings.MaxEntries) { // FR-LD-VAL-04
			return badArguments("max_entries must be at most %d, got %d", t.settings.MaxEntries, *maxEntries)
		}
		r.maxEntries = int(*maxEntries)
	}
	return nil
}

// find judges the path's form against the sandbox, without touching a file (FR-LD-VAL-07).
func (t *ListDirectory) find(path string) (workspace.Place, error) {
	slashed := filepath.ToSlash(path)
	for part := range strings.SplitSeq(slashed, "/") {
		if part == ".." { // reading 7
			return workspace.Place{}, &tool.Error{Kind: tool.Outside, Message: "path must not contain \"..\"; name the directory from the workspace root"}
		}
	}
	if !t.settings.AllowAbsolute && (filepath.IsAbs(path) || strings.HasPrefix(slashed, "/")) {
		return workspace.Place{}, &tool.Error{Kind: tool.Outside, Message: "path must be relative to the workspace root"}
	}
	place, err := t.workspace.Find(path)
	if err != nil {
		return workspace.Place{}, refuse(err)
	}
	return place, nil
}

// normalize is FR-LD-VAL-10 on segments (reading 8): a path of nothing but "." and "/" is "." or "/". The slash of a drive
// root stays on any system, as the clause says.
func normalize(path string) string {
	path = filepath.ToSlash(path)
	var kept []string
	for part := range strings.SplitSeq(path, "/") {
		if part != "" && part != "." {
			kept = append(kept, part)
		}
	}
	joined := strings.Join(kept, "/")
	switch {
	case strings.HasPrefix(path, "/"):
		return "/" + joined
	case joined == "":
		return "."
	case len(kept) == 1 && isDrive(joined) && strings.HasSuffix(path, "/"):
		return joined + "/"
	default:
		return joined
	}
}

// isDrive reports whether name is X: for a letter X.
func isDrive(name string) bool {
	return len(name) == 2 && name[1] == ':' && 'a' <= name[0]|0x20 && name[0]|0x20 <= 'z'
}

// A decoder reads arguments by the schema and keeps the first error.
type decoder struct {
	object *jsonobject.Object
	err    error
}

func (d *decoder) fail(format string, args ...any) {
	if d.err == nil {
		d.err = badArguments(format, args...)
	}
}

func (d *decoder) text(key string) string {
	v, ok := d.object.Get(key)
	if !ok {
		d.fail("%s is required", key)
		return ""
	}
	s, ok := v.Text()
	if !ok {
		d.fail("%s must be a string, got %s", key, v.Type())
	}
	return s
}

func (d *decoder) flag(key string, absent bool) bool {
	v, ok := d.object.Get(key)
	if !ok {
		return absent
	}
	b, ok := v.Bool()
	if !ok {
		d.fail("%s must be true or false, got %s", key, v.Type())
	}
	return b
}

// count reads an integer of at least 1, where 2.0 is 2 (reading 9). Out of range is left to the caps.
func (d *decoder) count(key string) *int64 {
	v, ok := d.object.Get(key)
	if !ok {
		return nil
	}
	n, err := v.Integer()
	switch {
	case err != nil && err != jsonobject.ErrRange:
		d.fail("%s must be an integer, got %s", key, dialect.Excerpt(v.Raw()))
	case n < 1:
		d.fail("%s must be at least 1, got %s", key, dialect.Excerpt(v.Raw()))
	}
	return &n
}
