package boundary

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"gander"
	"gander/internal/testkit"
	"gander/internal/testkit/program"
	"gander/internal/testkit/tooltest"
	"gander/mcpserver"
)

// TestBoundarySecondWall makes the attacks of escapes.txt on a build of gander without its first
// wall, in which every path outside is found. The kernel alone must keep the content of files and
// the names in directories outside from being read. With --no-kernel-confinement, they are read.
func TestBoundarySecondWall(t *testing.T) {
	testkit.SkipLong(t)
	needConfinement(t)
	open := buildOpen(t)
	calls, leaks := 0, 0
	for name, text := range tooltest.Rows(t, "escapes.txt") {
		e := parseEscape(t, text)
		if len(e.deny) > 0 {
			continue // the denied files are inside
		}
		for _, l := range []layout{layouts[2], layouts[6], layouts[8]} {
			t.Run(name+", "+l.name, func(t *testing.T) {
				top := makeTop(t, e.entries)
				confined := l.serve(t, open, top)
				lifted := l.serve(t, open, top, "--no-kernel-confinement")
				l.changeRoot(t, top)
				for _, path := range e.pathsOutside(l, top) {
					for _, id := range tools() {
						calls++
						if reply := confined.use(t, id, path); reads(reply, path) {
							t.Errorf("%s of %s reads what is outside: %.300s", id, path, reply.Text)
						}
					}
					// Others would read the whole file system.
					for _, id := range []string{"codex/read_file", "gemini/list_directory"} {
						if reads(lifted.use(t, id, path), path) {
							leaks++
						}
					}
				}
			})
		}
	}
	t.Logf("%d calls; %d others, without confinement, read what is outside", calls, leaks)
	if leaks < calls/100 {
		t.Error("the first wall still stands")
	}
}

// wallGaps are the changes that let a resolver find a path outside the roots in the root "/".
var wallGaps = []struct{ source, wall, gap string }{
	{
		"location.go", "\t}\n\ttrailOf(ctx).refuse(abs, ErrOutside)\n\treturn Location{}, ErrOutside\n}",
		"\t}\n\tr, err := openRoot(w.semantics, openNative, \"/\")\n" +
			"\treturn Location{ctx: ctx, w: w, root: r, rest: abs}, err\n}",
	},
	{
		"links.go", "\tkept := r.aliases\n",
		"\tif l.root.real() == \"/\" {\n\t\tr.todo = nil\n\t\tr.push(strings.TrimSuffix(l.rest, " +
			"\"/\"), nil)\n" +
			"\t\treturn r.start(l.root)\n\t}\n\tkept := r.aliases\n",
	},
}

// buildOpen builds gander with the gaps.
func buildOpen(t *testing.T) (path string) {
	t.Helper()
	dir := t.TempDir()
	replaced := object{}
	for _, g := range wallGaps {
		original, err := filepath.Abs("../../internal/files/workspace/" + g.source)
		testkit.Must(t, err)
		text, err := os.ReadFile(original)
		testkit.Must(t, err)
		if strings.Count(string(text), g.wall) != 1 {
			t.Fatalf("%s has another wall than %q", original, g.wall)
		}
		changed := filepath.Join(dir, g.source)
		opened := strings.Replace(string(text), g.wall, g.gap, 1)
		testkit.Must(t, os.WriteFile(changed, []byte(opened), 0o600))
		replaced[original] = changed
	}
	overlay, err := json.Marshal(object{"Replace": replaced})
	testkit.Must(t, err)
	testkit.Must(t, os.WriteFile(dir+"/overlay.json", overlay, 0o600))
	path = filepath.Join(dir, "gander")
	build := exec.Command("go", "build", "-overlay", dir+"/overlay.json", "-o", path,
		"gander/cmd/gander")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return path
}

