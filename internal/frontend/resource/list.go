package resource

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"unicode/utf8"

	"gander"
	"gander/tool"
)

// pageSize is how many entries a page has at most.
const pageSize = 500

// An Entry is a resource as a list has it.
type Entry struct {
	URI  string `json:"uri"`
	Name string `json:"name"`
	MIME string `json:"mimeType,omitempty"`
	Size *int64 `json:"size,omitempty"`
}

// A Page is a part of a directory's entries, and the cursor of the next where there is one.
type Page struct {
	Entries []Entry `json:"resources"`
	Next    string  `json:"nextCursor,omitempty"`
}

// Roots are the directories that everything else lies in.
func (f *Files) Roots() []Entry {
	var roots []Entry
	for _, dir := range f.ts.Roots() {
		if utf8.ValidString(dir) {
			roots = append(roots, Entry{URI: URI(dir), Name: filepath.Base(dir), MIME: Directory})
		}
	}
	return roots
}

// List returns a page of the direct children of a directory, by name: the first for an empty cursor. A page begins behind
// the last name of the one before, whatever has come or gone meanwhile. Names that are not UTF-8 have no URI, and files
// that can never be read are no resources; both are left out. Symlinks are described as what they lead to inside the
// workspace.
func (f *Files) List(ctx context.Context, uri, cursor string) (Page, error) {
	var page Page
	dir, err := Path(uri)
	if err != nil {
		return page, err
	}
	after, err := f.unseal(dir, cursor)
	if err != nil {
		return page, err
	}
	text, err := f.as(ctx, f.lister, dir, func(ctx context.Context, c tool.Call) (tool.Result, error) {
		page, err := f.page(ctx, dir, after, c.Budget)
		if err != nil {
			return tool.Result{}, err
		}
		text, err := json.Marshal(page)
		return tool.Result{Parts: tool.Text(string(text)), Truncated: page.Next != ""}, err
	})
	if err != nil {
		return page, err
	}
	return page, json.Unmarshal([]byte(text), &page)
}

func (f *Files) page(ctx context.Context, dir, after string, b tool.Budget) (Page, error) {
	page := Page{Entries: []Entry{}}
	// A page without entries, and a cursor behind the longest name.
	room := len(`{"resources":[],"nextCursor":""}`) + len(f.seal(dir, string(make([]byte, 255))))
	limit, limited := b.Limit()
	fsys, name, err := f.open(ctx, dir)
	if err != nil {
		return page, err
	}
	for e, err := range f.ts.List(ctx, dir, gander.ListOptions{Limit: pageSize + 1, Keep: behind(after)}) {
		if err != nil && e.Path == "" {
			return page, err
		}
		entry := describe(fsys, path.Join(name, e.Path), e)
		entry.URI = URI(filepath.Join(dir, e.Path))
		text, err := json.Marshal(entry)
		if err != nil {
			return page, err
		}
		room += len(text) + 1
		full := len(page.Entries) == pageSize || limited && room > limit
		if full && len(page.Entries) == 0 {
			return page, &tool.Error{Kind: tool.Failed, Message: fmt.Sprintf("the output limit of %d bytes is too small for an entry; raise it", limit)}
		}
		if full {
			page.Next = f.seal(dir, page.Entries[len(page.Entries)-1].Name)
			break
		}
		page.Entries = append(page.Entries, entry)
	}
	return page, nil
}

// behind keeps the entries that are resources and come after a name.
func behind(after string) func(gander.Entry) bool {
	return func(e gander.Entry) bool {
		return e.Path > after && e.Type() != fs.ModeIrregular && utf8.ValidString(e.Path)
	}
}

// describe says what is told of an entry without opening it.
func describe(fsys fs.FS, name string, e gander.Entry) Entry {
	entry := Entry{Name: e.Path}
	if e.IsDir() {
		entry.MIME = Directory
		return entry
	}
	info, err := fs.Stat(fsys, name)
	switch {
	case err != nil: // gone, or a link that leads nowhere inside
	case info.IsDir():
		entry.MIME = Directory
	case info.Mode().IsRegular():
		size := info.Size()
		entry.Size = &size
	}
	return entry
}
