package load

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

const (
	// hostileWorkers is the number of concurrent requests of a hostile client. hostileHeld is the
	// number of additional connections that it keeps open.
	hostileWorkers = 8
	hostileHeld    = 48
	// heldFor is the maximum time that it keeps them open.
	heldFor = 3 * time.Second
	// flood is the number of concurrent connections of one of the clients.
	flood = 1100
)

// A hostile is a client that makes hostile requests.
type hostile struct {
	ctx        context.Context
	addr, root string
	client     *http.Client
	dialer     *net.Dialer
	made       *atomic.Int64
	held       chan struct{} // contains a value for each connection kept open
	holding    sync.WaitGroup
}

func newHostile(ctx context.Context, addr, root string, i int) *hostile {
	h := &hostile{ctx: ctx, addr: addr, root: root, held: make(chan struct{}, hostileHeld)}
	h.client, h.dialer = clientFrom(2 + i)
	h.client.Transport.(*http.Transport).MaxIdleConnsPerHost = hostileWorkers
	return h
}

// attack makes hostile requests until the context is done, and counts them.
func (h *hostile) attack(made *atomic.Int64, floods bool) {
	h.made = made
	var workers sync.WaitGroup
	for range hostileWorkers {
		workers.Go(func() {
			for h.ctx.Err() == nil {
				if n := rand.IntN(1000); n < 30 {
					expensive[n%len(expensive)](h)
				} else {
					cheap[n%len(cheap)](h)
				}
			}
		})
	}
	for floods && h.ctx.Err() == nil {
		h.flood()
	}
	workers.Wait()
	h.holding.Wait()
	h.client.CloseIdleConnections()
}

// flood opens many connections, sends an incomplete request over each and closes them.
func (h *hostile) flood() {
	var open []net.Conn
	for range flood {
		conn, err := h.dialer.DialContext(h.ctx, "tcp", h.addr)
		if err != nil {
			break
		}
		h.made.Add(1)
		open = append(open, conn)
		_, _ = io.WriteString(conn, "POST /mcp HTTP/1.1\r\n")
	}
	select {
	case <-h.ctx.Done():
	case <-time.After(time.Second):
	}
	for _, conn := range open {
		_ = conn.Close()
	}
}

// send makes a request and reads the response.
func (h *hostile) send(r *http.Request) {
	h.made.Add(1)
	resp, err := h.client.Do(r)
	if err != nil {
		return
	}
	_, _ = io.Copy(io.Discard, resp.Body)
	_ = resp.Body.Close()
}

func (h *hostile) post(body string, header ...string) {
	h.send(post(h.ctx, h.addr, body, header...))
}

// call calls a tool, with or without a session.
func (h *hostile) call(name, format string, args ...any) {
	arguments := fmt.Sprintf(format, args...)
	if rand.IntN(2) == 0 {
		h.post(modernCall(name, arguments), modernHeaders("tools/call", name)...)
	} else {
		h.post(callOf(1, name, arguments), "Mcp-Protocol-Version", "2025-06-18")
	}
}

// hold writes to a new connection and keeps it open for a while, without reading.
func (h *hostile) hold(text string) {
	select {
	case h.held <- struct{}{}:
	default:
		return
	}
	h.made.Add(1)
	h.holding.Go(func() {
		defer func() { <-h.held }()
		conn, err := h.dialer.DialContext(h.ctx, "tcp", h.addr)
		if err != nil {
			return
		}
		defer conn.Close()
		_ = conn.SetDeadline(time.Now().Add(heldFor))
		_, _ = io.WriteString(conn, text)
		select {
		case <-h.ctx.Done():
		case <-time.After(time.Duration(rand.Int64N(int64(heldFor)))):
		}
	})
}

// raw returns a POST request.
func (h *hostile) raw(length int, body string, header ...string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "POST /mcp HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\n"+
		"Accept: application/json, text/event-stream\r\nContent-Length: %d\r\n", h.addr, length)
	for i := 0; i < len(header); i += 2 {
		fmt.Fprintf(&b, "%s: %s\r\n", header[i], header[i+1])
	}
	return b.String() + "\r\n" + body
}

// malformed contains messages that must be rejected.
var malformed = []string{
	`{`, ``, `[]`, `[1,1]`, `null`, `{"jsonrpc":"2.0","id":1.5,"method":"ping"}`,
	`{"jsonrpc":"2.0","id":18446744073709551617,"method":"ping"}`,
	`{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/list"}`,
	`{"jsonrpc":"2.0","id":1,"method":"no/such"}`,
	`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read_file","name":"tree"}}`,
	`{"jsonrpc":"2.0","id":1,"method":"` + strings.Repeat("m", 5000) + `"}`,
	`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"` + strings.Repeat("n", 5000) +
		`","arguments":{}}}`,
	`{"jsonrpc":"2.0","id":1,"method":"tools/call"}`,
	strings.Repeat("[", 2000),
	`{"jsonrpc":"2.0","id":1,"result":{}}`,
}

