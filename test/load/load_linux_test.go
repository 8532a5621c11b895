package load

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
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

// inFlight is how many calls a client sends before it reads a reply.
const inFlight = 10_000

// mostUnderLoad is how much memory a server may ever have had in use under such load, in KiB.
const mostUnderLoad = 200_000_000 / 1024

// A mix is calls of every tool, each with an answer of its own.
type mix struct{ tools, args, want []string }

// mixed makes n calls over a fixture of its own, and asks for each answer once.
func mixed(t testing.TB, n int) (root string, m mix) {
	t.Helper()
	var entries []string
	for i := range 100 {
		entries = append(entries, fmt.Sprintf("d%02d/e/only-%02d", i, i))
	}
	root = fixture.Make(t, entries...)
	testkit.Must(t, os.WriteFile(root+"/long", []byte(strings.Repeat("a line of some length\n", 4000)), 0o644))
	toolset := testkit.Open(t, gander.Options{Roots: []string{root}})
	answers := map[string]string{}
	for i := range n {
		dir := fmt.Sprintf("%s/d%02d", root, i%100)
		ids := []string{"codex/list_dir", "codex/read_file", "gemini/list_directory", "forge/list_directory", "toolkit/tree"}
		id := ids[i/100%5]
		args := map[string]string{
			"codex/list_dir":        fmt.Sprintf(`{"dir_path":%q}`, dir),
			"codex/read_file":       fmt.Sprintf(`{"file_path":"%s/e/only-%02d"}`, dir, i%100),
			"gemini/list_directory": fmt.Sprintf(`{"path":"%s/e"}`, dir),
			"forge/list_directory":  fmt.Sprintf(`{"path":%q,"recursive":true}`, dir),
			"toolkit/tree":          fmt.Sprintf(`{"path":"d%02d","entry_kind":"all"}`, i%100),
		}[id]
		if i%50 == 49 { // a long answer now and then
			id, args = "codex/read_file", fmt.Sprintf(`{"file_path":"%s/long","offset":%d}`, root, 1+i%1000)
		}
		if answers[args] == "" {
			result, err := toolset.Call(t.Context(), id, tool.Call{Args: []byte(args)})
			testkit.Must(t, err)
			answers[args] = result.Text()
		}
		m.tools, m.args, m.want = append(m.tools, id), append(m.args, args), append(m.want, answers[args])
	}
	return root, m
}

// send writes every call, with ids from 1.
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

// receive reads until each call has its reply, and checks that it has the right one.
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
			continue // no reply to a call
		}
		if answered[id] || outcome != "ok" || content != m.want[id-1] {
			t.Fatalf("call %d, %s %s: %s %.200q, want %.200q; answered before: %v", id, m.tools[id-1], m.args[id-1], outcome, content, m.want[id-1], answered[id])
		}
		answered[id] = true
		left--
	}
}

// A session is a protocol served over pipes.
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

// TestLoad: of ten thousand calls that a client sends at once each gets its own reply, and no more run at once than may.
func TestLoad(t *testing.T) {
	root, m := mixed(t, inFlight)
	for name, p := range protocols() {
		t.Run(name, func(t *testing.T) {
			var gauge gauge
			toolset := testkit.Open(t, gander.Options{Roots: []string{root}, Limits: gander.Limits{MaxCalls: 16}, More: []tool.Tool{&gauge}})
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
		})
	}
}

// A gauge is a tool that answers its arguments, and notes how many calls of it run at once.
type gauge struct{ running, most atomic.Int64 }

func (*gauge) Spec() tool.Spec { return tool.Spec{ID: "test/gauge", Name: "gauge", Risk: tool.Low} }

func (g *gauge) Call(_ context.Context, c tool.Call) (tool.Result, error) {
	n := g.running.Add(1)
	defer g.running.Add(-1)
	for most := g.most.Load(); n > most && !g.most.CompareAndSwap(most, n); most = g.most.Load() {
	}
	time.Sleep(time.Millisecond)
	return tool.Result{Parts: tool.Text(string(c.Args))}, nil
}

// A slow tool works until its time is over.
type slow struct{}

func (slow) Spec() tool.Spec { return tool.Spec{ID: "test/slow", Name: "slow", Risk: tool.Low} }

func (slow) Call(ctx context.Context, _ tool.Call) (tool.Result, error) {
	<-ctx.Done()
	return tool.Result{}, ctx.Err()
}

