package workspace

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestSemanticsAsFilepath compares windowsSemantics with package filepath. Its absolute paths must
// not be relative here, and its device names must be invalid.
func TestSemanticsAsFilepath(t *testing.T) {
	for _, p := range []string{
		"a", `a\b`, "/a", `\a`, `C:\a`, "C:/a", "C:", "C:a", `\\srv\share`, `\\srv\share\a`, `\\?\C:\a`,
		`\\.\NUL`, `\??\C:\a`, `\a\..\??\C:\a`, "//?/GLOBALROOT", "",
	} {
		got := windowsSemantics.kindOfPath(windowsSemantics.slashed(p))
		if filepath.IsAbs(p) && got == relativePath || got == absolutePath && !filepath.IsAbs(p) {
			t.Errorf("%q starts from %d; absolute: %v", p, got, filepath.IsAbs(p))
		}
		if p != "" && filepath.IsLocal(p) != (got == relativePath) {
			t.Errorf("%q starts from %d; local: %v", p, got, filepath.IsLocal(p))
		}
	}
	for _, name := range []string{
		"a", "CON", "NUL", "nul.txt", "COM1", "COM1 ", "COM\u00b9", "LPT\u00b2", "CONIN$", "conout$",
		"AUX.", "NUL .x", "a:b", "f::$DATA", "aux-1", "COM10", "comma",
	} {
		if !filepath.IsLocal(name) && windowsSemantics.classify(name, false) != invalidName {
			t.Errorf("%q is not local, and stands as a name", name)
		}
	}
}

// folder makes a directory for the test and tries to remove it afterwards, which fails under Wine.
func folder(t *testing.T) string {
	t.Helper()
	dir := Must(os.MkdirTemp("", "gander"))
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}

// TestWindows tries each spelling that Windows would resolve to a denied file or to something
// outside.
func TestWindows(t *testing.T) {
	top := folder(t)
	for _, dir := range []string{`w\d`, `w\Long Name Directory`, "out", "w_evil"} {
		if err := os.MkdirAll(filepath.Join(top, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, file := range []string{
		`w\f`, `w\d\f`, `w\secret.pem`, `w\Long Name Directory\f`, `out\f`, `w_evil\f`,
	} {
		if err := os.WriteFile(filepath.Join(top, file), []byte(file), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	root := filepath.Join(top, "w")
	w := Must(Open(Options{Deny: []string{"**/*.pem"}}, root))
	defer w.Close()
	drive := filepath.VolumeName(root)
	for _, tt := range []struct {
		path string
		want error // nil: the file is read
	}{
		{"f", nil},
		{"F", nil},
		{`d\f`, nil},
		{"d/../f", nil},
		{root + `\f`, nil},
		{strings.ToUpper(root) + "/D/F", nil},
		{`Long Name Directory\f`, nil},
		{"secret.pem", ErrDenied},
		{"SECRET.PEM", ErrDenied},
		{`d\..\Secret.Pem`, ErrDenied},
		{"secret.pem.", fs.ErrNotExist},
		{"secret.pem ", fs.ErrNotExist},
		{"secret.pem::$DATA", fs.ErrNotExist},
		{"SECRET~1.PEM", fs.ErrNotExist},
		{`LONGNA~1\f`, fs.ErrNotExist},
		{`d\f:stream`, fs.ErrNotExist},
		{"f:stream", ErrOutside}, // of drive f
		{"NUL", fs.ErrNotExist},
		{"d/con.txt", fs.ErrNotExist},
		{`..\out\f`, ErrOutside},
		{`..\w_evil\f`, ErrOutside},
		{filepath.Join(top, `w_evil\f`), ErrOutside},
		{filepath.Join(top, `out\f`), ErrOutside},
		{filepath.Join(top, `out\none`), ErrOutside},
		{`\\?\` + root + `\f`, ErrOutside},
		{`\\.\` + root + `\f`, ErrOutside},
		{`\\.\PhysicalDrive0`, ErrOutside},
		{`\\localhost\C$\f`, ErrOutside},
		{`\??\` + root + `\f`, ErrOutside},
		{strings.TrimPrefix(root, drive) + `\f`, ErrOutside},
		{drive + "f", ErrOutside},
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

// TestWindowsJunctions checks that junctions are handled as symlinks.
func TestWindowsJunctions(t *testing.T) {
	top := folder(t)
	for _, file := range []string{`w\d\f`, `out\f`} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(top, file)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(top, file), []byte(file), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for name, target := range map[string]string{"inward": `w\d`, "outward": "out"} {
		path := filepath.Join(top, "w", name)
		out, err := exec.Command(
			"cmd", "/c", "mklink", "/J", path, filepath.Join(top, target),
		).CombinedOutput()
		if _, missing := os.Lstat(path); err != nil || missing != nil {
			t.Skipf("no junctions can be made here: %v: %s", err, out)
		}
	}
	w := Must(Open(Options{}, filepath.Join(top, "w")))
	defer w.Close()
	for path, want := range map[string]error{
		"inward": nil, "outward": ErrOutside, "outward/none": ErrOutside, `outward\.`: ErrOutside,
	} {
		p := Must(w.Find(path))
		d, err := p.Dir()
		if err == nil {
			err = d.Names(context.Background(), func(name []byte, _ EntryKind) bool {
				if string(name) != "f" {
					t.Errorf("%s holds %s", path, name)
				}
				return true
			})
			_ = d.Close()
		}
		if !errors.Is(err, want) || want == nil && err != nil {
			t.Errorf("%s: got %v, want %v", path, err, want)
		}
	}
}
