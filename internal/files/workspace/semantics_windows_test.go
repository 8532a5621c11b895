package workspace

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"gander/internal/testkit/fixture"
)

// TestSemanticsAsFilepath compares windowsSemantics with package filepath. Its absolute paths must
// not be relative here, and its device names must be invalid.
func TestSemanticsAsFilepath(t *testing.T) {
	for _, p := range []string{
		"a", `a\b`, "/a", `\a`, `C:\a`, "C:/a", "C:", "C:a", `\\srv\share`, `\\srv\share\a`, `\\?\C:\a`,
		`\\.\NUL`, `\??\C:\a`, `\a\..\??\C:\a`, "//?/GLOBALROOT", "",
	} {
		relative := windowsSemantics.isRelative(windowsSemantics.slashed(p))
		if relative && filepath.IsAbs(p) || p != "" && relative != filepath.IsLocal(p) {
			t.Errorf("%q is relative: %v; absolute: %v, local: %v", p, relative, filepath.IsAbs(p),
				filepath.IsLocal(p))
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

// TestWindows tries each spelling that Windows would resolve to a denied or outside file.
func TestWindows(t *testing.T) {
	top := fixture.Make(
		t, "w/f", "w/d/f", "w/secret.pem", "w/Long Name Directory/f", "out/f", "w_evil/f",
	)
	root := filepath.Join(top, "w")
	w := mustOpen(t, openNative, Options{Deny: []string{"**/*.pem"}}, root)
	drive := filepath.VolumeName(root)
	checkFiles(t, w, map[error][]string{
		nil: {
			"f", "F", `d\f`, "d/../f", root + `\f`, strings.ToUpper(root) + "/D/F",
			`Long Name Directory\f`,
		},
		ErrDenied: {"secret.pem", "SECRET.PEM", `d\..\Secret.Pem`},
		fs.ErrNotExist: {
			"secret.pem.", "secret.pem ", "secret.pem::$DATA", "SECRET~1.PEM", `LONGNA~1\f`,
			`d\f:stream`, "NUL", "d/con.txt",
		},
		ErrOutside: {
			"f:stream", // on drive f
			`..\out\f`, `..\w_evil\f`, filepath.Join(top, `w_evil\f`), filepath.Join(top, `out\f`),
			filepath.Join(top, `out\none`), `\\?\` + root + `\f`, `\\.\` + root + `\f`,
			`\\.\PhysicalDrive0`, `\\localhost\C$\f`, `\??\` + root + `\f`,
			strings.TrimPrefix(root, drive) + `\f`, drive + "f",
		},
	})
}

// TestWindowsJunctions checks that junctions are handled as symlinks.
func TestWindowsJunctions(t *testing.T) {
	top := fixture.Make(t, "w/d/f", "out/f")
	for name, target := range map[string]string{"inward": `w\d`, "outward": "out"} {
		path := filepath.Join(top, "w", name)
		out, err := exec.Command(
			"cmd", "/c", "mklink", "/J", path, filepath.Join(top, target),
		).CombinedOutput()
		if _, missing := os.Lstat(path); err != nil || missing != nil {
			t.Skipf("no junctions can be made here: %v: %s", err, out)
		}
	}
	checkFiles(t, mustOpen(t, openNative, Options{}, filepath.Join(top, "w")), map[error][]string{
		nil:        {`inward\f`},
		ErrOutside: {"outward", `outward\f`, "outward/none", `outward\.`},
	})
}
