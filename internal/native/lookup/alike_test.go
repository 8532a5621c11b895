package lookup

import (
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"golang.org/x/text/unicode/norm"

	"gander/internal/testkit/tooltest"
)

// respell returns a name as someone else could write it: composed or not, in other letters, and
// with other spaces and quotation marks.
func respell(r *rand.Rand, name string) string {
	if r.IntN(2) == 0 {
		name = norm.NFD.String(name)
	} else {
		name = norm.NFC.String(name)
	}
	if r.IntN(3) == 0 {
		name = strings.ToUpper(name)
	}
	pick := func(all ...string) string { return all[r.IntN(len(all))] }
	var b strings.Builder
	for _, c := range name {
		switch c {
		case ' ', '\u00a0', '\u202f':
			b.WriteString(pick(" ", "\u00a0", "\u202f"))
		case '\'', '’', '‘':
			b.WriteString(pick("'", "’", "‘"))
		case '"', '“', '”':
			b.WriteString(pick("“", "”"))
		default:
			b.WriteRune(c)
		}
	}
	return b.String()
}

// TestAlike finds files by names that only one file can mean, in any spelling. A name that two
// files can mean finds neither, and a denied file is found by none.
func TestAlike(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the system itself finds names in other case")
	}
	root := t.TempDir()
	names := []string{
		"Résumé d’été.txt", "Shot at 1.01.11\u202fAM.png", "naïve “quoted” façade.md", "Ordner/Größe.txt",
		"sub dir\u00a0x/crème brûlée.go",
	}
	tooltest.Write(t, root, append(names, "twice", "TWICE", "clé secrète.pem", "Čas/a")...)
	w := tooltest.Workspace(t, []string{"clé*"}, root)
	r := rand.New(rand.NewPCG(5, 6))
	for range 300 {
		name := names[r.IntN(len(names))]
		spelled := respell(r, name)
		found, err := newPaths(t, w).Find(t.Context(), spelled)
		if err != nil || found.Location.Path() != name {
			t.Fatalf("%q: %q, %v", spelled, found.Location.Path(), err)
		}
		if isSame := spelled == name; isSame != (found.AlikeClause() == "") {
			t.Errorf("%q: the clause is %q", spelled, found.AlikeClause())
		}
		secret := respell(r, "clé secrète.pem")
		if found, err := newPaths(t, w).Find(t.Context(), secret); err == nil {
			if f, err := found.Location.File(); err == nil {
				f.Close()
				t.Errorf("%q: a denied file is opened", secret)
			}
		}
	}
	for _, given := range []string{"Twice", "none"} {
		if found, err := newPaths(t, w).Find(t.Context(), given); err == nil {
			t.Errorf("%s: found %s", given, found.Location.Path())
		}
	}
}
