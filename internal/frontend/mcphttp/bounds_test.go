package mcphttp

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestBounds(t *testing.T) {
	s := serve(t, Options{})
	if code, _ := s.do(s.request(t.Context(), "POST", "/mcp", strings.Repeat(" ", maxBody)+list)); code != 413 {
		t.Errorf("a large body: %d", code)
	}
	chunked := s.request(t.Context(), "POST", "/mcp", "")
	chunked.Body, chunked.ContentLength = io.NopCloser(io.MultiReader(bytes.NewReader(make([]byte, maxBody+1)))), -1
	if code, _ := s.do(chunked); code != 413 {
		t.Errorf("a large body of unknown length: %d", code)
	}
	var entered []caller
	enter := func(client, address string, n int) bool {
		ok := s.h.calls.enter(caller{client, address}, n)
		if ok {
			entered = append(entered, slices.Repeat([]caller{{client, address}}, n)...)
		}
		return ok
	}
	for i := range maxCalls * 3 / 4 / maxShare {
		if !enter(fmt.Sprint(i), "a", maxShare) || enter(fmt.Sprint(i), "a", 1) {
			t.Fatal("a client has more or less than its share")
		}
	}
	for i := range maxCalls / 8 {
		if !enter(fmt.Sprint("new ", i), "a", 1) || enter(fmt.Sprint("new ", i), "a", 1) {
			t.Fatal("a client without calls finds no place, or gets one more")
		}
	}
	for i := range maxCalls / 8 {
		address := fmt.Sprint("b", i)
		if enter(fmt.Sprint("newer ", i), "a", 1) || !enter("at "+address, address, 1) {
			t.Fatal("a client at another address finds no place")
		}
	}
	resp, err := http.DefaultClient.Do(s.request(t.Context(), "POST", "/mcp", list))
	if err != nil || resp.StatusCode != 503 || resp.Header.Get("Retry-After") == "" {
		t.Errorf("too many requests: %v, %v", resp, err)
	}
	resp.Body.Close()
	if code, _ := s.do(s.request(t.Context(), "GET", "/healthz", "")); code != 200 {
		t.Errorf("health beside too many requests: %d", code)
	}
	for _, c := range entered {
		s.h.calls.leave(c, 1)
	}
	if s.h.calls.all != 0 || len(s.h.calls.by) != 0 {
		t.Errorf("%d calls and %d clients are left over", s.h.calls.all, len(s.h.calls.by))
	}
	for path, want := range map[string]int{"/": 404, "/mcp/": 404, "/mcp/none": 404, "/mcp": 200} {
		if code, _ := s.do(s.request(t.Context(), "POST", path, list)); code != want {
			t.Errorf("%s: %d, want %d", path, code, want)
		}
	}
}

// TestBatchCounts checks that a batch takes as many places as it has calls, and that further requests of its client are refused
// meanwhile.
func TestBatchCounts(t *testing.T) {
	s := serve(t, Options{})
	id := s.begin("2025-03-26")
	var members []string
	for i := range maxShare {
		members = append(members, strings.Replace(waiting, `"id":7`, fmt.Sprintf(`"id":%d`, i), 1))
	}
	answers := make(chan string)
	go func() {
		_, body := s.do(s.request(t.Context(), "POST", "/mcp", "["+strings.Join(members, ",")+"]", "Mcp-Session-Id", id))
		answers <- body
	}()
	for range members {
		<-s.started
	}
	for session, want := range map[string]int{id: 503, s.begin("2025-06-18"): 200} {
		if code, _ := s.do(s.request(t.Context(), "POST", "/mcp", `{"jsonrpc":"2.0","id":1,"method":"ping"}`, "Mcp-Session-Id", session)); code != want {
			t.Errorf("a request beside the batch: %d, want %d", code, want)
		}
	}
	for range members {
		s.leave <- struct{}{}
	}
	if n := strings.Count(<-answers, "waited"); n != len(members) {
		t.Errorf("%d of %d calls are answered", n, len(members))
	}
}

