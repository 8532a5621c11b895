package load

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"gander/internal/testkit/program"
)

// An attack is a hostile request: a call, a message, or text for a connection that is kept open
// without reading.
type attack struct{ tool, args, message, held string }

// cheapAttacks returns requests that are cheap for the client.
func cheapAttacks(root string) (list []attack) {
	for _, message := range []string{ // which are malformed, except for the last
		`{`, ``, `[]`, `[1,1]`, `null`, `{"jsonrpc":"2.0","id":1.5,"method":"ping"}`,
		`{"jsonrpc":"2.0","id":18446744073709551617,"method":"ping"}`,
		`{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/list"}`,
		`{"jsonrpc":"2.0","id":1,"method":"no/such"}`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"tree","name":"tree"}}`,
		`{"jsonrpc":"2.0","id":1,"method":"` + strings.Repeat("m", 5000) + `"}`,
		program.Call(1, strings.Repeat("n", 5000), `{}`),
		`{"jsonrpc":"2.0","id":1,"method":"tools/call"}`,
		strings.Repeat("[", 2000),
		`{"jsonrpc":"2.0","id":1,"result":{}}`,
		program.Initialize("2025-06-18"),
	} {
		list = append(list, attack{message: message})
	}
	for _, path := range []string{
		"/etc/passwd", "out/passwd", "up/x", "loop", "id_rsa", "p", "../x",
		root + strings.Repeat("/d/..", 700),
	} {
		args := fmt.Sprintf(`{"path":%q}`, path)
		list = append(list, attack{tool: "gander/read_file", args: args})
	}
	return list
}

// expensiveAttacks returns requests that are large, slow, expensive to parse or incomplete.
func expensiveAttacks(addr, root string) []attack {
	message := func(text string) attack { return attack{message: text} }
	call := func(tool, format string, args ...any) attack {
		return attack{tool: tool, args: fmt.Sprintf(format, args...)}
	}
	post := func(length int, body string, header ...string) attack {
		return attack{held: "POST /mcp HTTP/1.1\r\nHost: " + addr + "\r\n" +
			"Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n" +
			fmt.Sprintf("Content-Length: %d\r\n", length) + strings.Join(header, "\r\n") +
			"\r\n" + body}
	}
	get := func(header string) attack {
		return attack{held: "GET /mcp HTTP/1.1\r\nHost: " + addr + "\r\n" + header}
	}
	const listen = `{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen",` +
		`"params":{"notifications":{"toolsListChanged":true},` + modernMeta + `}}`
	long := modernCall("gander_read_file", `{"path":"long"}`)
	list := []attack{
		message("[" + strings.Repeat("1,", 500_000) + "1]"),
		message(`{"jsonrpc":"2.0","id":1,"method":"` + strings.Repeat("m", 1_000_000) + `"}`),
		message(strings.Repeat(" ", 2<<20)),
		call("gander/search_text", `{"pattern":"[%s]"}`, strings.Repeat(`\\w\\pL`, 120_000)),
		call("codex/grep_files", `{"pattern":"(%s{9}){99}"}`, strings.Repeat(`\\w`, 200)),
		call("codex/grep_files", `{"pattern":"(%s"}`, strings.Repeat(`a`, 900_000)),
		call("gander/read_file", `{"path":"utf16","offset":600000}`),
		call("gander/search_text", `{"pattern":"nowhere","path":"utf16"}`),
		call("filesystem/read_multiple_files", `{"paths":[%s1]}`, strings.Repeat("1,", 400_000)),
		call("filesystem/read_multiple_files", `{"paths":[%s"x"]}`,
			strings.Repeat(`"long",`, 10_000)),
		call("gander/list_dir", `{"path":"wide","offset":70000,"limit":100}`),
		call("gander/find_files", `{"pattern":"wide/*","sort":"modified"}`),
		call("gander/read_file", `{"path":"long","offset":90000}`),
		post(len(long), long, "Mcp-Protocol-Version: 2026-07-28", "Mcp-Method: tools/call",
			"Mcp-Name: gander_read_file", ""), // a result that is not read
		post(1_000_000, strings.Repeat(" ", 500_000)), // never complete
		post(len(listen), listen,
			"Mcp-Protocol-Version: 2026-07-28", "Mcp-Method: subscriptions/listen", ""),
		get("X: " + strings.Repeat("x", 10_000)), get("Content-Length: 1000\r\n\r\n{"),
		get("Accept: text/event-stream\r\n\r\n"),
	}
	for _, glob := range []string{ // of exponential size
		strings.Repeat("!(a)", 40), strings.Repeat("!(a|b|c|d)", 14), strings.Repeat("*!(a)*", 12),
		strings.Repeat("{a,b}", 40), "{1..80000}", strings.Repeat("*a", 2000),
		strings.Repeat("[!a]", 10_000),
	} {
		exclude := strings.Repeat(fmt.Sprintf("%q,", glob), 20)
		list = append(list, call("gander/find_files", `{"pattern":%q}`, glob),
			call("filesystem/search_files", `{"path":%q,"pattern":"x","excludePatterns":[%s"x"]}`,
				root, exclude))
	}
	return list
}

