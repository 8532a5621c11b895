//go:build unix

package workspace

import (
	"errors"
	"os"
	"path"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"gander/internal/testkit/fixture"
)

// TestMoved checks that nothing is read from an open directory or a narrowed root after it or a
// directory above it was moved, and that it can be used again after it was moved back.
func TestMoved(t *testing.T) {
	for name, tt := range map[string]struct {
		from, to, instead string // instead is made where the directory was
	}{
		"outside":                       {from: "w/a/b", to: "out/b"},
		"a directory above it, outside": {from: "w/a", to: "out/a"},
		"below a denied directory":      {from: "w/a/b", to: "w/.ssh/b"},
		"under a denied name":           {from: "w/a", to: "w/x.pem"},
		"elsewhere":                     {from: "w/a/b", to: "w/b"},
		"outside, with a link in its place": {
			from: "w/a/b", to: "out/b", instead: "w/a/b => ../../out/b",
		},
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
				sub := Must(d.Open("sub"))
				defer sub.Close()
				narrow := Must(w.Narrow(root+"/w/a/b", root+"/w/a/b/sub"))
				defer narrow.Close()
				inNarrow := mustFind(t, narrow, "sub")
				looks := func() map[string]error {
					said := map[string]error{}
					_, said["narrowed"] = lookFile(narrow, "f")
					_, said["narrowed, absolute"] = lookFile(narrow, root+"/w/a/b/sub/g")
					_, said["narrowed, up"] = lookFile(narrow, "sub/../f")
					_, said["narrowed, list"] = lookDir(narrow, "")
					_, said["narrowed, held"] = inNarrow.File("g", Unknown)
					_, said["narrowed, ancestor"] = narrow.HasAncestorEntry(0, "f")
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

// TestMovedWhileWaiting moves a directory outside while a call waits for the system. The call must
// return nothing.
func TestMovedWhileWaiting(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // the collector would close leaked handles
	onEach(t, func(t *testing.T, b backend) {
		for _, tt := range []struct {
			during string // the call that waits
			use    func(w, narrowed *Workspace, d *Dir) error
		}{
			{"names", func(_, _ *Workspace, d *Dir) error {
				return d.Names(t.Context(), func(name []byte, _ EntryKind) bool {
					t.Errorf("%s is listed", name)
					return true
				})
			}},
			{"openFile", func(_, _ *Workspace, d *Dir) error { return ignoring(d.File("f", Regular)) }},
			{"lstat", func(_, _ *Workspace, d *Dir) error { return ignoring(d.Lstat("f")) }},
			{"openDir", func(_, _ *Workspace, d *Dir) error {
				sub, err := d.Open("sub")
				if err == nil {
					defer sub.Close()
					_, err = namesOf(sub)
				}
				return err
			}},
			{"openFile", func(w, _ *Workspace, _ *Dir) error { return ignoring(lookFile(w, "a/f")) }},
			{"lstat", func(w, _ *Workspace, _ *Dir) error { return ignoring(lookStat(w, "a/f")) }},
			{"lstat", func(w, _ *Workspace, _ *Dir) error { return ignoring(lookLstat(w, "a/f")) }},
			{"openDir", func(w, _ *Workspace, _ *Dir) error { return ignoring(lookDir(w, "a/sub")) }},
			{"openDir", func(w, _ *Workspace, _ *Dir) error {
				return closed(w.Narrow(w.Roots()[0] + "/a/sub"))
			}},
			{"openFile", func(_, n *Workspace, _ *Dir) error { return ignoring(lookFile(n, "f")) }},
			{"lstat", func(_, n *Workspace, _ *Dir) error { return ignoring(lookStat(n, "f")) }},
			{"openDir", func(_, n *Workspace, _ *Dir) error { return ignoring(lookDir(n, "sub")) }},
			{"lstat", func(_, n *Workspace, _ *Dir) error { return ignoring(n.HasAncestorEntry(0, "f")) }},
		} {
			root := fixture.Make(t, "w/a/f", "w/a/sub/g", "out/")
			before := Handles(t)
			waiting := ""
			w, err := open(native(), hookedBackend{b, func(call, _ string) error {
				if call != waiting {
					return nil
				}
				waiting = ""
				time.Sleep(recheckInterval + recheckInterval/2)
				return os.Rename(root+"/w/a", root+"/out/a")
			}}, Options{}, root+"/w")
			if err != nil {
				t.Fatal(err)
			}
			d := Must(find(w, "a"))
			n := Must(w.Narrow(root + "/w/a"))
			waiting = tt.during
			if err := tt.use(w, n, d); word(err) != "!missing" {
				t.Errorf("moved during %s: %v", tt.during, err)
			}
			_, _, _ = d.Close(), n.Close(), w.Close()
			if left := Handles(t) - before; left > 0 {
				t.Errorf("moved during %s: %d handles are left open", tt.during, left)
			}
		}
	})
}

func ignoring[T any](_ T, err error) error { return err }
