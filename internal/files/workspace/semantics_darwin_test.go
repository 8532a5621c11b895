package workspace

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"gander/internal/testkit/fixture"
)

// TestDarwin tries each spelling that macOS would resolve to a denied or outside file.
func TestDarwin(t *testing.T) {
	top := t.TempDir() // below /var, a symlink to /private/var
	fixture.Write(t, top, map[string]string{
		"w/f": "", "w/secret.pem": "", "w/d/.ssh/id": "", "w/caf\u00e9": "", "out/f": "",
	})
	if _, err := os.Stat(top + "/W/F"); err != nil {
		t.Skip("the file system is case-sensitive: ", err)
	}
	real := Must(filepath.EvalSymlinks(top))
	o := Options{Deny: []string{"**/*.pem", "**/.ssh/**"}}
	w := mustOpen(t, openNative, o, top+"/w")
	byNumber := func(name string) string {
		var st syscall.Stat_t
		if err := syscall.Stat(filepath.Join(top, name), &st); err != nil {
			t.Fatal(err)
		}
		return fmt.Sprintf("/.vol/%d/%d", st.Dev, st.Ino)
	}
	checkFiles(t, w, map[error][]string{
		nil: {"f", "F", "cafe\u0301", top + "/w/f", real + "/w/f", top + "/W/F"},
		ErrDenied: {
			"secret.pem", "Secret.PEM", "d/.SSH/id", "d/.\u017fsh/id", "secret.pem/..namedfork/data",
		},
		ErrNotDirectory: {"f/..namedfork/rsrc", "f/..namedfork/data"},
		fs.ErrNotExist:  {"d/.\u00dfh/id", "d/.s\u200csh/id", "..namedfork/rsrc"},
		ErrOutside: {
			top + "/out/f", real + "/out/none", byNumber("out/f"), byNumber("w/f"),
			"/.nofollow" + real + "/out/f",
		},
	})
}
