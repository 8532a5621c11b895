package mcpserver

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"gander"
	"gander/internal/testkit"
	"gander/internal/testkit/handles"
	"gander/internal/testkit/messages"
	"gander/internal/testkit/ripgrep"
)

// TestMessages sends generated messages: every method of every revision, and some of none, with
// every kind of id and parameters, in every state of a session and over HTTP. Each request with a
// valid id must get exactly one response, a notification none, and a ping afterwards its response.
// No response repeats a long string. GANDER_MESSAGES sets how many messages of each method are
// sent, of about 800.
func TestMessages(t *testing.T) {
	before := handles.Count(t)
	r := rand.New(rand.NewPCG(1, 2))
	type connector func(*testing.T, *mcp.Server, func(peer))
	run := func(tools, transport string, connect connector) {
		t.Run(tools+", "+transport, func(t *testing.T) {
			s := openServer(t, tools)
			sendAll(t, r, func(f func(peer)) { connect(t, s, f) })
		})
	}
	for _, tools := range []string{"gander", "filesystem"} {
		for _, begin := range []string{"", opening, opening + initialized + "\n"} {
			state := fmt.Sprintf("after %d lines", strings.Count(begin, "\n"))
			run(tools, state, func(t *testing.T, s *mcp.Server, f func(peer)) {
				overStdio(t, s, begin, f)
			})
		}
		for _, revision := range []string{"", "2025-03-26", lastHandshake, modern} {
			run(tools, "HTTP "+revision, func(_ *testing.T, s *mcp.Server, f func(peer)) {
				f(overHTTP(Handler(s, nil), revision))
			})
		}
	}
	if left := handles.Count(t); left > before {
		t.Errorf("%d handles before, %d after", before, left)
	}
}

// TestTransportsAgree checks that a request gets the same response in a session and over HTTP.
func TestTransportsAgree(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	web := overHTTP(Handler(openServer(t, "gander"), nil), lastHandshake)
	overStdio(t, openServer(t, "gander"), opening+initialized+"\n", func(session peer) {
		for _, method := range messages.Methods() {
			for _, m := range messages.Generate(r, method)[:20] {
				text := m.Text(1, maxMessage/16)
				if m.ID != messages.ValidID || method == "initialize" || strings.Contains(text, "2026-07-28") {
					continue // A session has a state, and a request over HTTP has headers.
				}
				want := session.send(t, []string{text}, 1)
				got := web.send(t, []string{text}, 1)
				compare(t, strings.Join(want, "\n"), strings.Join(got, "\n"))
				if t.Failed() {
					t.Fatalf("in a session, and over HTTP: %.500s", text)
				}
			}
		}
	})
}

func openServer(t testing.TB, tools string) *mcp.Server {
	t.Helper()
	ts := testkit.Open(t, gander.Options{Roots: []string{t.TempDir()}, Tools: []string{tools}})
	return New(ts, nil)
}

func sendAll(t *testing.T, r *rand.Rand, connect func(func(peer))) {
	sampled, sent := max(ripgrep.Cases(t, "GANDER_MESSAGES", 3), 1), 0
	for _, method := range messages.Methods() {
		all := messages.Generate(r, method)
		all = all[:min(sampled, len(all))]
		connect(func(p peer) {
			for _, m := range all {
				if t.Failed() {
					return
				}
				p.exchange(t, m)
				sent++
			}
		})
	}
	var memory runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&memory)
	t.Logf("%d messages; %d MiB of heap and %d goroutines afterwards",
		sent, memory.HeapAlloc>>20, runtime.NumGoroutine())
}

// A peer is a client. Its function sends messages, and returns at least want responses in time.
type peer struct {
	ping string
	send func(t *testing.T, texts []string, want int) []string
}