// cheap contains requests that are cheap for the client.
var cheap = []func(*hostile){
	func(h *hostile) { h.post(malformed[rand.IntN(len(malformed))]) },
	func(h *hostile) {
		h.post(malformed[rand.IntN(len(malformed))], "Mcp-Protocol-Version", "2025-03-26")
	},
	func(h *hostile) { // paths outside, denied paths and special files
		paths := []string{
			"/etc/passwd", "out/passwd", "up/x", "loop", "id_rsa", "p", "../x",
			h.root + strings.Repeat("/d/..", 700),
		}
		h.call("read_file", `{"path":%q}`, paths[rand.IntN(len(paths))])
	},
	func(h *hostile) { h.post(opening("2025-06-18")) },
	func(h *hostile) { // a request from another origin
		r := post(h.ctx, h.addr, opening("2025-06-18"), "Origin", "http://evil.example")
		if rand.IntN(2) == 0 {
			r.Header.Del("Origin")
			r.Host = "evil.example"
		}
		h.send(r)
	},
	func(h *hostile) { // a call that the client abandons
		timeout := time.Duration(rand.IntN(3000)) * time.Microsecond
		ctx, cancel := context.WithTimeout(h.ctx, timeout)
		defer cancel()
		h.send(post(ctx, h.addr, callOf(1, "read_file", `{"path":"long","limit":2000}`)))
	},
	func(h *hostile) { // other methods and paths
		r := post(h.ctx, h.addr, strings.Repeat("x", 1000))
		r.Method = []string{"PUT", "OPTIONS", "HEAD", "TRACE", "DELETE", "X"}[rand.IntN(6)]
		path := []string{"/", "/mcp/none", "/mcp/codex", "/healthz", "//mcp"}[rand.IntN(5)]
		r.URL = &url.URL{Scheme: "http", Host: h.addr, Path: path}
		h.send(r)
	},
}

// expensive contains requests that are large, slow, expensive to parse or incomplete.
var expensive = []func(*hostile){
	func(h *hostile) { h.post("[" + strings.Repeat("1,", 500_000) + "1]") },
	func(h *hostile) {
		h.post(`{"jsonrpc":"2.0","id":1,"method":"` + strings.Repeat("m", 1_000_000) + `"}`)
	},
	func(h *hostile) { h.post(strings.Repeat(" ", 2<<20)) },
	func(h *hostile) { // patterns that are expensive to parse
		classes := `\\w\\pL`
		n := []int{500, 20_000, 120_000}[rand.IntN(3)]
		h.call("search_text", `{"pattern":"[%s]"}`, strings.Repeat(classes, n))
		h.call("grep_files", `{"pattern":"(%s{9}){99}"}`, strings.Repeat(`\\w`, 200))
		h.call("grep_files", `{"pattern":"(%s"}`, strings.Repeat(`a`, 900_000))
	},
	func(h *hostile) { // globs of exponential size
		globs := []string{
			strings.Repeat("!(a)", 40), strings.Repeat("!(a|b|c|d)", 14), strings.Repeat("*!(a)*", 12),
			strings.Repeat("{a,b}", 40), "{1..80000}", strings.Repeat("*a", 2000),
			strings.Repeat("[!a]", 10_000),
		}
		glob := globs[rand.IntN(len(globs))]
		h.call("search_files", `{"path":%q,"pattern":%q}`, h.root, glob)
		h.call("search_files", `{"path":%q,"pattern":"x","excludePatterns":[%s"x"]}`, h.root,
			strings.Repeat(fmt.Sprintf("%q,", glob), 20))
		h.call("find_files", `{"pattern":%q}`, glob)
	},
	func(h *hostile) { // UTF-16
		h.call("read_file", `{"path":"utf16","offset":%d}`, 1+rand.IntN(600_000))
		h.call("search_text", `{"pattern":"nowhere","path":"utf16"}`)
	},
	func(h *hostile) { // long lists of arguments
		h.call("read_multiple_files", `{"paths":[%s1]}`, strings.Repeat("1,", 400_000))
		h.call("read_multiple_files", `{"paths":[%s"x"]}`, strings.Repeat(`"long",`, 10_000))
	},
	func(h *hostile) { // a result that the client does not read
		body := modernCall("read_file", fmt.Sprintf(`{"path":"%s/long"}`, h.root))
		h.hold(h.raw(len(body), body, modernHeaders("tools/call", "read_file")...))
	},
	func(h *hostile) { // a late page of a wide directory
		h.call("list_dir", `{"path":"wide","offset":%d,"limit":100}`, 1+rand.IntN(80_000))
	},
	func(h *hostile) { h.call("find_files", `{"pattern":"wide/*","sort":"modified"}`) },
	func(h *hostile) { h.hold(h.raw(1_000_000, strings.Repeat(" ", 500_000))) }, // never complete
	func(h *hostile) {
		h.hold("POST /mcp HTTP/1.1\r\nHost: " + h.addr + "\r\nX: " + strings.Repeat("x", 10_000))
	},
	func(h *hostile) {
		h.hold("GET /healthz HTTP/1.1\r\nHost: " + h.addr + "\r\nContent-Length: 1000\r\n\r\n{")
	},
	func(h *hostile) { h.hold("") },
	func(h *hostile) { // streams of notifications
		h.hold("GET /mcp HTTP/1.1\r\nHost: " + h.addr + "\r\nAccept: text/event-stream\r\n\r\n")
	},
	func(h *hostile) {
		body := `{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen",` +
			`"params":{"notifications":{"toolsListChanged":true},` + modernMeta + `}}`
		h.hold(h.raw(len(body), body,
			"Mcp-Protocol-Version", "2026-07-28", "Mcp-Method", "subscriptions/listen"))
	},
	func(h *hostile) { // many concurrent calls
		var calls sync.WaitGroup
		for range 20 {
			calls.Go(func() { h.call("read_file", `{"path":"long","offset":%d}`, 1+rand.IntN(100_000)) })
		}
		calls.Wait()
	},
}
