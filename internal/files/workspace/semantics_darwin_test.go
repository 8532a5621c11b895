package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// TestDarwin tries each spelling that macOS would resolve to a denied file or to something outside.
func TestDarwin(t *testing.T) {
	top := t.TempDir() // below /var, which is a link to /private/var
	for name, content := range map[string]string{
		"w/f": "f", "w/secret.pem": "s", "w/d/.ssh/id": "s", "w/caf\u00e9": "c", "out/f": "o",
	} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(top, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(top, name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := os.Stat(top + "/W/F"); err != nil {
		t.Skip("the file system heeds case: ", err)
	}
	real := Must(filepath.EvalSymlinks(top))
	w := Must(Open(Options{Deny: []string{"**/*.pem", "**/.ssh/**"}}, top+"/w"))
	defer w.Close()
	byNumber := func(name string) string {
		var st syscall.Stat_t
		if err := syscall.Stat(filepath.Join(top, name), &st); err != nil {
			t.Fatal(err)
		}
		return fmt.Sprintf("/.vol/%d/%d", st.Dev, st.Ino)
	}
	for _, tt := range []struct {
		path string
		want error // nil: the file is read
	}{
		{"f", nil},
		{"F", nil},
		{"cafe\u0301", nil},
		{top + "/w/f", nil},
		{real + "/w/f", nil},
		{top + "/W/F", nil},
		{"secret.pem", ErrDenied},
		{"Secret.PEM", ErrDenied},
		{"d/.SSH/id", ErrDenied},
		{"d/.\u017fsh/id", ErrDenied},
		{"d/.\u00dfh/id", fs.ErrNotExist},
		{"d/.s\u200csh/id", fs.ErrNotExist},
		{"f/..namedfork/rsrc", ErrNotDirectory},
		{"f/..namedfork/data", ErrNotDirectory},
		{"..namedfork/rsrc", fs.ErrNotExist},
		{"secret.pem/..namedfork/data", ErrDenied},
		{top + "/out/f", ErrOutside},
		{real + "/out/none", ErrOutside},
		{byNumber("out/f"), ErrOutside},
		{byNumber("w/f"), ErrOutside},
		{"/.nofollow" + real + "/out/f", ErrOutside},
	} {
		p, err := w.Find(tt.path)
		var f *File
		if err == nil {
			f, err = p.File()
		}
		if f != nil {
			_ = f.Close()
		}
		if !errors.Is(err, tt.want) || tt.want == nil && err != nil {
			t.Errorf("%s: got %v, want %v", tt.path, err, tt.want)
		}
	}
}