const (
	workers = 8    // concurrent requests of a hostile client
	holds   = 48   // connections that it keeps open besides
	flood   = 1100 // connections that one of the clients opens at once
	heldFor = 3 * time.Second
)

// A hostile is a client that makes hostile requests.
type hostile struct {
	ctx     context.Context
	addr    string
	client  *http.Client
	dialer  *net.Dialer
	made    *atomic.Int64
	held    chan struct{} // contains a value for each connection kept open
	holding sync.WaitGroup
}

// newHostile returns a client with an address of its own, which adds its requests to made.
func newHostile(ctx context.Context, addr string, i int, made *atomic.Int64) *hostile {
	h := &hostile{ctx: ctx, addr: addr, made: made, held: make(chan struct{}, holds)}
	h.client, h.dialer = clientFrom(2 + i)
	return h
}

// attack makes requests until the context is done.
func (h *hostile) attack(cheap, expensive []attack, floods bool) {
	var all sync.WaitGroup
	for range workers {
		all.Go(func() {
			for h.ctx.Err() == nil {
				list := cheap
				if rand.IntN(100) < 3 {
					list = expensive
				}
				h.make(list[rand.IntN(len(list))])
			}
		})
	}
	for floods && h.ctx.Err() == nil {
		h.flood()
	}
	all.Wait()
	h.holding.Wait()
	h.client.CloseIdleConnections()
}

// make makes a request, and abandons some. Calls have a session or not.
func (h *hostile) make(a attack) {
	h.made.Add(1)
	if a.held != "" {
		h.hold(a.held)
		return
	}
	ctx, cancel := context.WithCancel(h.ctx)
	defer cancel()
	if rand.IntN(8) == 0 {
		time.AfterFunc(time.Duration(rand.IntN(3000))*time.Microsecond, cancel)
	}
	r := post(ctx, h.addr, a.message)
	if a.tool != "" {
		r = callRequest(ctx, h.addr, a.tool, a.args, rand.IntN(2) == 0)
	}
	if resp, err := h.client.Do(r); err == nil {
		_, _ = io.Copy(io.Discard, resp.Body)
		_ = resp.Body.Close()
	}
}

// hold writes to a new connection and keeps it open for a while, without reading.
func (h *hostile) hold(text string) {
	select {
	case h.held <- struct{}{}:
	default:
		return
	}
	h.holding.Go(func() {
		defer func() { <-h.held }()
		conn, err := h.dialer.DialContext(h.ctx, "tcp", h.addr)
		if err != nil {
			return
		}
		defer conn.Close()
		_ = conn.SetDeadline(time.Now().Add(heldFor))
		_, _ = io.WriteString(conn, text)
		h.wait(time.Duration(rand.Int64N(int64(heldFor))))
	})
}

// flood opens many connections, sends an incomplete request over each and closes them.
func (h *hostile) flood() {
	for range flood {
		conn, err := h.dialer.DialContext(h.ctx, "tcp", h.addr)
		if err != nil {
			break
		}
		defer conn.Close()
		h.made.Add(1)
		_, _ = io.WriteString(conn, "POST /mcp HTTP/1.1\r\n")
	}
	h.wait(time.Second)
}

func (h *hostile) wait(d time.Duration) {
	select {
	case <-h.ctx.Done():
	case <-time.After(d):
	}
}
