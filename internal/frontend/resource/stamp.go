package resource

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"gander/tool"
)

// Admit reports with an error that nobody may be told of changes of a resource: it is none of the workspace, or the
// policy does not allow it. It need not exist.
func (f *Files) Admit(ctx context.Context, uri string) error {
	path, err := Path(uri)
	if err != nil {
		return err
	}
	s := f.reader
	if s == nil {
		s = f.lister
	}
	_, err = f.as(ctx, s, path, func(ctx context.Context, _ tool.Call) (tool.Result, error) {
		if _, err := f.stat(ctx, path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return tool.Result{}, fail(uri, err)
		}
		return tool.Result{}, nil
	})
	return err
}

func (f *Files) stat(ctx context.Context, path string) (fs.FileInfo, error) {
	fsys, name, err := f.open(ctx, path)
	if err != nil {
		return nil, err
	}
	return fs.Stat(fsys, name)
}

// Stamp returns what tells one state of a resource from another: what it is, its size and its time, or that it is not
// there.
func (f *Files) Stamp(uri string) string {
	path, err := Path(uri)
	if err != nil {
		return ""
	}
	info, err := f.stat(context.Background(), path)
	if err != nil {
		return ""
	}
	return fmt.Sprint(info.Mode(), info.Size(), info.ModTime().UnixNano())
}
