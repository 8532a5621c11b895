package boundary

import (
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"gander"
	"gander/internal/testkit"
	"gander/internal/testkit/fixture"
)

// TestBoundaryRace uses every tool while directories, files and an ignore file are exchanged for
// symlinks outside. No output may reveal anything outside. GANDER_RACE sets the duration, for
// example to "20s".
func TestBoundaryRace(t *testing.T) {
	lasts := 400 * time.Millisecond
	if s := os.Getenv("GANDER_RACE"); s != "" {
		var err error
		lasts, err = time.ParseDuration(s)
		testkit.Must(t, err)
	}
	outside := fixture.Make(
		t, "dir/SECRET", "dir/leaf", "dir/sub/SECRET", "dir/sub/leaf", "leaf", "ignore",
	)
	for _, leaf := range []string{"/dir/leaf", "/dir/sub/leaf", "/leaf", "/ignore"} {
		hide(t, outside+leaf, "canary\n") // hidden by such an ignore file
	}
	root := fixture.Make(t,
		".git/", "top/dir/leaf", "top/dir/sub/leaf", "top/leaf", ".geminiignore", "canary",
		"link => top/dir", "top/dir.other => "+outside+"/dir", "up/dir/leaf", "up.other => "+outside,
		"top/dir/sub.other => "+outside+"/dir/sub", "top/leaf.other => "+outside+"/leaf",
		".geminiignore.other => "+outside+"/ignore",
	)
	toolset := testkit.Open(t, gander.Options{Roots: []string{root, root + "/top"}})

	var over atomic.Bool
	time.AfterFunc(lasts, func() { over.Store(true) })
	var all sync.WaitGroup
	var swaps, calls, answers atomic.Int64
	for _, path := range []string{"/top/dir", "/top/leaf", "/up", "/.geminiignore"} {
		all.Go(func() {
			for !over.Load() {
				// The exchange is atomic, so one or the other always exists.
				err := unix.Renameat2(
					unix.AT_FDCWD, root+path, unix.AT_FDCWD, root+path+".other", unix.RENAME_EXCHANGE,
				)
				if err != nil {
					t.Error(path, err)
					return
				}
				swaps.Add(1)
			}
		})
	}
	for id, p := range testkit.PathTools() {
		paths := []string{"", "/top", "/top/dir", "/top/dir/sub", "/link/sub", "/up/dir"}
		if p.Reads {
			paths = []string{
				"/top/leaf", "/top/dir/leaf", "/top/dir/sub/leaf", "/link/leaf", "/top/dir/../leaf",
				"/up/dir/leaf", "/.geminiignore", "/top/dir/leaf:1",
			}
		}
		all.Go(func() {
			for i := 0; !over.Load() && !t.Failed(); i++ {
				path := paths[i%len(paths)]
				o := use(t, toolset, id, root+path)
				calls.Add(1)
				if !o.refused {
					answers.Add(1)
				}
				if trace := leak(o.text, root); trace != "" {
					t.Errorf("%s of %s reveals %s:\n%s", id, path, trace, o.text)
				}
				if id == "gemini/list_directory" && path == "" && !o.refused &&
					!strings.Contains(o.text, "\ncanary") {
					t.Errorf("an ignore file outside was read:\n%s", o.text)
				}
			}
		})
	}
	all.Wait()
	t.Logf("%d calls, %d answers, %d swaps, no leak", calls.Load(), answers.Load(), swaps.Load())
	if answers.Load() == 0 || swaps.Load() == 0 {
		t.Error("nothing was ever read, or nothing ever swapped")
	}
}
