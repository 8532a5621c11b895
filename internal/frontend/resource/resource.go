// Package resource presents the files of a workspace as resources: their URIs and contents, the entries of directories,
// and completions of paths. It knows no protocol.
//
// A resource is read under the rules of a tool: a file under those of a tool that reads files, a directory under those of
// a tool that lists directories. The policy, the limits, the middleware and the record of that tool are the resource's as
// well. If the toolset has no such tool, it has no such resources.
package resource

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"gander"
	"gander/internal/meter"
	"gander/tool"
)

// Directory is the MIME type of a directory.
const Directory = "inode/directory"

// Files are the resources of a toolset. They are safe for concurrent use.
type Files struct {
	ts             *gander.Toolset
	reader, lister *toolRef // nil if the toolset has none
}

// A toolRef is a tool under whose rules resources are read, and its argument for the path.
type toolRef struct{ id, argument string }

// New returns the resources of a toolset.
func New(ts *gander.Toolset) *Files {
	f := &Files{ts: ts}
	f.reader = f.first(tool.FileResource)
	f.lister = f.first(tool.DirectoryResource)
	return f
}

// In returns the resources of a narrower toolset.
func (f *Files) In(ts *gander.Toolset) *Files {
	return &Files{ts: ts, reader: f.reader, lister: f.lister}
}

// ReadsFiles reports whether files are resources.
func (f *Files) ReadsFiles() bool { return f.reader != nil }

// ListsDirectories reports whether directories are resources.
func (f *Files) ListsDirectories() bool { return f.lister != nil }

// first returns the first tool under whose rules resources of a type are read, or nil if there is none.
func (f *Files) first(t tool.ResourceType) *toolRef {
	for _, d := range f.ts.Definitions() {
		if d.Resource == t {
			return &toolRef{d.ID, d.PathArgument}
		}
	}
	return nil
}

// callAs does work that concerns path under the rules of a tool.
func (f *Files) callAs(ctx context.Context, ref *toolRef, path string, work tool.Handler) (tool.Result, error) {
	if ref == nil {
		return tool.Result{}, &tool.Error{Kind: tool.Denied, Message: "none of the tools that are offered gives this; have gander offer one that does"}
	}
	args, err := json.Marshal(map[string]string{ref.argument: path})
	if err != nil {
		return tool.Result{}, err
	}
	return f.ts.CallAs(ctx, ref.id, tool.Call{Args: args}, work)
}

// jsonResult returns the result of work that has found value, unless that failed. The middleware sees it as JSON.
func jsonResult(value any, truncated bool, err error) (tool.Result, error) {
	if err != nil {
		return tool.Result{}, err
	}
	text, err := json.Marshal(value)
	return tool.Result{Parts: tool.Text(string(text)), Truncated: truncated}, err
}

// open returns the file system that holds an absolute path, and the path's name there. The file system is that of the
// root above the path. If no root is written as the path begins, it is that of the path's parent directory, which may be
// another name of a directory below a root. The meter of ctx learns of the root.
func (f *Files) open(ctx context.Context, path string) (fs.FS, string, error) {
	slashed := filepath.ToSlash(path)
	for _, root := range f.ts.Roots() {
		dir := strings.TrimSuffix(filepath.ToSlash(root), "/")
		rel, below := strings.CutPrefix(slashed, dir+"/")
		if slashed == dir || rel == "" {
			rel, below = ".", true
		}
		if below {
			meter.From(ctx).SetRoot(&root)
			fsys, err := f.ts.FS(root)
			return fsys, rel, err
		}
	}
	fsys, err := f.ts.FS(filepath.Dir(path))
	return fsys, filepath.Base(path), err
}

// Fingerprint returns a text that changes when the resource does: it holds the mode, the size and the modification time of
// the file, and is empty if there is none. The error says that the resource may not be seen, or could not be in time.
func (f *Files) Fingerprint(ctx context.Context, uri string) (string, error) {
	path, err := Path(uri)
	if err != nil {
		return "", err
	}
	ref := f.reader
	if ref == nil {
		ref = f.lister
	}
	found := make(chan string, 1)
	_, err = f.callAs(ctx, ref, path, func(ctx context.Context, _ tool.Call) (tool.Result, error) {
		text, err := f.Refresh(ctx, uri)
		select {
		case found <- text: // Middleware may change the answer, and make the call more than once.
		default:
		}
		return tool.Result{Parts: tool.Text(text)}, err
	})
	if err != nil {
		return "", err
	}
	select {
	case text := <-found:
		return text, nil
	default: // Middleware has answered.
		return "", nil
	}
}

// Refresh is [Files.Fingerprint] for a resource whose fingerprint was given before: it makes no call of a tool, so that none is
// recorded or has to be approved again. It must be called within [gander.Toolset.Do].
func (f *Files) Refresh(ctx context.Context, uri string) (string, error) {
	path, err := Path(uri)
	if err != nil {
		return "", err
	}
	fsys, name, err := f.open(ctx, path)
	if err != nil {
		return "", fail(uri, err)
	}
	info, err := fs.Stat(fsys, name)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", fail(uri, err)
	}
	return fmt.Sprint(info.Mode(), info.Size(), info.ModTime().UnixNano()), nil
}

// fail returns err as an error about a resource.
func fail(uri string, err error) error {
	var known *tool.Error
	if errors.As(err, &known) {
		return err
	}
	kind, text := tool.Failed, err.Error()
	var at *fs.PathError
	if errors.As(err, &at) {
		text = at.Err.Error()
	}
	switch {
	case errors.Is(err, tool.ErrOutside):
		kind = tool.Outside
	case errors.Is(err, fs.ErrNotExist):
		kind = tool.NotFound
	case errors.Is(err, fs.ErrPermission):
		kind = tool.Denied
	}
	return &tool.Error{Kind: kind, Message: uri + ": " + text, Err: err}
}
