// Package load checks that many, large, slow, stuck and hostile calls are bounded.
package load

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"gander"
	"gander/internal/testkit"
	"gander/internal/testkit/fixture"
	"gander/internal/testkit/handles"
	"gander/internal/testkit/program"
	"gander/mcpserver"
)

func TestMain(m *testing.M) { program.Main(m) }

// A mix is a list of calls to every tool with their expected replies.
type mix []mixedCall

type mixedCall struct {
	id, args string
	want     program.Reply
}

// mixed returns n calls on a new fixture. Some have long results, and some fail.
func mixed(t testing.TB, n int) (root string, m mix) {
	t.Helper()
	var entries []string
	for i := range 100 {
		entries = append(entries, fmt.Sprintf("d%02d/e/only-%02d", i, i))
	}
	root = fixture.Make(t, append(entries, "out => /etc", "loop => loop")...)
	long := strings.Repeat("a line of some length\n", 4000)
	testkit.Must(t, os.WriteFile(root+"/long", []byte(long), 0o644))
	toolset := openAll(t, root, gander.Limits{})
	tools := testkit.PathTools()
	delete(tools, "filesystem/get_file_info")   // the time of the last access varies
	delete(tools, "filesystem/read_media_file") // no text
	ids := slices.Sorted(maps.Keys(tools))
	known := map[string]mixedCall{}
	for i := range n {
		id, number := ids[i%len(ids)], i/len(ids)%100
		p := tools[id]
		path := fmt.Sprintf("%s/d%02d", root, number)
		if p.Reads {
			path += fmt.Sprintf("/e/only-%02d", number)
		}
		if i%50 == 49 {
			id, p, path = "codex/read_file", tools["codex/read_file"], root+"/long"
		} else if i%10 == 3 {
			path = []string{root + "/none", "/etc/passwd", root + "/out/passwd", root + "/loop"}[i/10%4]
		}
		c, ok := known[id+path]
		if !ok {
			args, err := json.Marshal(p.Arguments(path))
			testkit.Must(t, err)
			result, err := toolset.Call(t.Context(), id, args)
			c = mixedCall{id, string(args), program.Reply{Text: result.Text(), Failed: err != nil}}
			if err != nil {
				c.want.Text = err.Error()
			}
			known[id+path] = c
		}
		m = append(m, c)
	}
	return root, m
}

func openAll(t testing.TB, root string, limits gander.Limits) *gander.Toolset {
	return testkit.Open(t, gander.Options{
		Roots: []string{root}, Tools: []string{"all"}, Limits: limits,
	})
}

// send writes all calls, with ids from 1.
func (m mix) send(to io.Writer) error {
	for i, c := range m {
		if _, err := io.WriteString(to, program.Call(i+1, c.id, c.args)); err != nil {
			return err
		}
	}
	return nil
}

// exchange sends all calls without waiting for replies, and checks the replies.
func (m mix) exchange(t testing.TB, in io.Writer, out *bufio.Reader) {
	t.Helper()
	sent := make(chan error, 1)
	go func() { sent <- m.send(in) }()
	answered := map[int]bool{}
	for range m {
		r := program.ReadReply(t, out)
		c := m[r.ID-1]
		if c.want.ID = r.ID; r != c.want || answered[r.ID] {
			t.Fatalf("%s of %s: %+v, want %+v, once", c.id, c.args, r, c.want)
		}
		answered[r.ID] = true
	}
	testkit.Must(t, <-sent)
}

// A session is a server over pipes.
type session struct {
	in    *io.PipeWriter
	pipe  *io.PipeReader
	out   *bufio.Reader // from pipe
	ended chan error
}

