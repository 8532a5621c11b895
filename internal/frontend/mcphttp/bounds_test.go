package mcphttp

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
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
	for i := range maxCalls / maxShare {
		if !s.h.calls.enter(fmt.Sprint(i), maxShare) || s.h.calls.enter(fmt.Sprint(i), 1) {
			t.Fatal("a client has more or less than its share")
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
	for i := range maxCalls / maxShare {
		s.h.calls.leave(fmt.Sprint(i), maxShare)
	}
	for path, want := range map[string]int{"/": 404, "/mcp/": 404, "/mcp/none": 404, "/mcp": 200} {
		if code, _ := s.do(s.request(t.Context(), "POST", path, list)); code != want {
			t.Errorf("%s: %d, want %d", path, code, want)
		}
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