// TestLargeBodies checks that few large bodies are held at once.
func TestLargeBodies(t *testing.T) {
	s := serve(t, Options{})
	for range maxLarge {
		s.h.large <- struct{}{}
	}
	large := strings.Repeat(" ", smallBody) + list
	for _, tt := range []struct {
		body string
		want int
	}{{large, 503}, {list, 200}} {
		r := s.request(t.Context(), "POST", "/mcp", list)
		r.Body, r.ContentLength = io.NopCloser(strings.NewReader(tt.body)), int64(len(tt.body))
		if code, _ := s.do(r); code != tt.want {
			t.Errorf("%d bytes: %d, want %d", len(tt.body), code, tt.want)
		}
	}
	<-s.h.large
	r := s.request(t.Context(), "POST", "/mcp", list)
	r.Body, r.ContentLength = io.NopCloser(strings.NewReader(large)), int64(len(large))
	if code, _ := s.do(r); code != 200 || len(s.h.large) != maxLarge-1 {
		t.Errorf("with room: %d, and %d are held afterwards", code, len(s.h.large))
	}
}

// TestSessions checks that the number of sessions is bounded, and that one more ends the one that has been idle longest.
func TestSessions(t *testing.T) {
	s := serve(t, Options{})
	begin := func() string {
		t.Helper()
		resp, err := http.DefaultClient.Do(s.request(t.Context(), "POST", "/mcp", open))
		if err != nil || resp.StatusCode != 200 {
			t.Fatalf("%v, %v", resp, err)
		}
		resp.Body.Close()
		return resp.Header.Get("Mcp-Session-Id")
	}
	ping := func(id string) int {
		code, _ := s.do(s.request(t.Context(), "POST", "/mcp", `{"jsonrpc":"2.0","id":1,"method":"ping"}`, "Mcp-Session-Id", id))
		return code
	}
	first, second := begin(), begin()
	for range maxSessions - 2 {
		begin()
	}
	if code := ping(first); code != 200 {
		t.Errorf("the first session: %d", code)
	}
	last := begin()
	for start := time.Now(); ping(second) != 404; time.Sleep(time.Millisecond) {
		if time.Since(start) > 5*time.Second {
			t.Fatal("the session that was idle longest goes on")
		}
	}
	for _, id := range []string{first, last} {
		if code := ping(id); code != 200 {
			t.Errorf("a session that was used: %d", code)
		}
	}
	if code, _ := s.do(s.request(t.Context(), "POST", "/mcp", list)); code != 200 {
		t.Errorf("a request without a session: %d", code)
	}
	if code, _ := s.do(s.request(t.Context(), "DELETE", "/mcp", "", "Mcp-Session-Id", last)); code != 204 {
		t.Errorf("ended with %d", code)
	}
}

// TestIdleSession checks that the session which ends to make room is one of the address that has the most.
func TestIdleSession(t *testing.T) {
	s := newSessions(nil)
	start := time.Now()
	for i, address := range []string{"a", "b", "c", "b", "c", "b"} {
		s.uses[fmt.Sprint(i)] = &sessionUse{last: start.Add(time.Duration(i)), address: address}
	}
	s.uses["1"].requests = 1
	for _, want := range []string{"3", "2", "5", "0", "4", ""} {
		if got := s.idle(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
		delete(s.uses, want)
	}
}

// deadlines is a ResponseWriter that records its write deadlines.
type deadlines struct {
	http.ResponseWriter
	set []time.Time
}

func (d *deadlines) SetWriteDeadline(t time.Time) error {
	d.set = append(d.set, t)
	return nil
}

// TestWriteDeadline checks that a new deadline is set for every write, at the beginning and at the end of a request.
func TestWriteDeadline(t *testing.T) {
	s := serve(t, Options{})
	w := &deadlines{ResponseWriter: httptest.NewRecorder()}
	r := httptest.NewRequest("GET", "http://localhost/healthz", nil)
	begin := time.Now()
	s.h.ServeHTTP(w, r)
	if len(w.set) != 3 { // at the beginning, for the answer, at the end
		t.Fatalf("deadlines %v", w.set)
	}
	for _, d := range w.set {
		if d.Before(begin.Add(maxWrite)) {
			t.Errorf("a deadline after %v", d.Sub(begin))
		}
	}
}
