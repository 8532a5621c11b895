package mcphttp

import (
	"bytes"
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
	for range maxRequests {
		s.h.requests <- struct{}{}
	}
	resp, err := http.DefaultClient.Do(s.request(t.Context(), "POST", "/mcp", list))
	if err != nil || resp.StatusCode != 503 || resp.Header.Get("Retry-After") == "" {
		t.Errorf("too many requests: %v, %v", resp, err)
	}
	resp.Body.Close()
	for range maxRequests {
		<-s.h.requests
	}
	for path, want := range map[string]int{"/": 404, "/mcp/": 404, "/mcp/none": 404, "/mcp": 200} {
		if code, _ := s.do(s.request(t.Context(), "POST", path, list)); code != want {
			t.Errorf("%s: %d, want %d", path, code, want)
		}
	}
}

// TestSessions checks that the number of sessions is bounded, that requests without a session are served all the same, and
// that the end of one session makes room for another.
func TestSessions(t *testing.T) {
	s := serve(t, Options{})
	var last string
	for range maxSessions {
		resp, err := http.DefaultClient.Do(s.request(t.Context(), "POST", "/mcp", open))
		if err != nil || resp.StatusCode != 200 {
			t.Fatalf("%v, %v", resp, err)
		}
		resp.Body.Close()
		last = resp.Header.Get("Mcp-Session-Id")
	}
	if code, body := s.do(s.request(t.Context(), "POST", "/mcp", open)); code != 503 || !strings.Contains(body, "too many sessions") {
		t.Errorf("%d %s", code, body)
	}
	if code, _ := s.do(s.request(t.Context(), "POST", "/mcp", list)); code != 200 {
		t.Errorf("a request without a session: %d", code)
	}
	if code, _ := s.do(s.request(t.Context(), "DELETE", "/mcp", "", "Mcp-Session-Id", last)); code != 204 {
		t.Errorf("ended with %d", code)
	}
	if code, body := s.do(s.request(t.Context(), "POST", "/mcp", open)); code != 200 {
		t.Errorf("%d %s", code, body)
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
	if len(w.set) != 3 { // at the beginning, for the body, at the end
		t.Fatalf("deadlines %v", w.set)
	}
	for _, d := range w.set {
		if d.Before(begin.Add(maxWrite)) {
			t.Errorf("a deadline after %v", d.Sub(begin))
		}
	}
}
