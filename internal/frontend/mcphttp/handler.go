// Package mcphttp carries MCP servers over streamable HTTP, in every revision on one URL. It knows HTTP: who may ask,
// how much at once, and when to stop. What is asked, and what is answered, the servers know.
package mcphttp

import (
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	// health is the path that says whether the server is there.
	health = "/healthz"
	// maxBody is how many bytes a request may have. All requests together are held in memory.
	maxBody = 1 << 20
	// maxRequests is how many requests may be under way at once, streams that wait for news included.
	maxRequests = 512
	// maxSessions is how many sessions of the older revisions there may be at once.
	maxSessions = 256
	// idleSession is after how long without a request a session is closed.
	idleSession = 30 * time.Minute
	// modern is the first revision without sessions.
	modern = "2026-07-28"
)

// Options say who may ask.
type Options struct {
	// Token is the bearer token that every request must carry, but for /healthz. Empty wants none.
	Token string
	// Hosts are the names under which the server may be asked, without ports, beside localhost and IP addresses.
	Hosts []string
	// Logger is told of requests that are refused. It must not be nil.
	Logger *slog.Logger
}

// A Handler serves one MCP server a path, and GET /healthz.
type Handler struct {
	mux      *http.ServeMux
	guard    guard
	logger   *slog.Logger
	places   chan struct{} // one taken for each request under way
	sessions *sessions
	closing  chan struct{} // closed when streams that wait for news are to end
}

// New returns a handler of the servers by their paths.
func New(servers map[string]*mcp.Server, o Options) *Handler {
	h := &Handler{
		mux:     http.NewServeMux(),
		guard:   newGuard(o),
		logger:  o.Logger,
		places:  make(chan struct{}, maxRequests),
		closing: make(chan struct{}),
	}
	h.sessions = newSessions(servers)
	h.mux.HandleFunc("GET "+health, healthy)
	for path, s := range servers {
		h.mux.Handle(path, h.endpoint(s))
	}
	return h
}

func healthy(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.Write([]byte("ok\n"))
}

// endpoint serves one server in both eras. The SDK has a handler for each: one knows sessions, the other none.
func (h *Handler) endpoint(s *mcp.Server) http.Handler {
	get := func(*http.Request) *mcp.Server { return s }
	stateless := mcp.NewStreamableHTTPHandler(get, &mcp.StreamableHTTPOptions{
		Stateless:                    true,
		PropagateRequestCancellation: true,
		DisableLocalhostProtection:   true, // the guard has judged the host by its own list
		Logger:                       h.logger,
	})
	stateful := mcp.NewStreamableHTTPHandler(get, &mcp.StreamableHTTPOptions{
		SessionTimeout:             idleSession,
		DisableLocalhostProtection: true,
		Logger:                     h.logger,
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Mcp-Protocol-Version") >= modern {
			stateless.ServeHTTP(w, r)
			return
		}
		if r.Method == http.MethodPost && r.Header.Get("Mcp-Session-Id") == "" {
			if !h.sessions.enter() {
				h.refuse(w, r, http.StatusServiceUnavailable, "too many sessions are open; end one, or try again later")
				return
			}
			leave := sync.OnceFunc(h.sessions.leave)
			defer leave()
			w = opener{w, leave}
		}
		stateful.ServeHTTP(w, r)
	})
}

// ServeHTTP implements [http.Handler].
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	client := impatient{w}
	client.extend()
	defer client.extend()
	if why := h.guard.forbids(r); why != "" {
		h.refuse(w, r, http.StatusForbidden, why)
		return
	}
	if r.URL.Path != health && !h.guard.knows(r) {
		w.Header().Set("WWW-Authenticate", "Bearer")
		h.refuse(w, r, http.StatusUnauthorized, "a bearer token is wanted; send it as Authorization: Bearer TOKEN")
		return
	}
	select {
	case h.places <- struct{}{}:
		defer func() { <-h.places }()
	default:
		h.refuse(w, r, http.StatusServiceUnavailable, "too many requests are under way; try again later")
		return
	}
	if !h.receive(w, r) {
		return
	}
	if standing(r) {
		var leave func()
		r, leave = h.until(r)
		defer leave()
	}
	h.mux.ServeHTTP(client, r)
}

// refuse answers a request that is not served.
func (h *Handler) refuse(w http.ResponseWriter, r *http.Request, code int, why string) {
	h.logger.Warn("request refused", "status", code, "reason", why, "remote", r.RemoteAddr, "path", r.URL.Path)
	if code == http.StatusServiceUnavailable {
		w.Header().Set("Retry-After", "1")
	}
	http.Error(w, why, code)
}
