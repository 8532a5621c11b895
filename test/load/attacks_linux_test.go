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
	// hostileWorkers is how many requests a hostile client makes at once, and hostileHeld how many more it holds open.
	hostileWorkers = 8
	hostileHeld    = 48
	// heldFor is how long it holds them.
	heldFor = 3 * time.Second
)

// A hostile client makes hostile requests.
type hostile struct {
	ctx        context.Context
	addr, root string
	client     *http.Client
	dialer     *net.Dialer
	made       *atomic.Int64
	held       chan struct{} // holds a value for each connection that is held open
	holding    sync.WaitGroup
}

func newHostile(ctx context.Context, addr, root string, i int) *hostile {
	h := &hostile{ctx: ctx, addr: addr, root: root, held: make(chan struct{}, hostileHeld)}
	h.client, h.dialer = clientFrom(2 + i)
	h.client.Transport.(*http.Transport).MaxIdleConnsPerHost = hostileWorkers
	return h
}

// attack makes hostile requests until the context ends, and counts them.
func (h *hostile) attack(made *atomic.Int64) {
	h.made = made
	var workers sync.WaitGroup
	for range hostileWorkers {
		workers.Go(func() {
			for h.ctx.Err() == nil {
				if n := rand.IntN(1000); n < 15 {
					expensive[n%len(expensive)](h)
				} else {
					cheap[n%len(cheap)](h)
				}
			}
		})
	}
	workers.Wait()
	h.holding.Wait()
	h.client.CloseIdleConnections()
}

// send sends a request and reads the answer, whatever it is.
func (h *hostile) send(r *http.Request) {
	h.made.Add(1)
	resp, err := h.client.Do(r)
	if err != nil {
		return
	}
	_, _ = io.Copy(io.Discard, resp.Body)
	_ = resp.Body.Close()
}

func (h *hostile) post(body string, header ...string) { h.send(post(h.ctx, h.addr, body, header...)) }

// hold writes to a connection of its own and leaves it open, unread, for a while.
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

// raw returns the text of a POST.
func (h *hostile) raw(length int, body string, header ...string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "POST /mcp HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\nContent-Length: %d\r\n", h.addr, length)
	for i := 0; i < len(header); i += 2 {
		fmt.Fprintf(&b, "%s: %s\r\n", header[i], header[i+1])
	}
	return b.String() + "\r\n" + body
}

func (h *hostile) read(path string) string {
	return callOf("read_file", fmt.Sprintf(`{"path":%q,"limit":%d}`, path, 2000))
}

func (h *hostile) modern(name, args string) {
	h.post(modernCall(name, args), modernHeaders("tools/call", name)...)
}

// malformed are messages that are refused, or that must be.
var malformed = []string{
	`{`, ``, `[]`, `[1,1]`, `null`, `{"jsonrpc":"2.0","id":1.5,"method":"ping"}`, `{"jsonrpc":"2.0","id":18446744073709551617,"method":"ping"}`,
	`{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/list"}`, `{"jsonrpc":"2.0","id":1,"method":"no/such"}`,
	`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read_file","name":"tree","arguments":{}}}`,
	`{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"explain","arguments":{"path":"\ud800"}}}`,
	`{"jsonrpc":"2.0","id":1,"method":"` + strings.Repeat("m", 5000) + `"}`,
	`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"` + strings.Repeat("n", 5000) + `","arguments":{}}}`,
	`{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"file:///` + strings.Repeat("u", 5000) + `"}}`,
	`{"jsonrpc":"2.0","id":1,"method":"tools/call"}`, strings.Repeat("[", 2000), `{"jsonrpc":"2.0","id":1,"result":{}}`,
}

