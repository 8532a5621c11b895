package workspace

import (
	"runtime"
	"testing"

	"golang.org/x/text/unicode/norm"

	"gander/internal/testkit/fixture"
)

// TestDenyAlike checks that no spelling of a name escapes a pattern in another one: with accents
// composed or not, other spaces or quotation marks. Patterns with classes and links above the root
// are matched as they are written, too.
func TestDenyAlike(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("symlinks in patterns of Windows are not resolved")
	}
	forms := []func(string) string{norm.NFC.String, norm.NFD.String}
	for _, name := range []string{"été d’hiver\u202fx", "été d'hiver x", "été d‘hiver\u00a0x"} {
		for _, stored := range forms {
			for _, written := range forms {
				top := fixture.Make(t, "r/"+stored(name)+"/f", "r/g")
				w := mustOpen(t, openNative, Options{Deny: []string{written("été d’hiver x")}}, top+"/r")
				if got := readAt(w, stored(name)+"/f"); got != "!denied" {
					t.Errorf("%q: read %s", stored(name), got)
				}
			}
		}
	}
	top := fixture.Make(t, "r/"+norm.NFD.String("é")+".txt", "d’a\u00a0b => r", "r/secret")
	for name, patterns := range map[string][]string{
		norm.NFD.String("é") + ".txt": {"e?.txt", "[!z]?.txt", "é.txt"},
		"secret":                      {top + "/d’a\u00a0b/secret", top + "/d’a\u00a0b/[!x]ecret"},
	} {
		for _, pattern := range patterns {
			w := mustOpen(t, openNative, Options{Deny: []string{pattern}}, top+"/r")
			if got := readAt(w, name); got != "!denied" {
				t.Errorf("%q: read %s", pattern, got)
			}
		}
	}
}
