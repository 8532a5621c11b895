//go:build darwin || windows

package workspace

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// writeFiles writes files below top.
func writeFiles(t *testing.T, top string, files ...string) {
	t.Helper()
	for _, file := range files {
		path := filepath.Join(top, file)
		err := os.MkdirAll(filepath.Dir(path), 0o755)
		if err := errors.Join(err, os.WriteFile(path, []byte(file), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
}

// checkFiles checks the results of opening files, by the expected error.
func checkFiles(t *testing.T, w *Workspace, results map[error][]string) {
	t.Helper()
	for want, paths := range results {
		for _, path := range paths {
			p, err := w.Find(path)
			if err == nil {
				var f *File
				if f, err = p.File(); err == nil {
					err = f.Close()
				}
			}
			if !errors.Is(err, want) {
				t.Errorf("%s: got %v, want %v", path, err, want)
			}
		}
	}
}
