//go:build unix

package workspace

import (
	"errors"
	"os"
	"path"
	"strings"
	"testing"

	"gander/internal/testkit/fixture"
)

// TestMoved checks that nothing more is read from a directory which is held open, or was made a root, once it or a directory
// above it is moved, and that everything is as before once it is back.
func TestMoved(t *testing.T) {
	for name, tt := range map[string]struct {
		from, to, instead string // instead is made where the directory was
	}{
		"outside":                               {from: "w/a/b", to: "out/b"},
		"a directory above it, outside":         {from: "w/a", to: "out/a"},
		"below a denied directory":              {from: "w/a/b", to: "w/.ssh/b"},
		"under a denied name":                   {from: "w/a", to: "w/x.pem"},
		"elsewhere":                             {from: "w/a/b", to: "w/b"},
		"outside, with a link in its place":     {from: "w/a/b", to: "out/b", instead: "w/a/b => ../../out/b"},
		"denied, with a link in its place":      {from: "w/a", to: "w/.ssh/a", instead: "w/a => .ssh/a"},
		"outside, with another in its place":    {from: "w/a/b", to: "out/b", instead: "w/a/b/f"},
		"above outside, with a file instead":    {from: "w/a", to: "out/a", instead: "w/a"},
		"above outside, with another instead":   {from: "w/a", to: "out/a", instead: "w/a/b/f"},
		"above denied, with another link there": {from: "w/a", to: "w/.ssh/b", instead: "w/a => .ssh/b"},
	} {
		t.Run(name, func(t *testing.T) {
			onEach(t, func(t *testing.T, b backend) {
				root := fixture.Make(t, "w/a/b/f", "w/a/b/sub/g", "w/.ssh/", "out/")
				w := mustOpen(t, b, Options{Deny: []string{"**/.ssh/**", "**/*.pem"}}, root+"/w")
				w.recheck = 0
				d := mustFind(t, w, "a/b")
				sub, err := d.Open("sub")
				if err != nil {
					t.Fatal(err)
				}
				defer sub.Close()
				narrow, err := w.Narrow(root+"/w/a/b", root+"/w/a/b/sub")
				if err != nil {
					t.Fatal(err)
				}
				defer narrow.Close()
				inNarrow := mustFind(t, narrow, "sub")
				looks := func() map[string]error {
					said := map[string]error{}
					_, said["narrowed"] = lookFile(narrow, "f")
					_, said["narrowed, absolute"] = lookFile(narrow, root+"/w/a/b/sub/g")
					_, said["narrowed, up"] = lookFile(narrow, "sub/../f")
					_, said["narrowed, list"] = lookDir(narrow, "")
					_, said["narrowed, held"] = inNarrow.File("g", Unknown)
					_, said["file"] = d.File("f", Regular)
					_, said["open"] = d.Open("sub")
					_, said["lstat"] = d.Lstat("f")
					_, said["names"] = namesOf(d)
					_, said["file of a subdirectory"] = sub.File("g", Regular)
					_, said["names of a subdirectory"] = namesOf(sub)
					return said
				}
				for what, err := range looks() {
					if err != nil {
						t.Errorf("before, %s: %v", what, err)
					}
				}
				if err := os.Rename(root+"/"+tt.from, root+"/"+tt.to); err != nil {
					t.Fatal(err)
				}
				if tt.instead != "" {
					err := os.MkdirAll(path.Dir(root+"/"+tt.instead), 0o755)
					if at, target, isLink := strings.Cut(tt.instead, " => "); isLink {
						err = errors.Join(err, os.Symlink(target, root+"/"+at))
					} else {
						err = errors.Join(err, os.WriteFile(root+"/"+tt.instead, nil, 0o644))
					}
					if err != nil {
						t.Fatal(err)
					}
				}
				for what, err := range looks() {
					if word(err) != "!missing" {
						t.Errorf("after, %s: %v", what, err)
					}
				}
				if err := os.RemoveAll(root + "/" + tt.from); err != nil {
					t.Fatal(err)
				}
				if err := os.Rename(root+"/"+tt.to, root+"/"+tt.from); err != nil {
					t.Fatal(err)
				}
				for what, err := range looks() {
					if err != nil {
						t.Errorf("moved back, %s: %v", what, err)
					}
				}
			})
		})
	}
}

// TestMovedWhileListed checks that the names of a directory are not trusted if it was moved while they were read.
func TestMovedWhileListed(t *testing.T) {
	root := fixture.Make(t, "w/a/f", "w/a/g", "out/")
	onEach(t, func(t *testing.T, b backend) {
		w := mustOpen(t, b, Options{}, root+"/w")
		w.recheck = 0
		d := mustFind(t, w, "a")
		err := d.Names(t.Context(), func([]byte, EntryKind) bool {
			_ = os.Rename(root+"/w/a", root+"/out/a") // The second time there is nothing to move.
			return true
		})
		if word(err) != "!missing" {
			t.Errorf("got %v", err)
		}
		if err := os.Rename(root+"/out/a", root+"/w/a"); err != nil {
			t.Fatal(err)
		}
	})
}
