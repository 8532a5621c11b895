package load

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"gander"
	"gander/internal/testkit"
	"gander/internal/testkit/fixture"
	"gander/tool"
)

// inFlight returns how many calls a client sends before it reads a reply.
func inFlight() int {
	if testing.Short() {
		return 2000
	}
	return 10_000
}

// maxUnderLoad is the most memory that a server may need under this load, in KiB.
const maxUnderLoad = 200_000_000 / 1024

// A mix holds calls of every tool, and the answer that each must get.
type mix struct{ tools, args, want []string }

// mixed returns n calls over a new fixture. It makes each distinct call once, to know its answer.
func mixed(t testing.TB, n int) (root string, m mix) {
	t.Helper()
	var entries []string
	for i := range 100 {
		entries = append(entries, fmt.Sprintf("d%02d/e/only-%02d", i, i))
	}
	root = fixture.Make(t, entries...)
	testkit.Must(t, os.WriteFile(root+"/long", []byte(strings.Repeat("a line of some length\n", 4000)), 0o644))
	toolset := testkit.Open(t, gander.Options{Roots: []string{root}, Tools: []string{"codex", "gemini", "forge", "toolkit", "filesystem"}})
	answers := map[string]string{}
	for i := range n {
		dir := fmt.Sprintf("%s/d%02d", root, i%100)
		ids := []string{"codex/list_dir", "codex/read_file", "codex/grep_files", "gemini/list_directory", "forge/list_directory", "toolkit/tree", "filesystem/read_text_file", "filesystem/directory_tree", "filesystem/search_files", "filesystem/list_directory_with_sizes"}
		id := ids[i/100%len(ids)]
		args := map[string]string{
			"codex/list_dir":        fmt.Sprintf(`{"dir_path":%q}`, dir),
			"codex/read_file":       fmt.Sprintf(`{"file_path":"%s/e/only-%02d"}`, dir, i%100),
			"codex/grep_files":      fmt.Sprintf(`{"pattern":"only-%02d","path":"d%02d"}`, i%100, i%100),
			"gemini/list_directory": fmt.Sprintf(`{"path":"%s/e"}`, dir),
			"forge/list_directory":  fmt.Sprintf(`{"path":%q,"recursive":true}`, dir),
			"toolkit/tree":          fmt.Sprintf(`{"path":"d%02d","entry_kind":"all"}`, i%100),

			"filesystem/read_text_file":            fmt.Sprintf(`{"path":"d%02d/e/only-%02d"}`, i%100, i%100),
			"filesystem/directory_tree":            fmt.Sprintf(`{"path":"d%02d"}`, i%100),
			"filesystem/search_files":              fmt.Sprintf(`{"path":"d%02d","pattern":"**/only*"}`, i%100),
			"filesystem/list_directory_with_sizes": fmt.Sprintf(`{"path":"d%02d/e"}`, i%100),
		}[id]
		if i%50 == 49 { // a long answer now and then
			id, args = "codex/read_file", fmt.Sprintf(`{"file_path":"%s/long","offset":%d}`, root, 1+i%1000)
		}
		if answers[args] == "" {
			result, err := toolset.Call(t.Context(), id, []byte(args))
			testkit.Must(t, err)
			answers[args] = result.Text()
		}
		m.tools, m.args, m.want = append(m.tools, id), append(m.args, args), append(m.want, answers[args])
	}
	return root, m
}

// send writes all calls, with ids from 1.
func (m mix) send(p protocol, to io.Writer) error {
	if _, err := io.WriteString(to, p.opening); err != nil {
		return err
	}
	for i := range m.args {
		if _, err := io.WriteString(to, p.call(i+1, m.tools[i], m.args[i])); err != nil {
			return err
		}
	}
	return nil
}

// receive reads a reply for every call, and checks that it is the right one.
func (m mix) receive(t testing.TB, p protocol, from io.Reader) {
	t.Helper()
	lines := bufio.NewReaderSize(from, 1<<20)
	answered := make([]bool, len(m.args)+1)
	for left := len(m.args); left > 0; {
		line, err := lines.ReadString('\n')
		if err != nil {
			t.Fatalf("%d calls have no reply: %v", left, err)
		}
		id, outcome, content := p.reply(t, line)
		if id == 0 {
			continue // not a reply to a call
		}
		if answered[id] || outcome != "ok" || content != m.want[id-1] {
			t.Fatalf("call %d, %s %s: %s %.200q, want %.200q; answered before: %v", id, m.tools[id-1], m.args[id-1], outcome, content, m.want[id-1], answered[id])
		}
		answered[id] = true
		left--
	}
}

// A session is a protocol that is served over pipes.
type session struct {
	protocol
	in    *io.PipeWriter
	out   *io.PipeReader
	ended chan error
}

