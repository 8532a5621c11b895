package mcphttp

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	// maxReceive is how long a request's body may take to arrive.
	maxReceive = 30 * time.Second
	// maxWrite is how long a client may take to read what is written to it at once.
	maxWrite = 30 * time.Second
)

// An impatient writer gives up a client that does not read. An answer as a whole may take as long as it takes.
type impatient struct{ http.ResponseWriter }

// Unwrap lets an [http.ResponseController] reach what lies below.
func (w impatient) Unwrap() http.ResponseWriter { return w.ResponseWriter }

func (w impatient) Write(b []byte) (int, error) {
	w.extend()
	return w.ResponseWriter.Write(b)
}

// extend gives the client time anew. Connections keep their deadlines from one request to the next.
func (w impatient) extend() {
	_ = http.NewResponseController(w.ResponseWriter).SetWriteDeadline(time.Now().Add(maxWrite)) // not every ResponseWriter can
}

// receive reads the body, within its bounds of size and time. It answers and reports false where that fails. The time
// is set for the body alone: answers may take as long as they take.
func (h *Handler) receive(w http.ResponseWriter, r *http.Request) bool {
	control := http.NewResponseController(w)
	_ = control.SetReadDeadline(time.Now().Add(maxReceive)) // not every ResponseWriter can
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	_ = control.SetReadDeadline(time.Time{})
	switch {
	case errors.As(err, new(*http.MaxBytesError)):
		h.refuse(w, r, http.StatusRequestEntityTooLarge, fmt.Sprintf("the body has more than %d bytes; send less in one request", maxBody))
	case err != nil:
		h.refuse(w, r, http.StatusBadRequest, "the body did not arrive")
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	return err == nil
}

// sessions bounds how many sessions there are.
type sessions struct {
	servers map[string]*mcp.Server
	mu      sync.Mutex
	opening int // requests under way that may open one, or have
}

func newSessions(servers map[string]*mcp.Server) *sessions { return &sessions{servers: servers} }

// An opener answers a request that may open a session. By the time of the answer it has, or it will not.
type opener struct {
	http.ResponseWriter
	answered func()
}

// Unwrap lets an [http.ResponseController] reach what lies below.
func (w opener) Unwrap() http.ResponseWriter { return w.ResponseWriter }

func (w opener) Write(b []byte) (int, error) {
	w.answered()
	return w.ResponseWriter.Write(b)
}

// enter makes room for a session that is about to be opened, and reports false where there is none. It counts until leave;
// from then on the session does, where there is one.
func (s *sessions) enter() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := s.opening
	for _, server := range s.servers {
		for session := range server.Sessions() {
			if session.ID() != "" {
				n++
			}
		}
	}
	if n >= maxSessions {
		return false
	}
	s.opening++
	return true
}

func (s *sessions) leave() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.opening--
}

// close ends all sessions, or gives up with ctx.
func (s *sessions) close(ctx context.Context) {
	var ending sync.WaitGroup
	for _, server := range s.servers {
		for session := range server.Sessions() {
			ending.Go(func() { session.Close() })
		}
	}
	done := make(chan struct{})
	go func() {
		ending.Wait()
		close(done)
	}()
	select {
	case <-done:
	case <-ctx.Done():
	}
}
