//go:build unix

package workspace

import (
	"errors"
	"io/fs"
	"slices"
	"testing"

	"gander/internal/testkit/fixture"
	"gander/internal/testkit/unprivileged"
)

// TestPermissions checks access to directories that can be only listed or only searched.
func TestPermissions(t *testing.T) {
	bound := unprivileged.NewRunner(t)
	for _, backend := range testBackends() {
		t.Run(backend.name, func(t *testing.T) {
			bound.Run(t, func() {
				root := fixture.Make(t,
					"shut/f", "shut/ 0000", "listed/f", "listed/d/", "listed/l => f", "listed/ 0444", "searched/f",
					"searched/d/g", "searched/ 0111",
					"file 0000", "toshut => shut/f", "tolisted => listed", "tosearched => searched/d/../f",
					"d/h 0200", "d/",
				)
				listed, searched := "0:listed", `
					searched/f = searched/f, searched/d = 0:searched/d, searched/d/g = searched/d/g,
					searched/../d = 0:d, tosearched = searched/f @, searched/none = !missing
				`
				if backend.name == "root" { // an os.Root needs both permissions
					listed, searched = "!forbidden", `searched/f = !forbidden, searched/../d = !forbidden`
				}
				w := mustOpen(t, backend.backend, Options{}, root)
				checkLooks(t, w, root, `
					shut = !isdir|!forbidden dir, shut/ = !forbidden, shut/f = !forbidden,
					shut/none = !forbidden, toshut = !forbidden @,
					listed/ = !forbidden|`+listed+` !forbidden, listed/f = !forbidden,
					listed/d = !forbidden, tolisted = !isdir|`+listed+` dir @,
					file = !forbidden|!notdir file, d/h = !forbidden|!notdir file,
					searched = !isdir|!forbidden dir
				`)
				checkLooks(t, w, root, searched)
				d := mustFind(t, w, "")
				for _, name := range []string{"shut", "searched"} {
					if sub, err := d.Open(name); !errors.Is(err, fs.ErrPermission) {
						t.Errorf("opening %s: %v, %v", name, sub, err)
					}
				}
				if backend.name == "root" {
					return
				}
				checkListed(t, mustFind(t, w, "listed"))
				sub := Must(d.Open("listed"))
				defer sub.Close()
				checkListed(t, sub)
			})
		})
	}
}

// checkListed checks a directory that may be read but not searched.
func checkListed(t *testing.T, d *Dir) {
	t.Helper()
	for range 2 {
		names, err := namesOf(d)
		if want := []string{"d/", "f", "l@"}; err != nil || !slices.Equal(names, want) {
			t.Errorf("got %q, %v; want %q", names, err, want)
		}
		_, err1 := d.Open("d")
		_, err2 := d.File("f", Regular)
		_, err3 := d.Lstat("l")
		_, err4 := d.Lstat(".")
		_, err5 := d.Stat(t.Context(), "l")
		for i, err := range []error{err1, err2, err3, err4, err5} {
			if !errors.Is(err, fs.ErrPermission) || errors.Is(err, ErrDenied) {
				t.Errorf("use %d: %v", i+1, err)
			}
		}
		d.Release()
	}
}
