//go:build unix

package workspace

import (
	"context"
	"os"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"gander/internal/testkit/fixture"
)

// TestMoved checks that nothing is read from an open directory or a narrowed root after it or a
// directory above it was moved, and that it can be used again after it was moved back.
func TestMoved(t *testing.T) {
	for name, tt := range map[string]struct{ from, to, instead string }{
		"outside":                 {"w/a/b", "out/b", ""},
		"above, outside":          {"w/a", "out/a", ""},
		"below a denied name":     {"w/a/b", "w/.ssh/b", ""},
		"above, to a denied name": {"w/a", "w/x.pem", ""},
		"elsewhere":               {"w/a/b", "w/b", ""},
		"outside, with a link":    {"w/a/b", "out/b", "ln -s ../../out/b w/a/b"},
		"denied, with a link":     {"w/a", "w/.ssh/a", "ln -s .ssh/a w/a"},
		"outside, replaced":       {"w/a/b", "out/b", "mkdir w/a/b; touch w/a/b/f"},
		"above, with a file":      {"w/a", "out/a", "touch w/a"},
		"above, replaced":         {"w/a", "out/a", "mkdir -p w/a/b; touch w/a/b/f"},
		"above, denied by a link": {"w/a", "w/.ssh/b", "ln -s .ssh/b w/a"},
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
				check := func(when, want string) {
					results := map[string]error{}
					_, results["narrowed"] = lookFile(narrow, "f")
					_, results["narrowed, absolute"] = lookFile(narrow, root+"/w/a/b/sub/g")
					_, results["narrowed, up"] = lookFile(narrow, "sub/../f")
					_, results["narrowed, list"] = lookDir(narrow, "")
					results["narrowed, held"] = closed(inNarrow.File("g", Unknown))
					_, results["narrowed, ancestor"] = narrow.HasAncestorEntry(context.Background(), 0, "f")
					results["file"] = closed(d.File("f", Regular))
					results["open"] = closed(d.Open("sub"))
					_, results["lstat"] = d.Lstat("f")
					_, results["names"] = namesOf(d)
					results["file of a subdirectory"] = closed(sub.File("g", Regular))
					_, results["names of a subdirectory"] = namesOf(sub)
					for what, err := range results {
						if word(err) != want {
							t.Errorf("%s, %s: %v", when, what, err)
						}
					}
				}
				check("before", "!none")
				run(t, root, "mv "+tt.from+" "+tt.to+"; "+tt.instead)
				check("after", "!missing")
				run(t, root, "rm -rf "+tt.from+"; mv "+tt.to+" "+tt.from)
				check("moved back", "!none")
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
			{"openFile", func(_, _ *Workspace, d *Dir) error { return closed(d.File("f", Regular)) }},
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
			{"lstat", func(_, n *Workspace, _ *Dir) error {
				return ignoring(n.HasAncestorEntry(context.Background(), 0, "f"))
			}},
		} {
			root := fixture.Make(t, "w/a/f", "w/a/sub/g", "out/")
			waiting := ""
			w := Must(open(native(), hooked(b, func(call, _ string) error {
				if call != waiting {
					return nil
				}
				waiting = ""
				time.Sleep(recheckInterval + recheckInterval/2)
				return os.Rename(root+"/w/a", root+"/out/a")
			}), Options{}, root+"/w"))
			d := Must(find(w, "a"))
			n := Must(w.Narrow(root + "/w/a"))
			waiting = tt.during
			if err := tt.use(w, n, d); word(err) != "!missing" {
				t.Errorf("moved during %s: %v", tt.during, err)
			}
			_, _, _ = d.Close(), n.Close(), w.Close()
		}
	})
}

func ignoring[T any](_ T, err error) error { return err }

// TestMovedIsDetected checks that an open directory that was moved is not used after 10 ms.
func TestMovedIsDetected(t *testing.T) {
	onEach(t, func(t *testing.T, b backend) {
		root := fixture.Make(t, "w/a/f", "out/")
		d := mustFind(t, mustOpen(t, b, Options{}, root+"/w"), "a")
		before := closed(d.File("f", Regular))
		if err := os.Rename(root+"/w/a", root+"/out/a"); err != nil {
			t.Fatal(err)
		}
		time.Sleep(10 * time.Millisecond)
		if after := closed(d.File("f", Regular)); before != nil || word(after) != "!missing" {
			t.Errorf("before: %v, after the directory was moved: %v", before, after)
		}
	})
}

// TestStepsToNarrowedRoot checks that the directories opened to find out whether a narrowed root
// was moved count as steps of a path that returns to it again and again.
func TestStepsToNarrowedRoot(t *testing.T) {
	deep := strings.TrimSuffix(strings.Repeat("d/", 100), "/")
	root := fixture.Make(t, deep+"/f")
	onEach(t, func(t *testing.T, b backend) {
		opened := 0
		w := Must(open(native(), hooked(b, func(call, _ string) error {
			if call == "openPath" {
				opened++
			}
			return nil
		}), Options{}, root))
		defer w.Close()
		n := Must(w.Narrow(root + "/" + deep))
		defer n.Close()
		opened = 0
		if got := readAt(n, strings.Repeat("../d/", 200)+"f"); got != "!toolong" || opened > maxSteps {
			t.Errorf("%s after %d directories", got, opened)
		}
		if got := readAt(n, strings.Repeat("../d/", 10)+"f"); got != deep+"/f" {
			t.Errorf("a short way: %s", got)
		}
	})
}

// TestClosedWhileChecked closes a narrowed root while a call checks that it was not moved. The call
// must use no closed handle, whose number the system may give to another file.
func TestClosedWhileChecked(t *testing.T) {
	onEach(t, func(t *testing.T, b backend) {
		root := fixture.Make(t, "a/b/f")
		var narrowed *Workspace
		w := Must(open(native(), hooked(b, func(call, name string) error {
			if narrowed != nil && call == "openPath" && name == "b" {
				_ = narrowed.Close()
			}
			return nil
		}), Options{}, root))
		defer w.Close()
		narrowed = Must(w.Narrow(root + "/a/b"))
		if got := readAt(narrowed, "f"); got != "a/b/f" {
			t.Errorf("while the root is closed: %s", got)
		}
		if got := readAt(narrowed, "f"); got != "!closed" {
			t.Errorf("afterwards: %s", got)
		}
	})
}
