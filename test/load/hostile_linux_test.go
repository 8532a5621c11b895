package load

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"gander/internal/testkit"
	"gander/internal/testkit/fixture"
	"gander/internal/testkit/handles"
	"gander/internal/testkit/program"
)

// slowest is the maximum duration of a call by the ordinary client.
const slowest = 2 * time.Second

// TestHostileClients serves eight clients that make hostile requests over HTTP, and two over
// streams, of which one keeps changing its roots. Nobody reads the server's log. Calls by an
// ordinary client must be fast, and the server must need little memory and few threads, and keep no
// handle. GANDER_HOSTILE sets the duration.
func TestHostileClients(t *testing.T) {
	if testing.Short() {
		t.Skip("drives the program")
	}
	duration := 700 * time.Millisecond
	if text := os.Getenv("GANDER_HOSTILE"); text != "" {
		var err error
		duration, err = time.ParseDuration(text)
		testkit.Must(t, err)
	}
	root := hostileRoot(t, duration > time.Minute)
	server, addr := program.Serve(t, 0, "--tools", "all", "--root", root)
	ninth := newOrdinary(t, addr)
	for range 20 {
		ninth.call(t)
	}
	pid := strconv.Itoa(server.Pid)
	before := handles.CountOf(t, server.Pid)

	lists := attacks(t, addr, root)
	stream := program.Start(t, "mcp", "--root", root)

	ctx, cancel := context.WithTimeout(t.Context(), duration)
	defer cancel()
	var made atomic.Int64
	var clients sync.WaitGroup
	for i := range 8 {
		h := newHostile(ctx, addr, i, &made)
		clients.Go(func() { h.attack(lists, i == 0) })
	}
	clients.Go(func() { changeRoots(ctx, t, root) })
	clients.Go(func() { sendMessages(ctx, t, stream) })
	ninth.worst = 0
	for ctx.Err() == nil {
		ninth.call(t)
		time.Sleep(20 * time.Millisecond)
	}
	clients.Wait()

	after := handles.CountOf(t, server.Pid)
	for range 300 {
		if after <= before {
			break
		}
		time.Sleep(200 * time.Millisecond)
		after = handles.CountOf(t, server.Pid)
	}
	threads, err := os.ReadDir("/proc/" + pid + "/task")
	testkit.Must(t, err)
	t.Logf("%d handles before, %d after", before, after)
	t.Logf("%d hostile requests in %v; the slowest of %d ordinary calls took %v; %d threads",
		made.Load(), duration, ninth.made, ninth.worst, len(threads))
	server.CheckPeak(t, 200)
	stream.CheckPeak(t, 200)
	if made.Load() == 0 {
		t.Error("no hostile request was made")
	}
	if ninth.worst > slowest {
		t.Errorf("an ordinary call took %v", ninth.worst)
	}
	if after > before {
		t.Errorf("%d handles are left over", after-before)
	}
	// Go does not end threads, and each of the 64 concurrent calls can block one in a system call.
	if len(threads) > 96 {
		t.Errorf("%d threads", len(threads))
	}
}

// hostileRoot returns a root with files that make calls expensive.
func hostileRoot(t *testing.T, long bool) string {
	t.Helper()
	entries := []string{
		"small", "id_rsa", "d/a", "d/b/c", "loop => loop", "out => /etc", "up => ../..", "p|", "wide/",
	}
	for i := range 64 {
		entries = append(entries, fmt.Sprintf("roots/%d/", i))
	}
	root := fixture.Make(t, entries...)
	names := 2000
	if long {
		names = 100_000
	}
	for i := range names {
		testkit.Must(t, os.WriteFile(fmt.Sprintf("%s/wide/%0180d", root, i), nil, 0o644))
	}
	utf16 := "\xff\xfe" + strings.Repeat("a\x00 \x00l\x00i\x00n\x00e\x00\n\x00", 32<<20/14)
	testkit.Must(t, os.WriteFile(root+"/utf16", []byte(utf16), 0o644))
	text := strings.Repeat("a line of some length in a file of some size\n", 100_000)
	testkit.Must(t, os.WriteFile(root+"/long", []byte(text), 0o644))
	return root
}