// TestShortCallsPassLongOnes: a hundred calls that go on until their time is over do not hold up those sent after them.
func TestShortCallsPassLongOnes(t *testing.T) {
	root := fixture.Make(t, "f")
	const long, brief = 100, 30
	for name, p := range protocols() {
		t.Run(name, func(t *testing.T) {
			t.Parallel() // it mostly waits
			toolset := testkit.Open(t, gander.Options{Roots: []string{root}, Limits: gander.Limits{Timeout: 5 * time.Second}, More: []tool.Tool{slow{}}})
			s := p.start(t.Context(), toolset)
			go func() {
				_, _ = io.WriteString(s.in, p.opening)
				for i := range long + brief {
					id, args := "test/slow", `{}`
					if i >= long {
						id, args = "codex/read_file", fmt.Sprintf(`{"file_path":"%s/f"}`, root)
					}
					_, _ = io.WriteString(s.in, p.call(i+1, id, args))
				}
				_ = s.in.Close()
			}()
			lines := bufio.NewScanner(s.out)
			briefs, longs := 0, 0
			for lines.Scan() {
				switch id, outcome, _ := p.reply(t, lines.Text()); {
				case id > long && outcome == "ok":
					briefs++
				case id > long || id > 0 && outcome != "timeout":
					t.Errorf("call %d: %s", id, outcome)
				case id > 0:
					if longs++; briefs < brief {
						t.Errorf("long call %d is answered after %d of %d short ones", id, briefs, brief)
					}
				}
			}
			if err := <-s.ended; briefs != brief || longs != long || err != nil {
				t.Errorf("%d short and %d long calls answered, %v", briefs, longs, err)
			}
		})
	}
}

// TestSilentClient: a client that reads no reply stops being read itself, and nobody else; its session ends when it goes,
// and when the server is told to end.
func TestSilentClient(t *testing.T) {
	root, m := mixed(t, inFlight)
	for name, p := range protocols() {
		for _, way := range []string{"goes", "is ended"} {
			t.Run(name+", "+way, func(t *testing.T) {
				toolset := testkit.Open(t, gander.Options{Roots: []string{root}, Limits: gander.Limits{MaxCalls: 4}})
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
				if way == "goes" {
					_ = silent.out.CloseWithError(io.ErrClosedPipe)
				} else {
					cancel()
				}
				if err := <-silent.ended; err == nil {
					t.Error("the session has ended as if all were answered")
				}
				if err := <-sent; err == nil {
					t.Error("every call was read although no reply was")
				}
			})
		}
	}
}

// TestProgramUnderLoad: the program, too, answers every call, in bounded memory, also where its client does not read.
func TestProgramUnderLoad(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the program")
	}
	root, m := mixed(t, inFlight)
	var long mix
	for i := range inFlight {
		long.tools = append(long.tools, "codex/read_file")
		long.args = append(long.args, fmt.Sprintf(`{"file_path":"%s/long","offset":%d}`, root, 1+i%100))
	}
	for _, p := range faces(buildProgram(t)) {
		t.Run(p.name, func(t *testing.T) {
			s := startProgram(t, append(p.command, "--root", root)...)
			sent := make(chan error, 1)
			start := time.Now()
			go func() { sent <- m.send(p.protocol, s.in) }()
			m.receive(t, p.protocol, s.out)
			testkit.Must(t, <-sent)
			peak := s.peak(t)
			t.Logf("%d calls in %v, %d KiB at the peak", inFlight, time.Since(start), peak)
			if peak > mostUnderLoad {
				t.Errorf("%d KiB at the peak, more than %d", peak, mostUnderLoad)
			}
		})
		t.Run(p.name+", silent client", func(t *testing.T) {
			s := startProgram(t, append(p.command, "--root", root)...)
			testkit.Must(t, s.in.SetWriteDeadline(time.Now().Add(3*time.Second)))
			err := long.send(p.protocol, s.in)
			if !errors.Is(err, os.ErrDeadlineExceeded) {
				t.Errorf("every call was read although no reply was: %v", err)
			}
			peak := s.peak(t)
			t.Logf("%d KiB at the peak", peak)
			if peak > mostUnderLoad {
				t.Errorf("%d KiB at the peak, more than %d", peak, mostUnderLoad)
			}
		})
	}
}

// A face is the command that serves a protocol.
type face struct {
	protocol
	name    string
	command []string
}

func faces(path string) []face {
	all := protocols()
	return []face{
		{all["JSON lines"], "JSON lines", []string{path, "jsonl"}},
		{all["MCP"], "MCP", []string{path, "mcp", "--tools", "all"}},
	}
}

func buildProgram(t *testing.T) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "gander")
	if out, err := exec.Command("go", "build", "-o", path, "gander/cmd/gander").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return path
}

// startProgram starts a program. It must have ended soon after its pipes are closed.
func startProgram(t *testing.T, command ...string) *server {
	t.Helper()
	stdin, in, err := os.Pipe()
	testkit.Must(t, err)
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Stdin = stdin
	out, err := cmd.StdoutPipe()
	testkit.Must(t, err)
	testkit.Must(t, cmd.Start())
	_ = stdin.Close()
	t.Cleanup(func() {
		_ = in.Close()
		_ = out.Close()
		stop := time.AfterFunc(30*time.Second, func() {
			t.Error("the program goes on after its pipes are closed")
			_ = cmd.Process.Kill()
		})
		defer stop.Stop()
		_ = cmd.Wait()
	})
	return &server{cmd.Process, in, bufio.NewReaderSize(out, 1<<20)}
}
