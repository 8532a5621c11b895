package mcphttp

import (
	"context"
	"net/http"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// sessions bounds the number of sessions. One more ends the one that has been idle the longest, of those of the address that has
// the most.
type sessions struct {
	servers map[string]*mcp.Server
	mu      sync.Mutex
	opening int // requests under way that may open a session
	uses    map[string]*sessionUse
}

// A sessionUse says how a session is used.
type sessionUse struct {
	requests int // under way
	last     time.Time
	address  string // that it was opened from
}

func newSessions(servers map[string]*mcp.Server) *sessions {
	return &sessions{servers: servers, uses: make(map[string]*sessionUse)}
}

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

// live returns the sessions by their ids.
func (s *sessions) live() map[string]*mcp.ServerSession {
	live := make(map[string]*mcp.ServerSession)
	for _, server := range s.servers {
		for session := range server.Sessions() {
			if session.ID() != "" {
				live[session.ID()] = session
			}
		}
	}
	return live
}

// enter counts a request that may open a session, until leave is called. It reports false if there are too many sessions
// and all of them have requests under way.
func (s *sessions) enter() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	live := s.live()
	for id := range s.uses {
		if live[id] == nil {
			delete(s.uses, id)
		}
	}
	if len(live)+s.opening >= maxSessions {
		idle := s.idle()
		if idle == "" {
			return false
		}
		delete(s.uses, idle)
		go live[idle].Close()
	}
	s.opening++
	return true
}

// idle returns the session to end if there are too many, or "" if all have requests under way.
func (s *sessions) idle() (idle string) {
	count := make(map[string]int)
	for _, use := range s.uses {
		count[use.address]++
	}
	for id, use := range s.uses {
		if use.requests > 0 {
			continue
		}
		most := s.uses[idle]
		if most == nil || count[use.address] > count[most.address] || count[use.address] == count[most.address] && use.last.Before(most.last) {
			idle = id
		}
	}
	return idle
}

// leave ends what enter began. The id is that of the session that was opened, if there is one.
func (s *sessions) leave(id, address string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.opening--
	if id != "" {
		s.uses[id] = &sessionUse{last: time.Now(), address: address}
	}
}

// use counts a request of a session, until done is called.
func (s *sessions) use(id string) (done func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	use := s.uses[id]
	if use == nil {
		return func() {}
	}
	use.requests++
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		use.requests--
		use.last = time.Now()
	}
}

// known reports whether a client was given the id for its session.
func (s *sessions) known(id string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.uses[id] != nil
}

// revision returns the revision that the client of a session has asked for, or "" if there is no such session.
func (s *sessions) revision(id string) string {
	session := s.live()[id]
	if session == nil || session.InitializeParams() == nil {
		return ""
	}
	return session.InitializeParams().ProtocolVersion
}

// close ends all sessions. It returns early if ctx ends.
func (s *sessions) close(ctx context.Context) {
	var ending sync.WaitGroup
	for _, session := range s.live() {
		ending.Go(func() { session.Close() })
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