func (p peer) exchange(t *testing.T, m messages.Message) {
	t.Helper()
	text, want, nulls := m.Text(100, maxMessage-1000), map[any]bool{"ping": true}, 0
	switch m.ID {
	case messages.ValidID:
		want[idOf(t, text)] = true
	case messages.WrongID:
		nulls++
	}
	got := p.send(t, []string{text, p.ping}, len(want)+nulls)
	for _, text := range got {
		var r struct {
			JSONRPC       string
			ID            any
			Result, Error json.RawMessage
		}
		if err := json.Unmarshal([]byte(text), &r); err != nil || r.JSONRPC != "2.0" {
			t.Errorf("not a message: %.500s", text)
		}
		if (r.Result == nil) == (r.Error == nil) {
			t.Errorf("neither a result nor an error: %.500s", text)
		}
		longest := 2 * maxErrorText
		if r.Result != nil {
			longest = 17 << 10 // The tools of the filesystem server repeat paths.
		}
		if strings.Contains(text, strings.Repeat(messages.Filler, longest)) {
			t.Errorf("%d bytes in response: %.500s", len(text), text)
		}
		if want[r.ID] {
			delete(want, r.ID)
		} else if nulls--; r.Error == nil {
			t.Errorf("a result for no request: %.500s", text)
		}
	}
	if len(want) > 0 || nulls != 0 {
		t.Errorf("%v are unanswered; %d too few errors without an id", want, nulls)
	}
	if t.Failed() {
		t.Fatalf("responses: %.2000s\nto %.2000s", got, text)
	}
}

func idOf(t *testing.T, text string) any {
	t.Helper()
	var m struct{ ID any }
	testkit.Must(t, json.Unmarshal([]byte(text), &m))
	return m.ID
}

// responsesIn returns the response in a line or a body, if there is one.
func responsesIn(text string) (all []string) {
	if text == "" || strings.Contains(text, `"method":"notifications/`) {
		return nil
	}
	return []string{text}
}

type stdioSession struct {
	io.WriteCloser
	lines chan string // of the server
	ended chan error
}

func startStdio(ctx context.Context, s *mcp.Server) stdioSession {
	in, client := io.Pipe()
	server, out := io.Pipe()
	session := stdioSession{client, make(chan string, 1000), make(chan error, 1)}
	go func() {
		session.ended <- ServeStdio(ctx, s, in, out)
		in.Close()
		out.Close()
	}()
	go func() {
		defer close(session.lines)
		for r := bufio.NewReader(server); ; {
			l, err := r.ReadString('\n')
			if err != nil {
				return
			}
			session.lines <- l
		}
	}()
	return session
}

func overStdio(t *testing.T, s *mcp.Server, begin string, f func(peer)) {
	session := startStdio(context.Background(), s)
	send := func(t *testing.T, texts []string, want int) (all []string) {
		text := strings.Join(texts, "\n")
		if _, err := io.WriteString(session, text+"\n"); err != nil {
			t.Fatalf("the session has ended: %v\n%.500s", err, text)
		}
		limit := time.After(waitTimeout)
		for len(all) < want {
			select {
			case l, ok := <-session.lines:
				if !ok {
					t.Fatalf("the session ended with %v\n%.500s", <-session.ended, text)
				}
				all = append(all, responsesIn(strings.TrimSpace(l))...)
			case <-limit:
				return all
			}
		}
		return all
	}
	if begin != "" {
		send(t, strings.Split(strings.TrimSpace(begin), "\n"), 1)
	}
	f(peer{`{"jsonrpc":"2.0","id":"ping","method":"ping"}`, send})
	session.Close()
	testkit.Must(t, <-session.ended)
}

// overHTTP returns a client that states a revision in its requests.
func overHTTP(h http.Handler, revision string) peer {
	send := func(t *testing.T, texts []string, _ int) (all []string) {
		for _, text := range texts {
			var m struct {
				Method any
				Params json.RawMessage
			}
			var p struct{ Name any }
			_ = json.Unmarshal([]byte(text), &m) // It can be anything.
			_ = json.Unmarshal(m.Params, &p)
			r := request(t, "POST", "http://localhost/mcp", text)
			if revision != "" {
				r.Header.Set("Mcp-Protocol-Version", revision)
			}
			if revision == modern {
				r.Header.Set("Mcp-Method", fmt.Sprint(m.Method))
				r.Header.Set("Mcp-Name", fmt.Sprint(p.Name))
			}
			w := httptest.NewRecorder()
			h.ServeHTTP(w, r)
			body := w.Body.String()
			if strings.HasPrefix(w.Header().Get("Content-Type"), "text/event-stream") {
				for l := range strings.Lines(body) {
					if data, ok := strings.CutPrefix(l, "data: "); ok {
						all = append(all, responsesIn(data)...)
					}
				}
				continue
			}
			all = append(all, responsesIn(body)...)
		}
		return all
	}
	ping := `{"jsonrpc":"2.0","id":"ping","method":"ping"}`
	if revision == modern {
		ping = `{"jsonrpc":"2.0","id":"ping","method":"tools/list","params":{` + modernMeta + `}}`
	}
	return peer{ping, send}
}
