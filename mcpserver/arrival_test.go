package mcpserver

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"gander/internal/admission"
)

// A lateBody is an empty body. Before it ends, its request is dropped.
type lateBody struct{ h *handler }

func (b lateBody) Read([]byte) (int, error) {
	for i := range requestBytes / requestCost {
		from := admission.Caller{Client: "192.0.2.1", Connection: fmt.Sprint(i)}
		b.h.requests.Open(from).Try(requestCost)
	}
	return 0, io.EOF
}

// TestGivenUpConnection checks that the connection of a dropped request closes, even if its body
// has just ended: the deadline has then ended the context of the connection.
func TestGivenUpConnection(t *testing.T) {
	server, _ := newWaiting(t)
	h, ok := Handler(server, nil).(*handler)
	if !ok {
		t.Fatal("another handler")
	}
	w := httptest.NewRecorder()
	r := httptest.NewRequest("POST", "http://localhost/mcp", lateBody{h})
	r.RemoteAddr = "192.0.2.1:80"
	h.ServeHTTP(w, r)
	if w.Code != http.StatusServiceUnavailable || w.Header().Get("Connection") != "close" {
		t.Errorf("%d, %v", w.Code, w.Header())
	}
}

// TestUnknownLengths checks that calls cost the length of their bodies, even if not sent first.
func TestUnknownLengths(t *testing.T) {
	server, wait := newWaiting(t)
	url := listenAt(t, server, nil)
	var calls sync.WaitGroup
	for range 48 {
		calls.Go(func() {
			r := request(t, "POST", url+"/mcp", "")
			r.Body, r.ContentLength = io.NopCloser(strings.NewReader(waitCall)), -1
			if code, body := do(t, r); code != 200 || !strings.Contains(body, "waited") {
				t.Errorf("%d %s", code, body)
			}
		})
	}
	late := time.After(waitTimeout)
	for i := range 48 {
		select {
		case <-wait.started:
			continue
		case <-late:
			t.Errorf("only %d calls run concurrently", i)
		}
		break
	}
	close(wait.release)
	calls.Wait()
}
