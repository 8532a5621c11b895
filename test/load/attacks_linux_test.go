package load

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"gander/internal/testkit"
	"gander/internal/testkit/messages"
	"gander/internal/testkit/program"
	"gander/internal/testkit/tooltest"
)

// An attack is a hostile request, as described in testdata/attacks.txt.
type attack struct{ kind, text string }

// attacks returns the hostile requests to a server by the heading of their list.
func attacks(t *testing.T, addr, root string) map[string][]attack {
	// The text of a repetition can contain parentheses and repetitions, two levels in all.
	inner := `[^()]|\([^()]*\)`
	repeated := regexp.MustCompile(`(\d+)\*\(((?:[^()]|\((?:` + inner + `)*\))*)\)`)
	lists := map[string][]attack{}
	for heading, lines := range tooltest.Rows(t, "attacks.txt") {
		for line := range strings.SplitSeq(lines, "\n") {
			kind, text, _ := strings.Cut(line, " ")
			text = strings.NewReplacer("ROOT", root, "ADDR", addr).Replace(text)
			for repeated.MatchString(text) {
				text = repeated.ReplaceAllStringFunc(text, func(found string) string {
					m := repeated.FindStringSubmatch(found)
					n, err := strconv.Atoi(m[1])
					testkit.Must(t, err)
					return strings.Repeat(m[2], n)
				})
			}
			switch tool, args, _ := strings.Cut(text, " "); kind {
			case "call":
				text = program.Call(1, tool, args)
			case "unread":
				body := program.Call(1, tool, args)
				if tool == "subscriptions/listen" {
					body = `{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen",` +
						`"params":{"notifications":{"toolsListChanged":true}}}`
				}
				var b strings.Builder
				testkit.Must(t, post(t.Context(), addr, body, true).Write(&b))
				text = b.String()
			case "held":
				text = strings.ReplaceAll(text, "|", "\r\n")
			}
			lists[heading] = append(lists[heading], attack{kind, text})
		}
	}
	r := rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64()))
	for _, method := range messages.Methods() {
		for _, m := range messages.Generate(r, method)[:20] {
			lists["cheap"] = append(lists["cheap"], attack{"message", m.Text(1, 1<<20)})
		}
	}
	return lists
}

// sendMessages sends generated messages to a program over streams until ctx is done. Now and then
// it sends a ping, which must get its response.
func sendMessages(ctx context.Context, t *testing.T, p *program.Process) {
	r := rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64()))
	pongs := make(chan struct{})
	go func() {
		defer close(pongs)
		for {
			line, err := p.Out.ReadString('\n')
			if err != nil {
				return
			}
			if strings.Contains(line, `"id":"last",`) {
				pongs <- struct{}{}
			}
		}
	}()
	sent := 0
	for methods := messages.Methods(); ctx.Err() == nil; {
		list := messages.Generate(r, methods[r.IntN(len(methods))])[:20]
		for _, m := range list {
			if _, err := fmt.Fprintln(p.In, m.Text(1, 1<<20)); err != nil {
				t.Errorf("after %d messages: %v", sent, err)
				return
			}
		}
		sent += len(list)
		_, err := fmt.Fprintln(p.In, `{"jsonrpc":"2.0","id":"last","method":"ping"}`)
		if _, ok := <-pongs; !ok {
			t.Errorf("the program ended after %d messages: %v", sent, err)
			return
		}
	}
	t.Logf("%d messages over streams", sent)
}

const (
	workers = 8    // concurrent requests of a hostile client
	holds   = 48   // connections that it keeps open besides
	flood   = 1100 // connections opened concurrently by one of the clients
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
func (h *hostile) attack(lists map[string][]attack, floods bool) {
	var all sync.WaitGroup
	for range workers {
		all.Go(func() {
			for h.ctx.Err() == nil {
				list := lists["cheap"]
				if rand.IntN(100) < 3 {
					list = lists["expensive"]
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

// make makes a request, with or without a session, and abandons some.
func (h *hostile) make(a attack) {
	h.made.Add(1)
	if a.kind == "unread" || a.kind == "held" {
		h.hold(a.text)
		return
	}
	ctx, cancel := context.WithCancel(h.ctx)
	defer cancel()
	if rand.IntN(8) == 0 {
		time.AfterFunc(time.Duration(rand.IntN(3000))*time.Microsecond, cancel)
	}
	if resp, err := h.client.Do(post(ctx, h.addr, a.text, rand.IntN(2) == 0)); err == nil {
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
