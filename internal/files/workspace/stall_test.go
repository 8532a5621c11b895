//go:build unix

package workspace_test

import (
	"errors"
	"math"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"gander/internal/admission"
	"gander/internal/files/workspace"
	"gander/internal/testkit/fixture"
	"gander/internal/toolset"
	"gander/tool"
)

// soon is the maximum delay of a timeout.
const soon = 100 * time.Millisecond

// A stalling has a hook that stalls selected calls until they are released.
type stalling struct {
	mu    sync.Mutex
	made  int
	stall func(n int) bool // reports whether to stall call n; nil stalls none
	open  chan struct{}
}

func (s *stalling) pass(_, _ string) error {
	s.mu.Lock()
	n, stall, open := s.made, s.stall, s.open
	s.made++
	s.mu.Unlock()
	if stall != nil && stall(n) {
		<-open
	}
	return nil
}

// set restarts the count and stalls the calls selected by stall.
func (s *stalling) set(stall func(n int) bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.made, s.stall, s.open = 0, stall, make(chan struct{})
}

// count returns how many system calls have begun.
func (s *stalling) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.made
}

// release resumes all stalled calls.
func (s *stalling) release() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stall = nil
	close(s.open)
}

// TestStalls stalls each backend call in turn. The tool's call must time out, other calls must
// succeed, and nothing may be left open when the backend call returns.
func TestStalls(t *testing.T) {
	root := fixture.Make(
		t, "a/b/c/f", "a/b/c/g", "a/in => b/c", "a/f => b/c/f", "x => a/b", "f", ".git/info/exclude",
		".gitignore", "abs => {root}/a/b", "void/", "wide/1",
	)
	const timeout = time.Second
	for _, on := range workspace.Backends() {
		t.Run(on, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var s stalling
				w := workspace.Must(workspace.OpenHooked(on, s.pass, workspace.Options{}, root))
				defer w.Close()
				r := everyTool(w, toolset.Options{Timeout: timeout, Control: admission.New(4, 0)})
				stalls := 0
				for _, c := range faultCalls {
					args := strings.ReplaceAll(strings.ReplaceAll(c.args, "{root}", root), `,"offset":290`, "")
					call := func() *tool.Error {
						var e *tool.Error
						_, err := r.Call(t.Context(), c.tool, tool.Call{Args: []byte(args)})
						errors.As(err, &e)
						return e
					}
					most := math.MaxInt
					for range 5 { // a signal in between can make a read of a directory two
						s.set(nil)
						if e := call(); e != nil {
							t.Fatalf("%s %s: %v", c.tool, args, e)
						}
						most = min(most, s.count())
					}
					before := workspace.Handles(t)
					for n := range most {
						s.set(func(made int) bool { return made == n })
						start := time.Now()
						if e, took := call(), time.Since(start); e == nil || e.Kind != tool.Timeout ||
							took < timeout || took >= timeout+soon {
							t.Errorf("%s %s: system call %d stalls: after %v %v", c.tool, args, n, took, e)
						}
						start = time.Now()
						if e, took := call(), time.Since(start); e != nil || took > 0 {
							t.Errorf(
								"%s %s: while system call %d stalls, another call: after %v %v", c.tool, args, n, took, e,
							)
						}
						s.release()
						synctest.Wait()
						stalls++
					}
					workspace.CheckHandles(t, before, c.tool+" "+args)
				}
				t.Logf("%d stalls", stalls)
			})
		})
	}
}
