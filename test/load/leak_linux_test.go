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

// TestAfterManyCalls checks that a session and the program do not leak file handles, goroutines or
// memory. It compares the state after many calls with the state after a thousand. GANDER_CALLS sets
// the number of calls.
func TestAfterManyCalls(t *testing.T) {
	rounds := 5
	if testing.Short() {
		rounds = 2
	}
	if text := os.Getenv("GANDER_CALLS"); text != "" {
		n, err := strconv.Atoi(text)
		testkit.Must(t, err)
		rounds = n / 1000
	}
	root, m := mixed(t, 1000)
	m = m.withFailures(t, root)
	// round makes all calls and reads their replies.
	round := func(t *testing.T, in io.Writer, out *bufio.Reader) {
		sent := make(chan error, 1)
		go func() { sent <- m.send(in) }()
		m.receive(t, out)
		testkit.Must(t, <-sent)
	}
	check := func(t *testing.T, in io.Writer, out *bufio.Reader, pid string) {
		_, err := io.WriteString(in, handshake())
		testkit.Must(t, err)
		round(t, in, out)
		before := stateOf(t, pid)
		for range rounds - 1 {
			round(t, in, out)
		}
		after := stateOf(t, pid)
		for range 1000 {
			if after.goroutines <= before.goroutines {
				break
			}
			time.Sleep(10 * time.Millisecond)
			after = stateOf(t, pid)
		}
		t.Logf("after 1 round: %+v; after %d: %+v", before, rounds, after)
		if after.handles > before.handles || after.goroutines > before.goroutines ||
			after.heap > before.heap+2<<10 || pid != "self" && after.resident > before.resident+30<<10 {
			t.Errorf("after 1 round: %+v; after %d: %+v", before, rounds, after)
		}
	}
	t.Run("session", func(t *testing.T) {
		s := start(t.Context(), openReproductions(t, root, gander.Options{}))
		check(t, s.in, s.out, "self")
		testkit.Must(t, s.in.Close())
		testkit.Must(t, <-s.ended)
	})
	t.Run("program", func(t *testing.T) {
		if testing.Short() {
			t.Skip("builds the program")
		}
		s := startProgram(t, mcpArgs(root)...)
		check(t, s.in, s.out, strconv.Itoa(s.Pid))
	})
}

// A state describes the resources of a process. Goroutines and heap are set only for this process.
type state struct {
	handles, goroutines, threads int
	heap, resident               int // KiB
}

func stateOf(t *testing.T, pid string) state {
	t.Helper()
	var s state
	if pid == "self" {
		var m runtime.MemStats
		runtime.GC()
		runtime.GC() // the second one empties pools
		runtime.ReadMemStats(&m)
		s.heap, s.goroutines = int(m.HeapAlloc>>10), runtime.NumGoroutine()
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