func (p protocol) start(ctx context.Context, toolset *gander.Toolset) *session {
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	s := &session{p, inW, outR, make(chan error, 1)}
	go func() {
		err := p.serve(ctx, toolset, inR, outW)
		inR.CloseWithError(io.ErrClosedPipe)
		outW.Close()
		s.ended <- err
	}()
	return s
}

// TestLoad: each of ten thousand calls that a client sends at once gets its own reply, and no more calls run at once than
// MaxCalls allows.
func TestLoad(t *testing.T) {
	root, m := mixed(t, inFlight())
	p := overMCP()
	var gauge gauge
	toolset := testkit.Open(t, gander.Options{Roots: []string{root}, Tools: []string{"codex", "gemini", "forge", "toolkit", "filesystem", "test"}, Limits: gander.Limits{MaxConcurrentCalls: 16}, ExtraTools: []tool.Tool{&gauge}})
	with := m
	for i := range 500 {
		with.tools, with.args, with.want = append(with.tools, "test/gauge"), append(with.args, fmt.Sprintf(`{"n":%d}`, i)), append(with.want, fmt.Sprintf(`{"n":%d}`, i))
	}
	s := p.start(t.Context(), toolset)
	sent := make(chan error, 1)
	go func() {
		sent <- errors.Join(with.send(p, s.in), s.in.Close())
	}()
	with.receive(t, p, s.out)
	testkit.Must(t, errors.Join(<-sent, <-s.ended))
	if most := gauge.most.Load(); most < 2 || most > 16 {
		t.Errorf("%d calls ran at once, of at most 16", most)
	}
}

// A gauge is a tool that returns its arguments, and records how many of its calls run at once.
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

// TestSilentClient: once a client stops reading replies, the server stops reading its calls, and no other client notices. Its
// session ends when the client disconnects and when the server's context is cancelled.
func TestSilentClient(t *testing.T) {
	root, m := mixed(t, 10_000)
	p := overMCP()
	for _, end := range []string{"disconnects", "is cancelled"} {
		t.Run(end, func(t *testing.T) {
			toolset := testkit.Open(t, gander.Options{Roots: []string{root}, Tools: []string{"codex", "gemini", "forge", "toolkit", "filesystem"}, Limits: gander.Limits{MaxConcurrentCalls: 4}})
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			silent := p.start(ctx, toolset)
			sent := make(chan error, 1)
			go func() { sent <- m.send(p, silent.in) }()
			few := mix{m.tools[:500], m.args[:500], m.want[:500]}
			other := p.start(t.Context(), toolset)
			var sending sync.WaitGroup
			sending.Go(func() { _ = errors.Join(few.send(p, other.in), other.in.Close()) })
			few.receive(t, p, other.out)
			sending.Wait()
			testkit.Must(t, <-other.ended)
			if end == "disconnects" {
				_ = silent.out.CloseWithError(io.ErrClosedPipe)
			} else {
				cancel()
			}
			if err := <-silent.ended; err == nil {
				t.Error("the session ended without an error")
			}
			if err := <-sent; err == nil {
				t.Error("the server read every call although the client read no reply")
			}
		})
	}
}

// TestProgramUnderLoad: the program answers every call in bounded memory, and stays bounded if the client does not read.
func TestProgramUnderLoad(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the program")
	}
	root, m := mixed(t, inFlight())
	var long mix
	for i := range inFlight() {
		long.tools = append(long.tools, "codex/read_file")
		long.args = append(long.args, fmt.Sprintf(`{"file_path":"%s/long","offset":%d}`, root, 1+i%100))
	}
	p := overMCP()
	t.Run("reading client", func(t *testing.T) {
		s := startProgram(t, mcpArgs(root)...)
		sent := make(chan error, 1)
		start := time.Now()
		go func() { sent <- m.send(p, s.in) }()
		m.receive(t, p, s.out)
		testkit.Must(t, <-sent)
		peak := s.peak(t)
		t.Logf("%d calls in %v, %d KiB at the peak", len(m.args), time.Since(start), peak)
		if peak > maxUnderLoad {
			t.Errorf("%d KiB at the peak, more than %d", peak, maxUnderLoad)
		}
	})
	t.Run("silent client", func(t *testing.T) {
		t.Parallel() // it mostly waits
		s := startProgram(t, mcpArgs(root)...)
		testkit.Must(t, s.in.SetWriteDeadline(time.Now().Add(1500*time.Millisecond)))
		err := long.send(p, s.in)
		if !errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("the server read every call although the client read no reply: %v", err)
		}
		peak := s.peak(t)
		t.Logf("%d KiB at the peak", peak)
		if peak > maxUnderLoad {
			t.Errorf("%d KiB at the peak, more than %d", peak, maxUnderLoad)
		}
	})
}
