package load

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"gander"
	"gander/internal/testkit"
)

// manyCalls returns how many calls the tests below make: GANDER_CALLS if it is set.
func manyCalls(t *testing.T) int {
	t.Helper()
	text := os.Getenv("GANDER_CALLS")
	switch {
	case text == "" && testing.Short():
		return 2000
	case text == "":
		return 5000
	}
	n, err := strconv.Atoi(text)
	testkit.Must(t, err)
	return n
}

// A load makes rounds of a thousand calls of all tools. One call in ten is an error.
type load struct {
	p    protocol
	good mix
	bad  []string // arguments of codex/read_file
	made int
}

const roundSize = 1000

func newLoad(t *testing.T, p protocol) (root string, l *load) {
	root, good := mixed(t, 5000)
	testkit.Must(t, os.Symlink("/etc", root+"/out"))
	testkit.Must(t, os.Symlink("loop", root+"/loop"))
	return root, &load{p: p, good: good, bad: []string{
		`{"file_path":"` + root + `/none"}`, `{"file_path":"/etc/passwd"}`, `{"file_path":"` + root + `/out/passwd"}`, `{"file_path":"` + root + `/loop"}`,
		`{"file_path":"` + root + `/d00"}`, `{"file_path":1}`, `{"x":{}}`, `{"file_path":"` + root + `/long","offset":1000000}`,
	}}
}

// round makes roundSize calls and reads their replies.
func (l *load) round(t *testing.T, in io.Writer, out interface{ ReadString(byte) (string, error) }) {
	t.Helper()
	from := l.made
	l.made += roundSize
	sent := make(chan error, 1)
	go func() {
		for i := from; i < from+roundSize; i++ {
			id, args := l.good.tools[i%len(l.good.tools)], l.good.args[i%len(l.good.tools)]
			if i%10 == 3 {
				id, args = "codex/read_file", l.bad[i/10%len(l.bad)]
			}
			if _, err := io.WriteString(in, l.p.call(i+1, id, args)); err != nil {
				sent <- err
				return
			}
		}
		sent <- nil
	}()
	seen := map[int]bool{}
	for len(seen) < roundSize {
		line, err := out.ReadString('\n')
		testkit.Must(t, err)
		id, outcome, content := l.p.reply(t, line)
		if id == 0 {
			continue
		}
		i := id - 1
		if wrong := i%10 == 3; i < from || i >= l.made || seen[id] || (outcome == "ok") == wrong || !wrong && content != l.good.want[i%len(l.good.want)] {
			t.Fatalf("call %d: %s %.200q", id, outcome, content)
		}
		seen[id] = true
	}
	testkit.Must(t, <-sent)
}

// TestAfterManyCalls: after many calls, a session has as many file handles and goroutines and as much memory as after a
// thousand.
func TestAfterManyCalls(t *testing.T) {
	n := manyCalls(t)
	p := overMCP()
	root, l := newLoad(t, p)
	toolset := testkit.Open(t, gander.Options{Roots: []string{root}, Tools: []string{"codex", "gemini", "forge", "toolkit", "filesystem"}})
	s := p.start(t.Context(), toolset)
	out := bufio.NewReaderSize(s.out, 1<<20)
	_, err := io.WriteString(s.in, p.opening)
	testkit.Must(t, err)
	l.round(t, s.in, out)
	before := stateOf(t, "self")
	for l.made < n {
		l.round(t, s.in, out)
	}
	after := stateOf(t, "self")
	for start := time.Now(); after.goroutines > before.goroutines && time.Since(start) < 10*time.Second; after = stateOf(t, "self") {
		time.Sleep(10 * time.Millisecond)
	}
	t.Logf("after %d calls: %v; after %d: %v", roundSize, before, l.made, after)
	if after.handles != before.handles || after.goroutines > before.goroutines || after.heap > before.heap+2<<20 {
		t.Errorf("after %d calls: %v; after %d: %v", roundSize, before, l.made, after)
	}
	testkit.Must(t, s.in.Close())
	testkit.Must(t, <-s.ended)
}

// TestProgramAfterManyCalls is the same test for the program, as the operating system sees it.
func TestProgramAfterManyCalls(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the program")
	}
	n := manyCalls(t)
	p := overMCP()
	root, l := newLoad(t, p)
	s := startProgram(t, mcpArgs(root)...)
	_, err := io.WriteString(s.in, p.opening)
	testkit.Must(t, err)
	l.round(t, s.in, s.out)
	before := stateOf(t, strconv.Itoa(s.Pid))
	for l.made < n {
		l.round(t, s.in, s.out)
	}
	after := stateOf(t, strconv.Itoa(s.Pid))
	t.Logf("after %d calls: %v; after %d: %v", roundSize, before, l.made, after)
	if after.handles > before.handles || after.resident > before.resident+30<<10 {
		t.Errorf("after %d calls: %v; after %d: %v", roundSize, before, l.made, after)
	}
}

// A state says what a process holds. Goroutines and heap are known only of this process.
type state struct {
	handles, goroutines, threads int
	heap                         uint64 // bytes in use
	resident                     int    // KiB
}

func (s state) String() string {
	if s.goroutines == 0 {
		return fmt.Sprintf("%d handles, %d threads, %d KiB resident", s.handles, s.threads, s.resident)
	}
	return fmt.Sprintf("%d handles, %d goroutines, %d KiB of heap", s.handles, s.goroutines, s.heap>>10)
}

func stateOf(t *testing.T, pid string) state {
	t.Helper()
	var s state
	if pid == "self" {
		var m runtime.MemStats
		runtime.GC()
		runtime.GC() // the second one empties pools
		runtime.ReadMemStats(&m)
		s.heap, s.goroutines = m.HeapAlloc, runtime.NumGoroutine()
	}
	handles, err := os.ReadDir("/proc/" + pid + "/fd")
	testkit.Must(t, err)
	s.handles = len(handles)
	status, err := os.ReadFile("/proc/" + pid + "/status")
	testkit.Must(t, err)
	for line := range strings.Lines(string(status)) {
		_, _ = fmt.Sscanf(line, "VmRSS: %d", &s.resident)
		_, _ = fmt.Sscanf(line, "Threads: %d", &s.threads)
	}
	return s
}
