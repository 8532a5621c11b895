package workspace

import (
	"runtime"
	"strings"
	"testing"
)

// TestDenyMatch checks the paths that patterns match, on every system.
func TestDenyMatch(t *testing.T) {
	unix, mac := &root{real: "/srv/w", aliases: []string{"/link/w"}}, &root{
		real: "/private/tmp/w", aliases: []string{"/tmp/w"},
	}
	home, drive := &root{real: "/home/me/w"}, &root{real: "C:/proj", aliases: nil}
	share := &root{real: "//srv/share"}
	junction := &root{real: "C:/real/w", aliases: []string{"D:/proj"}}
	for _, tt := range []struct {
		semantics    pathSemantics
		root         *root
		pattern      string
		denied, free string // paths relative to the root
	}{
		{exactSemantics, unix, "secret", "secret a/secret a/SECRET", "secrets"},
		{exactSemantics, unix, "a/b", "a/b A/B", "b x/a/b"},
		{exactSemantics, unix, "./a", "a", "x/a"},
		{exactSemantics, unix, "a//b/", "a/b", "x/a/b"},
		{exactSemantics, unix, "/secret", "secret", "a/secret"},
		{exactSemantics, unix, "//secret", "secret", "a/secret"},
		{exactSemantics, unix, "/srv/w/secret", "secret", "a/secret"},
		{exactSemantics, unix, "/srv/w/a/**", "a a/b", "b"},
		{exactSemantics, unix, "/link/w/a", "a", "b/a"},
		{exactSemantics, unix, "/home/me/private/**", "", "private a home"},
		{exactSemantics, unix, "/*/w/a", "a", "b/a"},
		{exactSemantics, unix, "**/a/b", "a/b x/a/b", "b a"},
		{exactSemantics, unix, "{/a,b/c}", "a b/c", "x/a c"},
		{exactSemantics, unix, "[!a]x", "bx BX Ax c/bx", "ax"},
		{exactSemantics, unix, "**/[!a-z]1", "A1", "a1 b1"},
		{exactSemantics, unix, "**/[b]2", "b2 B2", "a2"},
		{exactSemantics, unix, `a\*`, "a*", "ab"},
		{exactSemantics, home, "~/w/key", "key", "a/key w/key"},
		{exactSemantics, home, "~/other", "", "other"},
		{exactSemantics, home, "~x", "~x a/~x", "x"},
		{darwinSemantics, mac, "/tmp/w/secret", "secret", "a/secret"},
		{darwinSemantics, mac, "/private/tmp/w/secret", "secret", "a/secret"},
		{darwinSemantics, mac, "caf\u00e9", "cafe\u0301 caf\u00e9", "cafe"},
		{windowsSemantics, drive, `sec\**`, "sec sec/a", "a/sec"},
		{windowsSemantics, drive, `**\*.pem`, "a.pem x/a.PEM", "a.pe"},
		{windowsSemantics, drive, "/sec", "sec", "a/sec"},
		{windowsSemantics, drive, `\sec`, "sec", "a/sec"},
		{windowsSemantics, drive, "/proj/sec", "sec proj/sec", "a/sec"},
		{windowsSemantics, junction, "/proj/sec", "sec proj/sec", "a/sec"},
		{windowsSemantics, junction, "/real/w/sec", "sec real/w/sec", "a/sec"},
		{windowsSemantics, drive, "C:/proj/sec/**", "sec sec/x", "a/sec"},
		{windowsSemantics, drive, `c:\PROJ\sec`, "sec SEC", "a/sec"},
		{windowsSemantics, drive, "D:/proj/sec", "", "sec"},
		{windowsSemantics, drive, "//?/C:/proj/sec", "sec", "a/sec"},
		{windowsSemantics, drive, `\\?\C:\proj\sec`, "sec", "a/sec"},
		{windowsSemantics, drive, `a\b\c.txt`, "a/b/c.txt", "c.txt"},
		{windowsSemantics, drive, `a\[x\].txt`, "a[x].txt", "a/x.txt"},
		{windowsSemantics, share, "private/**", "private private/key", "key"},
		{windowsSemantics, share, "key", "key private/key", ""},
		{windowsSemantics, share, "//srv/share/private/**", "private/key", "key"},
		{windowsSemantics, share, "//SRV/share/private/key", "private/key", "key"},
		{windowsSemantics, share, `\\srv\share\p*\key`, "private/key", "key"},
		{windowsSemantics, share, "//?/UNC/srv/share/private", "private", "key"},
		{windowsSemantics, share, "//srv/other/private", "", "private"},
		{windowsSemantics, share, "share/private/key", "", "private/key"},
		{windowsSemantics, share, "/srv/share/private", "", "private"},
		{windowsSemantics, share, "/private", "private", "a/private"},
		{windowsSemantics, share, "other/**", "", "private key"},
		{windowsSemantics, share, "team/private", "team/private team/private/key", "private"},
	} {
		if runtime.GOOS == "windows" && tt.semantics != windowsSemantics {
			continue // Windows resolves the links of such a path to a path with backslashes.
		}
		w := &Workspace{semantics: tt.semantics, roots: []*root{tt.root}}
		var err error
		if w.deny, err = newDenyList(
			tt.semantics, Options{Deny: []string{tt.pattern}}, "/home/me", w.roots,
		); err != nil {
			t.Errorf("semantics %d: %v", tt.semantics, err)
			continue
		}
		for i, paths := range []string{tt.denied, tt.free} {
			for p := range strings.FieldsSeq(paths) {
				denied := false
				for _, dir := range tt.root.spellings() {
					denied = denied || w.deniedAbove(joinPath(dir, p)) != ""
				}
				if denied != (i == 0) {
					t.Errorf("semantics %d: %s denies %s: %v", tt.semantics, tt.pattern, p, denied)
				}
			}
		}
	}
}

// TestDenyInvalid checks the errors for patterns that match no path.
func TestDenyInvalid(t *testing.T) {
	for pattern, want := range map[string]string{
		"../x":    `no path has a component ".."`,
		"/a/../b": `no path has a component ".."`,
		"!x":      `"!" does not negate; write "\!" for a name that begins with it`,
		"[a": `every "[" needs a character and a "]", every "{" a "}", and ` +
			`every "\" a character after it`,
		"**/{a": `every "[" needs a character and a "]", every "{" a "}", and ` +
			`every "\" a character after it`,
		"":         "it is empty",
		"/":        `it matches everything; write a directory below "/"`,
		`a\b`:      `a backslash quotes the character after it; separate directories with "/"`,
		"C:/x":     "it is absolute, and only relative paths are matched",
		"w:C:sec":  "it is relative to the current directory of a drive",
		"w:C:":     "it is relative to the current directory of a drive",
		"w://./x":  `no path has a component "."`,
		`w:..\x`:   `no path has a component ".."`,
		"{a,../x}": `no path has a component ".."`,
	} {
		s := exactSemantics
		pattern, windows := strings.CutPrefix(pattern, "w:")
		if windows {
			s = windowsSemantics
		}
		_, err := newDenyList(s, Options{Deny: []string{pattern}}, "/home/me", nil)
		if err == nil || !strings.HasSuffix(err.Error(), ": "+want) {
			t.Errorf("%q: got %v, want %s", pattern, err, want)
		}
	}
}
