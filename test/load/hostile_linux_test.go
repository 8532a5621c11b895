//lint:file-ignore SA1019 clients of the revisions that have roots are tested as well

package load

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"golang.org/x/sys/unix"

	"gander"
	"gander/internal/cli"
	"gander/internal/testkit"
	"gander/internal/testkit/fixture"
	"gander/mcpserver"
)

const (
	// serving is an environment variable of the process started by [TestHostileClients]. Its value is
	// the root.
	serving = "GANDER_TEST_SERVING"
	// fewHandles is an environment variable with the maximum number of open files of that process.
	fewHandles = "GANDER_TEST_HANDLES"
	// hostileClients is the number of concurrent hostile clients. Each has its own address.
	hostileClients = 8
	// slowest is the maximum duration of a call by the ordinary client.
	slowest = 2 * time.Second
)

// TestHostileClients serves eight clients that make hostile requests over HTTP, and one over a pair
// of streams that keeps changing its roots. Calls by an ordinary client must be fast, and the
// server must need little memory and leak nothing. GANDER_HOSTILE sets the duration.
func TestHostileClients(t *testing.T) {
	if root := os.Getenv(serving); root != "" {
		serveHostile(t, root)
		return
	}
	duration := 700 * time.Millisecond
	if text := os.Getenv("GANDER_HOSTILE"); text != "" {
		var err error
		duration, err = time.ParseDuration(text)
		testkit.Must(t, err)
	}
	root := hostileRoot(t, duration > time.Minute)
	server := startServing(t, root)
	ninth := newOrdinary(t, server.addr, root)
	for range 20 {
		ninth.call(t)
	}
	before := server.state(t)

	ctx, cancel := context.WithTimeout(t.Context(), duration)
	defer cancel()
	var made atomic.Int64
	var hostile sync.WaitGroup
	for i := range hostileClients {
		c := newHostile(ctx, server.addr, root, i)
		hostile.Go(func() { c.attack(&made, i == 0) })
	}
	ninth.worst = 0
	calls := 0
	for ; ctx.Err() == nil; calls++ {
		ninth.call(t)
		time.Sleep(20 * time.Millisecond)
	}
	hostile.Wait()

	after := server.state(t)
	for range 300 {
		if after.handles <= before.handles && after.goroutines <= before.goroutines {
			break
		}
		time.Sleep(200 * time.Millisecond)
		after = server.state(t)
	}
	t.Logf("%d hostile requests in %v; the slowest of %d ordinary calls took %v",
		made.Load(), duration, calls, ninth.worst)
	t.Logf("before: %+v; after: %+v", before, after)
	if !underRaceDetector() {
		server.checkPeak(t, maxUnderLoad)
	}
	if ninth.worst > slowest {
		t.Errorf("an ordinary call took %v", ninth.worst)
	}
	if after.handles > before.handles || after.goroutines > before.goroutines {
		t.Errorf("%d handles and %d goroutines are left over",
			after.handles-before.handles, after.goroutines-before.goroutines)
	}
	if after.threads > maxThreads {
		t.Errorf("%d threads, more than %d", after.threads, maxThreads)
	}
}

// maxThreads is the maximum number of threads of the server. Go does not end threads, and each of
// the 64 concurrent calls can block one in a system call.
const maxThreads = 96

// hostileRoot returns a root with files that make calls expensive.
func hostileRoot(t *testing.T, long bool) string {
	t.Helper()
	entries := []string{
		"small", "id_rsa", "d/a", "d/b/c", "loop => loop", "out => /etc", "up => ../..", "p|",
	}
	names := 2000
	if long {
		names = 100_000
	}
	for i := range 64 {
		entries = append(entries, fmt.Sprintf("roots/%d/", i))
	}
	root := fixture.Make(t, entries...)
	utf16 := "\xff\xfe" + strings.Repeat("a\x00 \x00l\x00i\x00n\x00e\x00\n\x00", 32<<20/14)
	testkit.Must(t, os.WriteFile(root+"/utf16", []byte(utf16), 0o644))
	text := strings.Repeat("a line of some length in a file of some size\n", 100_000)
	testkit.Must(t, os.WriteFile(root+"/long", []byte(text), 0o644))
	testkit.Must(t, os.WriteFile(root+"/blob", make([]byte, 70_000), 0o644))
	testkit.Must(t, os.Mkdir(root+"/wide", 0o755))
	for i := range names {
		testkit.Must(t, os.WriteFile(fmt.Sprintf("%s/wide/%0180d", root, i), nil, 0o644))
	}
	return root
}

// serveHostile serves the root until the end of standard input. For each input line it prints its
// state.
func serveHostile(t *testing.T, root string) {
	if n, err := strconv.ParseUint(os.Getenv(fewHandles), 10, 64); err == nil {
		testkit.Must(t, unix.Setrlimit(unix.RLIMIT_NOFILE, &unix.Rlimit{Cur: n, Max: n}))
	}
	debug.SetMemoryLimit(cli.MemoryLimit)
	toolset := testkit.Open(t, gander.Options{Roots: []string{root}, Tools: []string{
		"gander", "codex/grep_files", "filesystem/search_files", "filesystem/read_multiple_files",
	}})
	rooted := testkit.Open(t, gander.Options{Roots: []string{root}, Tools: []string{"filesystem"}})
	l, err := net.Listen("tcp", "127.0.0.1:0")
	testkit.Must(t, err)
	fmt.Printf("\nserving %s\n", l.Addr())
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		ended <- mcpserver.ServeHTTP(ctx, l, mcpserver.New(toolset, nil), nil)
	}()
	// A client changes its roots between the first two states.
	changing, stop := context.WithCancel(ctx)
	defer stop()
	var roots sync.WaitGroup
	lines := bufio.NewScanner(os.Stdin)
	for first := true; lines.Scan(); first = false {
		if !first {
			stop()
			roots.Wait()
		}
		s := stateOf(t, "self")
		if first {
			roots.Go(func() { changeRoots(changing, t, rooted, root) })
		}
		fmt.Printf("\nstate %d %d %d\n", s.handles, s.goroutines, s.threads)
	}
	cancel()
	<-ended
}

