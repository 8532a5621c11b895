package load

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"gander"
	"gander/internal/testkit"
	"gander/internal/testkit/fixture"
	"gander/mcpserver"
	"gander/tool"
)

// inFlight returns the number of calls that a client sends before it reads a reply.
func inFlight() int {
	if testing.Short() {
		return 2000
	}
	return 10_000
}

// maxUnderLoad is the maximum memory of a server under this load, in KiB.
const maxUnderLoad = 200_000_000 / 1024

// A mix is a list of calls to every tool with their expected results.
type mix []mixedCall

type mixedCall struct {
	tool, args, want string
	fails            bool
}

// mixed returns n calls on a new fixture. It makes each distinct call once to get its result.
func mixed(t testing.TB, n int) (root string, m mix) {
	t.Helper()
	var entries []string
	for i := range 100 {
		entries = append(entries, fmt.Sprintf("d%02d/e/only-%02d", i, i))
	}
	root = fixture.Make(t, entries...)
	long := strings.Repeat("a line of some length\n", 4000)
	testkit.Must(t, os.WriteFile(root+"/long", []byte(long), 0o644))
	toolset := openReproductions(t, root, gander.Options{})
	kinds := []struct{ tool, args string }{ // %[1]s is the root and %[2]02d a number
		{"codex/list_dir", `{"dir_path":"%[1]s/d%02[2]d"}`},
		{"codex/read_file", `{"file_path":"%[1]s/d%02[2]d/e/only-%02[2]d"}`},
		{"codex/grep_files", `{"pattern":"only-%02[2]d","path":"%[1]s/d%02[2]d"}`},
		{"gemini/list_directory", `{"path":"%[1]s/d%02[2]d/e"}`},
		{"forge/list_directory", `{"path":"%[1]s/d%02[2]d","recursive":true}`},
		{"toolkit/tree", `{"path":"%.0[1]sd%02[2]d","entry_kind":"all"}`},
		{"filesystem/read_text_file", `{"path":"%[1]s/d%02[2]d/e/only-%02[2]d"}`},
		{"filesystem/directory_tree", `{"path":"%[1]s/d%02[2]d"}`},
		{"filesystem/search_files", `{"path":"%[1]s/d%02[2]d","pattern":"**/only*"}`},
		{"filesystem/list_directory_with_sizes", `{"path":"%[1]s/d%02[2]d/e"}`},
	}
	results := make(map[mixedCall]string)
	for i := range n {
		kind := kinds[i/100%len(kinds)]
		c := mixedCall{tool: kind.tool, args: fmt.Sprintf(kind.args, root, i%100)}
		if i%50 == 49 { // with a long result
			c.tool = "codex/read_file"
			c.args = fmt.Sprintf(`{"file_path":"%s/long","offset":%d}`, root, 1+i%1000)
		}
		result, made := results[c]
		if !made {
			answer, err := toolset.Call(t.Context(), c.tool, []byte(c.args))
			testkit.Must(t, err)
			result = answer.Text()
			results[c] = result
		}
		c.want = result
		m = append(m, c)
	}
	return root, m
}

// openReproductions opens a toolset of all tools except the native ones.
func openReproductions(t testing.TB, root string, o gander.Options) *gander.Toolset {
	o.Roots = []string{root}
	o.Tools = append(o.Tools, "codex", "gemini", "forge", "toolkit", "filesystem")
	return testkit.Open(t, o)
}

// send writes all calls, with ids from 1.
func (m mix) send(to io.Writer) error {
	for i, c := range m {
		if _, err := io.WriteString(to, callOf(i+1, c.tool, c.args)); err != nil {
			return err
		}
	}
	return nil
}

// receive reads and checks a reply to every call.
func (m mix) receive(t testing.TB, from *bufio.Reader) {
	t.Helper()
	answered := make([]bool, len(m)+1)
	for left := len(m); left > 0; {
		line, err := from.ReadString('\n')
		if err != nil {
			t.Fatalf("%d calls have no reply: %v", left, err)
		}
		id, outcome, content := parseReply(t, line)
		if id == 0 {
			continue // not a reply to a call
		}
		c := m[id-1]
		if answered[id] || (outcome != "ok") != c.fails || !c.fails && content != c.want {
			t.Fatalf("call %d: %+v: %s %.200q; answered before: %v", id, c, outcome, content, answered[id])
		}
		answered[id] = true
		left--
	}
}

// A session is a server over pipes.
type session struct {
	in    *io.PipeWriter
	pipe  *io.PipeReader
	out   *bufio.Reader // from pipe
	ended chan error
}

// start starts a server without a handshake.
func start(ctx context.Context, toolset *gander.Toolset) *session {
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	s := &session{inW, outR, bufio.NewReaderSize(outR, 1<<20), make(chan error, 1)}
	go func() {
		err := mcpserver.ServeStdio(ctx, mcpserver.New(toolset, nil), inR, outW)
		inR.CloseWithError(io.ErrClosedPipe)
		outW.Close()
		s.ended <- err
	}()
	return s
}

