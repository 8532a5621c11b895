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
	// maxReceive is the time in which the body of a request must arrive.
	maxReceive = 30 * time.Second
	// maxWrite is the time in which a client must read what one Write has written.
	maxWrite = 30 * time.Second
)

// A writeDeadlineWriter sets a new deadline for each Write. It ends a connection whose client does not read, and lets an
// answer as a whole take any time.
type writeDeadlineWriter struct{ http.ResponseWriter }

// Unwrap is for [http.ResponseController].
func (w writeDeadlineWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

func (w writeDeadlineWriter) Write(b []byte) (int, error) {
	w.extend()
	return w.ResponseWriter.Write(b)
}

// extend sets a new deadline. A connection keeps its deadline from one request to the next.
func (w writeDeadlineWriter) extend() {
	_ = http.NewResponseController(w.ResponseWriter).SetWriteDeadline(time.Now().Add(maxWrite)) // Not every ResponseWriter has deadlines.
}

// receive reads the body of a request, which may have [maxBody] bytes and take [maxReceive]. If it cannot, it answers the
// request and reports false.
func (h *Handler) receive(w http.ResponseWriter, r *http.Request) bool {
	control := http.NewResponseController(w)
	_ = control.SetReadDeadline(time.Now().Add(maxReceive)) // Not every ResponseWriter has deadlines.
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

// sessions bounds the number of sessions.
type sessions struct {
	servers map[string]*mcp.Server
	mu      sync.Mutex
	opening int // requests under way that may open a session
}

func newSessions(servers map[string]*mcp.Server) *sessions { return &sessions{servers: servers} }

// A sessionOpener is the ResponseWriter of a request that may open a session. When the answer is written, either there is a
// session or there will be none.
type sessionOpener struct {
	http.ResponseWriter
	answered func()
}

// Unwrap is for [http.ResponseController].
func (w sessionOpener) Unwrap() http.ResponseWriter { return w.ResponseWriter }

func (w sessionOpener) Write(b []byte) (int, error) {
	w.answered()
	return w.ResponseWriter.Write(b)
}

// enter counts a request that may open a session, until leave is called. It reports false if there are too many sessions.
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

// close ends all sessions. It returns early if ctx ends.
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