// changeRoots runs a client of the filesystem tools that alternates between changing its roots and
// calling a tool, until ctx is done.
func changeRoots(ctx context.Context, t *testing.T, toolset *gander.Toolset, root string) {
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	clientEnd, serverEnd := mcp.NewInMemoryTransports()
	_, err := mcpserver.New(toolset, nil).Connect(ctx, serverEnd, nil)
	testkit.Must(t, err)
	session, err := client.Connect(ctx, clientEnd,
		&mcp.ClientSessionOptions{ProtocolVersion: "2025-11-25"})
	testkit.Must(t, err)
	defer session.Close()
	for n := 0; ctx.Err() == nil; n++ {
		var roots []*mcp.Root
		for i := range 32 {
			roots = append(roots, &mcp.Root{URI: fmt.Sprintf("file://%s/roots/%d", root, (n+i)%64)})
		}
		client.AddRoots(roots...)
		_, _ = session.CallTool(ctx, &mcp.CallToolParams{
			Name: "list_allowed_directories", Arguments: map[string]any{},
		})
		client.RemoveRoots(roots[0].URI, roots[1].URI)
		time.Sleep(time.Millisecond)
	}
}

// underRaceDetector reports whether the tests and the server run under the race detector, which
// needs memory of its own.
func underRaceDetector() bool {
	info, ok := debug.ReadBuildInfo()
	return ok && slices.Contains(info.Settings, debug.BuildSetting{Key: "-race", Value: "true"})
}

// A hostileServer is a process that runs serveHostile.
type hostileServer struct {
	process
	addr string
}

// startServing starts a server with additional environment variables.
func startServing(t *testing.T, root string, variables ...string) *hostileServer {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^TestHostileClients$")
	cmd.Env = append(append(os.Environ(), serving+"="+root), variables...)
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
	s := &hostileServer{process: process{cmd.Process, in.(*os.File), bufio.NewReader(out)}}
	s.addr = s.line(t, "serving ")
	return s
}

// line skips to the next line that starts with begin, and returns the rest of this line.
func (s *hostileServer) line(t *testing.T, begin string) string {
	t.Helper()
	for {
		line, err := s.out.ReadString('\n')
		testkit.Must(t, err)
		if rest, ok := strings.CutPrefix(strings.TrimSpace(line), begin); ok {
			return rest
		}
	}
}

func (s *hostileServer) state(t *testing.T) (st state) {
	t.Helper()
	_, err := io.WriteString(s.in, "state\n")
	testkit.Must(t, err)
	_, err = fmt.Sscan(s.line(t, "state "), &st.handles, &st.goroutines, &st.threads)
	testkit.Must(t, err)
	return st
}

// clientFrom returns a client with the address 127.0.0.n.
func clientFrom(n int) (*http.Client, *net.Dialer) {
	local := &net.TCPAddr{IP: net.IPv4(127, 0, 0, byte(n))}
	d := &net.Dialer{LocalAddr: local, Timeout: 10 * time.Second}
	transport := &http.Transport{DialContext: d.DialContext, MaxIdleConnsPerHost: 4}
	return &http.Client{Transport: transport, Timeout: 30 * time.Second}, d
}

// An ordinary is a client that makes ordinary calls from its own address.
type ordinary struct {
	addr, root string
	made       int
	worst      time.Duration
	client     *http.Client
}

func newOrdinary(t *testing.T, addr, root string) *ordinary {
	o := &ordinary{addr: addr, root: root}
	o.client, _ = clientFrom(200)
	t.Cleanup(o.client.CloseIdleConnections)
	return o
}

// call makes a call, alternately with and without a session.
func (o *ordinary) call(t *testing.T) {
	t.Helper()
	o.made++
	args := fmt.Sprintf(`{"path":"%s/small"}`, o.root)
	r := post(t.Context(), o.addr, modernCall("read_file", args),
		modernHeaders("tools/call", "read_file")...)
	if o.made%2 == 0 {
		body := callOf(1, "read_file", args)
		r = post(t.Context(), o.addr, body, "Mcp-Protocol-Version", "2025-06-18")
	}
	start := time.Now()
	resp, err := o.client.Do(r)
	testkit.Must(t, err)
	body, err := io.ReadAll(resp.Body)
	testkit.Must(t, err)
	testkit.Must(t, resp.Body.Close())
	o.worst = max(o.worst, time.Since(start))
	if resp.StatusCode != http.StatusOK || !strings.Contains(string(body), `1\tsmall`) {
		t.Fatalf("an ordinary call: %d %.500s", resp.StatusCode, body)
	}
}

func post(ctx context.Context, addr, body string, header ...string) *http.Request {
	r, err := http.NewRequestWithContext(
		ctx, http.MethodPost, "http://"+addr+"/mcp", strings.NewReader(body))
	if err != nil {
		panic(err) // all arguments are constants of this file
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	return r
}

const modernMeta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",` +
	`"io.modelcontextprotocol/clientCapabilities":{}}`

func modernCall(name, args string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call",`+
		`"params":{"name":%q,"arguments":%s,%s}}`, name, args, modernMeta)
}

func modernHeaders(method, name string) []string {
	return []string{"Mcp-Protocol-Version", "2026-07-28", "Mcp-Method", method, "Mcp-Name", name}
}