// newSession starts a server and makes the handshake.
func newSession(ctx context.Context, t *testing.T, toolset *gander.Toolset) *session {
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	s := &session{inW, outR, bufio.NewReaderSize(outR, 1<<20), make(chan error, 1)}
	go func() {
		err := mcpserver.ServeStdio(ctx, mcpserver.New(toolset, nil), inR, outW)
		inR.CloseWithError(io.ErrClosedPipe)
		outW.Close()
		s.ended <- err
	}()
	go func() { _, _ = io.WriteString(inW, program.Handshake) }()
	program.ReadReply(t, s.out)
	return s
}

// TestLoad checks that the program replies to ten thousand calls in flight, correctly and in
// bounded memory, and that its memory stays bounded if the client then does not read.
func TestLoad(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the program")
	}
	root, m := mixed(t, 10_000)
	p := program.Open(t, root)
	m.exchange(t, p.In, p.Out)
	p.CheckPeak(t, 200)
	testkit.Must(t, p.In.SetWriteDeadline(time.Now().Add(1500*time.Millisecond)))
	args := fmt.Sprintf(`{"file_path":"%s/long"}`, root)
	long := slices.Repeat(mix{{id: "codex/read_file", args: args}}, 10_000)
	if err := long.send(p.In); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("the server read every call although the client read no reply: %v", err)
	}
	p.CheckPeak(t, 200)
}

// TestSilentClient connects a client that does not read replies. The server must stop reading its
// calls, without affecting other clients. The session must end when the client disconnects or the
// server's context is canceled.
func TestSilentClient(t *testing.T) {
	root, m := mixed(t, 10_000)
	for _, end := range []string{"disconnects", "is canceled"} {
		t.Run(end, func(t *testing.T) {
			toolset := openAll(t, root, gander.Limits{MaxConcurrentCalls: 4})
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			silent := newSession(ctx, t, toolset)
			sent := make(chan error, 1)
			go func() { sent <- m.send(silent.in) }()
			other := newSession(t.Context(), t, toolset)
			m[:500].exchange(t, other.in, other.out)
			testkit.Must(t, errors.Join(other.in.Close(), <-other.ended))
			if end == "disconnects" {
				_ = silent.pipe.CloseWithError(io.ErrClosedPipe)
			} else {
				cancel()
			}
			if <-silent.ended == nil {
				t.Error("the session ended without an error")
			}
			if <-sent == nil {
				t.Error("the server read every call although the client read no reply")
			}
		})
	}
}

// TestAfterManyCalls checks that a session does not leak file handles, goroutines or memory. It
// compares the state after many calls with the state after a thousand. GANDER_CALLS sets the number
// of calls; .ci/run makes more than the default.
func TestAfterManyCalls(t *testing.T) {
	calls := 3000
	if text := os.Getenv("GANDER_CALLS"); text != "" {
		var err error
		calls, err = strconv.Atoi(text)
		testkit.Must(t, err)
	}
	root, m := mixed(t, 1000)
	s := newSession(t.Context(), t, openAll(t, root, gander.Limits{}))
	m.exchange(t, s.in, s.out)
	before := stateOf(t)
	for range calls/1000 - 1 {
		m.exchange(t, s.in, s.out)
	}
	after := stateOf(t)
	for range 1000 {
		if after.goroutines <= before.goroutines {
			break
		}
		time.Sleep(10 * time.Millisecond)
		after = stateOf(t)
	}
	t.Logf("after 1,000 calls: %+v; after %d: %+v", before, calls, after)
	if after.handles > before.handles || after.goroutines > before.goroutines ||
		after.heap > before.heap+2<<20 {
		t.Errorf("after 1,000 calls: %+v; after %d: %+v", before, calls, after)
	}
	testkit.Must(t, errors.Join(s.in.Close(), <-s.ended))
}

// A state describes the resources of this process.
type state struct{ handles, goroutines, heap int }

func stateOf(t *testing.T) state {
	t.Helper()
	var m runtime.MemStats
	runtime.GC()
	runtime.GC() // the second one empties pools
	runtime.ReadMemStats(&m)
	return state{handles.Count(t), runtime.NumGoroutine(), int(m.HeapAlloc)}
}
