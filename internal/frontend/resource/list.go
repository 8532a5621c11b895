package resource

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"gander"
	"gander/tool"
)

const (
	// pageSize is the most entries that a page has.
	pageSize = 500
	// maxName is the most bytes of a name: 255 UTF-16 units on Windows, less on every other system.
	maxName = 3 * 255
)

// An Entry describes a resource in a list.
type Entry struct {
	URI  string `json:"uri"`
	Name string `json:"name"`
	MIME string `json:"mimeType,omitempty"` // empty for a file, which has not been opened
	Size *int64 `json:"size,omitempty"`     // nil if it is not known
}

// A Page is a part of a directory's entries.
type Page struct {
	Entries []Entry `json:"resources"`
	Next    string  `json:"nextCursor,omitempty"` // the cursor of the next page, empty if there is none
}

// Roots returns the directories that all other resources are in. A root whose path is not UTF-8 has no URI and is left
// out.
func (f *Files) Roots() []Entry {
	var roots []Entry
	for _, dir := range f.ts.Roots() {
		if utf8.ValidString(dir) {
			roots = append(roots, Entry{URI: URI(dir), Name: filepath.Base(dir), MIME: Directory})
		}
	}
	return roots
}

// List returns a page of the entries of a directory in the order of their names. An empty cursor stands for the first
// page. A page starts after the last name of the one before, even if that entry is gone. Names that are not UTF-8 and
// special files are left out. A symlink that leads to something in the workspace is described as that.
func (f *Files) List(ctx context.Context, uri, cursor string) (Page, error) {
	var page Page
	dir, err := Path(uri)
	if err != nil {
		return page, err
	}
	after, err := decodeCursor(cursor)
	if err != nil {
		return page, err
	}
	result, err := f.callAs(ctx, f.lister, dir, func(ctx context.Context, c tool.Call) (tool.Result, error) {
		page, err := f.page(ctx, dir, after, c.Budget)
		return jsonResult(page, page.Next != "", err)
	})
	if err != nil {
		return page, err
	}
	return page, json.Unmarshal([]byte(result.Text()), &page)
}

// page reads the page that starts after a name. As JSON it fits the budget.
func (f *Files) page(ctx context.Context, dir, after string, b tool.Budget) (Page, error) {
	page := Page{Entries: []Entry{}}
	size := len(`{"resources":[],"nextCursor":""}`)
	limit, limited := b.Limit()
	fsys, name, err := f.open(ctx, dir)
	if err != nil {
		return page, err
	}
	for e, err := range f.ts.List(ctx, dir, gander.ListOptions{Limit: pageSize + 1, Keep: resourcesAfter(after)}) {
		if err != nil && e.Path == "" {
			return page, err
		}
		entry := describe(fsys, path.Join(name, e.Path), e)
		entry.URI = URI(filepath.Join(dir, e.Path))
		text, err := json.Marshal(entry)
		if err != nil {
			return page, err
		}
		size += len(text) + 1
		full := len(page.Entries) == pageSize || limited && size+len(encodeCursor(e.Path)) > limit
		if full && len(page.Entries) == 0 {
			return page, &tool.Error{Kind: tool.Failed, Message: fmt.Sprintf("the output limit of %d bytes is too small for an entry; raise it", limit)}
		}
		if full {
			page.Next = encodeCursor(page.Entries[len(page.Entries)-1].Name)
			break
		}
		page.Entries = append(page.Entries, entry)
	}
	return page, nil
}

// resourcesAfter selects the entries that are resources and whose names come after a name.
func resourcesAfter(name string) func(gander.Entry) bool {
	return func(e gander.Entry) bool {
		return e.Path > name && e.Type() != fs.ModeIrregular && utf8.ValidString(e.Path)
	}
}

// describe returns what can be said of an entry without opening it.
func describe(fsys fs.FS, name string, e gander.Entry) Entry {
	entry := Entry{Name: e.Path}
	if e.IsDir() {
		entry.MIME = Directory
		return entry
	}
	info, err := fs.Stat(fsys, name)
	switch {
	case err != nil: // It is gone, or a link that leads to nothing in the workspace.
	case info.IsDir():
		entry.MIME = Directory
	case info.Mode().IsRegular():
		size := info.Size()
		entry.Size = &size
	}
	return entry
}

// encodeCursor returns the cursor of the page that starts after a name.
func encodeCursor(name string) string { return base64.RawURLEncoding.EncodeToString([]byte(name)) }

// decodeCursor returns the name that a page starts after. The cursor comes from a client and needs no signature: it can
// only choose where in a directory a page starts, and the directory is checked like any other.
func decodeCursor(cursor string) (string, error) {
	if cursor == "" {
		return "", nil
	}
	if len(cursor) <= base64.RawURLEncoding.EncodedLen(maxName) {
		name, err := base64.RawURLEncoding.Strict().DecodeString(cursor)
		// The decoder passes over line breaks in a cursor; the encoder writes none.
		if err == nil && isName(string(name)) && encodeCursor(string(name)) == cursor {
			return string(name), nil
		}
	}
	return "", &tool.Error{Kind: tool.BadArguments, Message: "this is not a cursor of this server; list the directory again without one"}
}

// isName reports whether s can be the name of an entry that has a URI.
func isName(s string) bool {
	return s != "" && s != "." && s != ".." && utf8.ValidString(s) && !strings.ContainsAny(s, "/\x00") && filepath.Base(s) == s
}