// TestIdleConnections opens more connections than the server has file handles. They send at most
// half a request. Other clients must still be served, even at the same address.
func TestIdleConnections(t *testing.T) {
	for _, tt := range []struct {
		handles, connections int
		from                 []int // see clientFrom
	}{
		{1024, 1100, []int{2, 3, 4, 5, 6, 7, 8, 9}},
		{256, 300, []int{ordinaryAddress}},
		{64, 100, []int{2, ordinaryAddress}},
	} {
		_, addr := program.Serve(t, tt.handles, "--tools", "all", "--root", fixture.Make(t, "small"))
		for i := range tt.connections {
			_, dialer := clientFrom(tt.from[i%len(tt.from)])
			conn, err := dialer.DialContext(t.Context(), "tcp", addr)
			testkit.Must(t, err)
			defer conn.Close()
			if i%2 == 0 {
				_, err := io.WriteString(conn, "POST /mcp HTTP/1.1\r\nX: ")
				testkit.Must(t, err)
			}
		}
		start := time.Now()
		ordinary := newOrdinary(t, addr)
		for range 20 {
			ordinary.call(t)
		}
		if took := time.Since(start); took > slowest {
			t.Errorf("%+v: 20 ordinary calls took %v", tt, took)
		}
	}
}

// ordinaryAddress is the address of an ordinary client, for clientFrom.
const ordinaryAddress = 200

// clientFrom returns a client with the address 127.0.0.n.
func clientFrom(n int) (*http.Client, *net.Dialer) {
	local := &net.TCPAddr{IP: net.IPv4(127, 0, 0, byte(n))}
	d := &net.Dialer{LocalAddr: local, Timeout: 10 * time.Second}
	transport := &http.Transport{DialContext: d.DialContext, MaxIdleConnsPerHost: workers}
	return &http.Client{Transport: transport, Timeout: 30 * time.Second}, d
}

// An ordinary is a client that makes ordinary calls from its own address.
type ordinary struct {
	addr   string
	made   int
	worst  time.Duration
	client *http.Client
}

func newOrdinary(t *testing.T, addr string) *ordinary {
	o := &ordinary{addr: addr}
	o.client, _ = clientFrom(ordinaryAddress)
	t.Cleanup(o.client.CloseIdleConnections)
	return o
}

// call reads a small file.
func (o *ordinary) call(t *testing.T) {
	t.Helper()
	if text := o.read(t, "small"); !strings.Contains(text, `1\tsmall`) {
		t.Fatalf("an ordinary call: %.500s", text)
	}
}

// read reads a file, alternately with and without a session.
func (o *ordinary) read(t *testing.T, path string) string {
	t.Helper()
	o.made++
	message := program.Call(1, "gander/read_file", fmt.Sprintf(`{"path":%q}`, path))
	r := post(t.Context(), o.addr, message, o.made%2 == 0)
	start := time.Now()
	resp, err := o.client.Do(r)
	testkit.Must(t, err)
	body, err := io.ReadAll(resp.Body)
	testkit.Must(t, err)
	testkit.Must(t, resp.Body.Close())
	o.worst = max(o.worst, time.Since(start))
	if resp.StatusCode != http.StatusOK {
		t.Fatalf("an ordinary call of %s: %d %.500s", path, resp.StatusCode, body)
	}
	return string(body)
}

// post returns a request with a message. If it is modern, its revision is one without sessions.
func post(ctx context.Context, addr, body string, modern bool) *http.Request {
	modern = modern && strings.Contains(body, `"params":{`)
	if modern {
		body = strings.Replace(body, `"params":{`, `"params":{"_meta":{`+
			`"io.modelcontextprotocol/protocolVersion":"2026-07-28",`+
			`"io.modelcontextprotocol/clientCapabilities":{}},`, 1)
	}
	r, err := http.NewRequestWithContext(
		ctx, http.MethodPost, "http://"+addr+"/mcp", strings.NewReader(body))
	if err != nil {
		panic(err) // the method and the URL are valid
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	r.Header.Set("Mcp-Protocol-Version", "2025-06-18")
	if modern {
		value := func(key string) string {
			_, value, _ := strings.Cut(body, `"`+key+`":"`)
			value, _, _ = strings.Cut(value, `"`)
			return value
		}
		r.Header.Set("Mcp-Protocol-Version", "2026-07-28")
		r.Header.Set("Mcp-Method", value("method"))
		r.Header.Set("Mcp-Name", value("name"))
	}
	return r
}
