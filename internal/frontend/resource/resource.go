// Package resource knows the files of a workspace as resources: their URIs, what they hold, what is in a directory, and
// how a path that is begun can go on. It knows no protocol; what may be reached, the toolset decides.
//
// A resource is got under the rules of a tool: a file under those of the tool that reads files, a directory under those
// of a tool that lists. Where the toolset has no such tool, or the policy does not allow it, there is no such resource
// either; its limits, its middleware and its record are the resource's as well.
package resource

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
	"time"

	"gander"
	"gander/internal/engine/fsys"
	"gander/internal/meter"
	"gander/tool"
)

// Directory is the MIME type of a directory.
const Directory = "inode/directory"

// Files are the resources of a toolset. They are safe for concurrent use.
type Files struct {
	ts             *gander.Toolset
	reader, lister *standard // nil where the toolset has none
	key            [32]byte  // of cursors
	now            func() time.Time
}

// A standard is a tool whose rules hold for a resource, and the argument that names its path.
type standard struct{ id, argument string }

// New returns the resources of a toolset.
func New(ts *gander.Toolset) *Files {
	f := &Files{ts: ts, now: time.Now}
	rand.Read(f.key[:])
	f.reader = f.first(tool.FileResource)
	f.lister = f.first(tool.DirectoryResource)
	return f
}

// In returns the resources of a narrower toolset. Cursors are good for both.
func (f *Files) In(ts *gander.Toolset) *Files {
	narrow := *f
	narrow.ts = ts
	return &narrow
}

// Reads and Lists report whether there are files, and directories, at all.
func (f *Files) Reads() bool { return f.reader != nil }

// Lists reports whether there are directories at all.
func (f *Files) Lists() bool { return f.lister != nil }

// first returns the first tool under whose rules resources of a type are read, nil if there is none.
func (f *Files) first(t tool.ResourceType) *standard {
	for _, d := range f.ts.Definitions() {
		if d.Resource == t {
			return &standard{d.ID, d.PathArgument}
		}
	}
	return nil
}

// as does work about path under the rules of s.
func (f *Files) as(ctx context.Context, s *standard, path string, work tool.Handler) (string, error) {
	if s == nil {
		return "", &tool.Error{Kind: tool.Denied, Message: "none of the tools that are offered gives this; have gander offer one that does"}
	}
	args, err := json.Marshal(map[string]string{s.argument: path})
	if err != nil {
		return "", err
	}
	result, err := f.ts.CallAs(ctx, s.id, tool.Call{Args: args}, work)
	return result.Text(), err
}

// open returns the file system of the root that an absolute path lies in, or of the directory that holds it where it is
// written otherwise than the roots are, and the path's name there. The meter of ctx learns of the root.
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

// fail returns err as an error about a resource.
func fail(uri string, err error) error {
	var told *tool.Error
	if errors.As(err, &told) {
		return err
	}
	kind, words := fsys.Failure(err)
	return &tool.Error{Kind: kind, Message: uri + ": " + words, Err: err}
}
