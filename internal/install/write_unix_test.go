//go:build unix

package install

import (
	"os"
	"path/filepath"
	"testing"

	"gander/internal/testkit/unprivileged"
)

// TestUnwritable: an error of writing names the file, not the temporary one that is to take its place.
func TestUnwritable(t *testing.T) {
	unprivileged.NewRunner(t).Run(t, func() {
		for name, want := range map[string]string{"old/f.json": "permission denied", "new/f.json": "permission denied"} {
			dir := t.TempDir()
			path := filepath.Join(dir, name)
			if err := os.Mkdir(filepath.Join(dir, "old"), 0o700); err != nil {
				t.Fatal(err)
			}
			writeFile(t, filepath.Join(dir, "old", "f.json"), "{}")
			c, err := Lookup("zed")
			if err != nil {
				t.Fatal(err)
			}
			change, err := c.Plan(path, "gander", Project, server())
			for _, shut := range []string{dir, filepath.Join(dir, "old")} {
				if err := os.Chmod(shut, 0o500); err != nil {
					t.Fatal(err)
				}
			}
			if err == nil {
				_, err = change.Write()
			}
			for _, open := range []string{dir, filepath.Join(dir, "old")} {
				if err := os.Chmod(open, 0o700); err != nil {
					t.Fatal(err)
				}
			}
			if err == nil || err.Error() != path+" cannot be written: "+want && err.Error() != "no backup can be made, so nothing is written: "+want {
				t.Errorf("%s: %v", name, err)
			}
		}
	})
}
