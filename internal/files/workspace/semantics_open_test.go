//go:build darwin || windows

package workspace

import (
	"errors"
	"testing"
)

// checkFiles checks the results of opening files, by the expected error.
func checkFiles(t *testing.T, w *Workspace, results map[error][]string) {
	t.Helper()
	for want, paths := range results {
		for _, path := range paths {
			if _, err := lookFile(w, path); !errors.Is(err, want) {
				t.Errorf("%s: got %v, want %v", path, err, want)
			}
		}
	}
}