// pathsOutside returns the paths to attack, absolute and relative.
func (e escape) pathsOutside(l layout, top string) (paths []string) {
	first := strings.TrimSuffix(top+"/"+l.roots[0], "/")
	for _, path := range e.paths {
		for _, x := range []string{"x-file", "x-dir"} {
			p := strings.NewReplacer("{x}", x, "{w}", top+"/"+l.spellings[0], "{top}", top).Replace(path)
			paths = append(paths, p)
			if relative := relativeTo(first, p); relative != "" {
				paths = append(paths, relative)
			}
			if !strings.Contains(path, "{x}") {
				break
			}
		}
	}
	return paths
}

// reads reports whether a reply has the content of a hidden file, or the name of one. Sizes and
// times do not count: the kernel does not hide them.
func reads(reply program.Reply, path string) bool {
	text := strings.ReplaceAll(reply.Text, path, "")
	return strings.Contains(text, "HIDDEN") || strings.Contains(text, "SECRET")
}

// A server is a running program that serves all tools.
type server struct {
	in  io.Writer
	out *bufio.Reader
	id  int
}

func (l layout) serve(t *testing.T, program, top string, flags ...string) *server {
	t.Helper()
	for _, root := range l.roots {
		flags = append(flags, "--root", top+"/"+root)
	}
	return serve(t, program, "", flags...)
}

// serve starts a program in a directory, and begins a session.
func serve(t *testing.T, path, dir string, flags ...string) *server {
	t.Helper()
	cmd := exec.Command(path,
		append([]string{"mcp", "--tools", "all", "--log-level", "error"}, flags...)...)
	cmd.Dir = dir
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	testkit.Must(t, err)
	out, err := cmd.StdoutPipe()
	testkit.Must(t, err)
	testkit.Must(t, cmd.Start())
	t.Cleanup(func() {
		_ = in.Close()
		_ = cmd.Wait()
	})
	return begin(t, in, out)
}

// serveHere serves the tools on a root in this process, which the kernel does not confine.
func serveHere(t *testing.T, root string) *server {
	t.Helper()
	s := mcpserver.New(testkit.Open(t, gander.Options{Roots: []string{root}}), nil)
	in, client := io.Pipe()
	replies, out := io.Pipe()
	var running sync.WaitGroup
	running.Go(func() { _ = mcpserver.ServeStdio(context.Background(), s, in, out) })
	t.Cleanup(func() {
		_ = client.Close()
		running.Wait()
	})
	return begin(t, client, replies)
}

// begin begins a session with a server that reads from in and writes to out.
func begin(t *testing.T, in io.Writer, out io.Reader) *server {
	t.Helper()
	s := &server{in: in, out: bufio.NewReader(out)}
	_, err := io.WriteString(in, program.Handshake)
	testkit.Must(t, err)
	program.ReadReply(t, s.out)
	return s
}

// use uses a path with a tool, with its most revealing arguments.
func (s *server) use(t *testing.T, id, path string) program.Reply {
	t.Helper()
	return s.call(t, id, string(encoded(t, testkit.PathTools()[id].Arguments(path))))
}

func (s *server) call(t *testing.T, id, args string) program.Reply {
	t.Helper()
	s.id++
	_, err := fmt.Fprint(s.in, program.Call(s.id, id, args))
	testkit.Must(t, err)
	return program.ReadReply(t, s.out)
}

// A twoServers has servers for the same roots. The kernel confines only one of them.
type twoServers struct{ confined, lifted *server }

func serveTwice(t *testing.T, path, dir string, flags ...string) twoServers {
	t.Helper()
	confined := serve(t, path, dir, flags...)
	return twoServers{confined, serve(t, path, dir, append(flags, "--no-kernel-confinement")...)}
}

// compare makes a call, and checks that both servers reply the same. It ignores the time of the
// last access, which a call changes.
func (s twoServers) compare(t *testing.T, id, args string) (failed bool) {
	t.Helper()
	accessed := regexp.MustCompile(`accessed: [^\n]*`)
	got, want := s.confined.call(t, id, args), s.lifted.call(t, id, args)
	got.Text = accessed.ReplaceAllString(got.Text, "")
	want.Text = accessed.ReplaceAllString(want.Text, "")
	if got != want {
		t.Errorf("%s of %s:\nconfined   %.300v\notherwise  %.300v", id, args, got, want)
	}
	return got.Failed
}