// cheap are the kinds of hostile request that cost the client little.
var cheap = []func(*hostile){
	func(h *hostile) { h.post(malformed[rand.IntN(len(malformed))]) },
	func(h *hostile) { h.post(malformed[rand.IntN(len(malformed))], "Mcp-Protocol-Version", "2025-03-26") },
	func(h *hostile) { // paths that lead outside, or to what is denied or no file
		paths := []string{"/etc/passwd", h.root + "/out/passwd", h.root + "/up/x", h.root + "/loop", h.root + "/id_rsa", h.root + "/p", h.root + "/../x", h.root + strings.Repeat("/d/..", 700)}
		h.modern("read_file", fmt.Sprintf(`{"path":%q}`, paths[rand.IntN(len(paths))]))
	},
	func(h *hostile) { // a batch where there may be some
		h.post("[" + strings.Repeat(h.read(h.root+"/small")+",", 3) + h.read(h.root+"/small") + "]")
	},
	func(h *hostile) { h.post(opening([]string{"2025-03-26", "2025-06-18"}[rand.IntN(2)])) },
	func(h *hostile) { // a page of another site
		r := post(h.ctx, h.addr, opening("2025-06-18"), "Origin", "http://evil.example")
		if rand.IntN(2) == 0 {
			r.Header.Del("Origin")
			r.Host = "evil.example"
		}
		h.send(r)
	},
	func(h *hostile) { // a call that nobody waits for
		ctx, cancel := context.WithTimeout(h.ctx, time.Duration(rand.IntN(3000))*time.Microsecond)
		defer cancel()
		h.send(post(ctx, h.addr, h.read(h.root+"/long")))
	},
	func(h *hostile) { // other methods and paths
		r := post(h.ctx, h.addr, strings.Repeat("x", 1000))
		r.Method = []string{"PUT", "OPTIONS", "HEAD", "TRACE", "X"}[rand.IntN(5)]
		r.URL = &url.URL{Scheme: "http", Host: h.addr, Path: []string{"/", "/mcp/none", "/mcp/codex", "/healthz", "//mcp"}[rand.IntN(5)]}
		h.send(r)
	},
}

// expensive are the kinds that are large, slow or never end.
var expensive = []func(*hostile){
	func(h *hostile) { h.post("[" + strings.Repeat("1,", 500_000) + "1]") },
	func(h *hostile) { h.post(`{"jsonrpc":"2.0","id":1,"method":"` + strings.Repeat("m", 1_000_000) + `"}`) },
	func(h *hostile) { h.post(strings.Repeat(" ", 2<<20)) },
	func(h *hostile) { // answers of a batch that are not read
		body := "[" + strings.Repeat(h.read(h.root+"/long")+",", 63) + h.read(h.root+"/long") + "]"
		h.hold(h.raw(len(body), body))
	},
	func(h *hostile) { // an answer that is not read
		body := modernCall("read_file", fmt.Sprintf(`{"path":"%s/long"}`, h.root))
		h.hold(h.raw(len(body), body, modernHeaders("tools/call", "read_file")...))
	},
	func(h *hostile) { // a page deep in a wide directory
		h.modern("list_dir", fmt.Sprintf(`{"path":"%s/wide","offset":%d,"limit":100}`, h.root, 1+rand.IntN(80_000)))
	},
	func(h *hostile) { h.hold(h.raw(1_000_000, strings.Repeat(" ", 500_000))) }, // a body that does not end
	func(h *hostile) {
		h.hold("POST /mcp HTTP/1.1\r\nHost: " + h.addr + "\r\nX: " + strings.Repeat("x", 10_000))
	},
	func(h *hostile) {
		h.hold("GET /healthz HTTP/1.1\r\nHost: " + h.addr + "\r\nContent-Length: 1000\r\n\r\n{")
	},
	func(h *hostile) { h.hold("") },
	func(h *hostile) { // a stream of notifications
		body := `{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true},` + modernMeta + `}}`
		h.hold(h.raw(len(body), body, "Mcp-Protocol-Version", "2026-07-28", "Mcp-Method", "subscriptions/listen"))
	},
	func(h *hostile) { // patterns that are large once they are parsed
		h.modern("search_text", fmt.Sprintf(`{"pattern":"[%s]"}`, strings.Repeat(`\\w`, 200_000)))
	},
	func(h *hostile) { h.modern("search_text", fmt.Sprintf(`{"pattern":%q}`, strings.Repeat(`\w`, 4000))) },
	func(h *hostile) { // globs that are slow
		globs := []string{strings.Repeat("!(a)", 40), strings.Repeat("*!(a)*", 12), "{1..80000}", strings.Repeat("{a,b}", 40)}
		h.modern("find_files", fmt.Sprintf(`{"pattern":%q}`, globs[rand.IntN(len(globs))]))
	},
	func(h *hostile) { h.modern("read_file", `{"path":"utf16","limit":2000}`) },
	func(h *hostile) { h.modern("read_file", `{"path":[`+strings.Repeat("1,", 400_000)+`1]}`) },
	func(h *hostile) { // many connections
		for range hostileHeld {
			h.hold("")
		}
	},
	func(h *hostile) { // many calls of one client at once
		var calls sync.WaitGroup
		for range 20 {
			calls.Go(func() { h.modern("read_file", fmt.Sprintf(`{"path":"long","offset":%d}`, 1+rand.IntN(100_000))) })
		}
		calls.Wait()
	},
}