// exchange opens a session, sends all calls without waiting for replies, and checks the replies.
func (m mix) exchange(t testing.TB, in io.Writer, out *bufio.Reader) {
	t.Helper()
	sent := make(chan error, 1)
	go func() {
		_, err := io.WriteString(in, handshake())
		sent <- errors.Join(err, m.send(in))
	}()
	m.receive(t, out)
	testkit.Must(t, <-sent)
}

// TestLoad sends ten thousand calls without waiting for replies. Each must get the correct reply,
// and at most MaxConcurrentCalls may run concurrently.
func TestLoad(t *testing.T) {
	root, m := mixed(t, inFlight())
	gauge := new(gauge)
	toolset := openReproductions(t, root, gander.Options{
		Tools: []string{"test"}, ExtraTools: []tool.Tool{gauge},
		Limits: gander.Limits{MaxConcurrentCalls: 16},
	})
	for i := range 500 {
		args := fmt.Sprintf(`{"n":%d}`, i)
		m = append(m, mixedCall{tool: "test/gauge", args: args, want: args})
	}
	s := start(t.Context(), toolset)
	m.exchange(t, s.in, s.out)
	testkit.Must(t, errors.Join(s.in.Close(), <-s.ended))
	if most := gauge.most.Load(); most < 2 || most > 16 {
		t.Errorf("%d concurrent calls, want at most 16", most)
	}
}

// A gauge is a tool that returns its arguments and records the maximum number of concurrent calls.
type gauge struct{ running, most atomic.Int64 }

func (*gauge) Spec() tool.Spec { return tool.Spec{ID: "test/gauge", Name: "gauge", Risk: "Low"} }

func (g *gauge) Call(_ context.Context, c tool.Call) (tool.Result, error) {
	n := g.running.Add(1)
	defer g.running.Add(-1)
	for most := g.most.Load(); n > most && !g.most.CompareAndSwap(most, n); most = g.most.Load() {
	}
	time.Sleep(time.Millisecond)
	return tool.Result{Parts: tool.Text(string(c.Args))}, nil
}

// TestSilentClient connects a client that does not read replies. The server must stop reading its
// calls, without affecting other clients. The session must end when the client disconnects or the
// server's context is canceled.
func TestSilentClient(t *testing.T) {
	root, m := mixed(t, 10_000)
	for _, end := range []string{"disconnects", "is canceled"} {
		t.Run(end, func(t *testing.T) {
			toolset := openReproductions(t, root, gander.Options{
				Limits: gander.Limits{MaxConcurrentCalls: 4},
			})
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			silent := start(ctx, toolset)
			sent := make(chan error, 1)
			go func() {
				_, err := io.WriteString(silent.in, handshake())
				sent <- errors.Join(err, m.send(silent.in))
			}()
			other := start(t.Context(), toolset)
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

// TestProgramUnderLoad checks that the program replies to every call in bounded memory, and that
// its memory stays bounded if the client does not read.
func TestProgramUnderLoad(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the program")
	}
	root, m := mixed(t, inFlight())
	var long mix
	for i := range inFlight() {
		args := fmt.Sprintf(`{"file_path":"%s/long","offset":%d}`, root, 1+i%100)
		long = append(long, mixedCall{tool: "codex/read_file", args: args})
	}
	t.Run("reading client", func(t *testing.T) {
		s := startProgram(t, mcpArgs(root)...)
		m.exchange(t, s.in, s.out)
		s.checkPeak(t, maxUnderLoad)
	})
	t.Run("silent client", func(t *testing.T) {
		t.Parallel() // it mostly waits
		s := startProgram(t, mcpArgs(root)...)
		testkit.Must(t, s.in.SetWriteDeadline(time.Now().Add(1500*time.Millisecond)))
		_, err := io.WriteString(s.in, handshake())
		testkit.Must(t, err)
		if err := long.send(s.in); !errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("the server read every call although the client read no reply: %v", err)
		}
		s.checkPeak(t, maxUnderLoad)
	})
}

// withFailures returns a copy of m in which every tenth call fails.
func (m mix) withFailures(t *testing.T, root string) mix {
	testkit.Must(t, os.Symlink("/etc", root+"/out"))
	testkit.Must(t, os.Symlink("loop", root+"/loop"))
	failing := []string{
		`{"file_path":"` + root + `/none"}`, `{"file_path":"/etc/passwd"}`,
		`{"file_path":"` + root + `/out/passwd"}`, `{"file_path":"` + root + `/loop"}`,
		`{"file_path":"` + root + `/d00"}`, `{"file_path":1}`, `{"x":{}}`,
		`{"file_path":"` + root + `/long","offset":1000000}`,
	}
	m = slices.Clone(m)
	for i := 3; i < len(m); i += 10 {
		m[i] = mixedCall{tool: "codex/read_file", args: failing[i/10%len(failing)], fails: true}
	}
	return m
}
