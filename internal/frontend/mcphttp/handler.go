// Package mcphttp serves MCP servers over streamable HTTP, each on one URL in every revision. It decides which requests
// are served, bounds their size and number, and shuts down gracefully. The servers answer them.
package mcphttp

import (
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	// health is the path of the health check.
	health = "/healthz"
	// maxBody is the most bytes of a request's body. The bodies of all requests under way are held in memory.
	maxBody = 1 << 20
	// maxRequests is the most requests that may be under way at once, including open streams of notifications.
	maxRequests = 512
	// maxSessions is the most sessions that there may be at once. Revisions before 2026-07-28 have sessions.
	maxSessions = 256
	// idleSession is the time without a request after which a session is closed.
	idleSession = 30 * time.Minute
	// modern is the first revision without sessions.
	modern = "2026-07-28"
)

// Options say which requests are served.
type Options struct {
	// Token is the bearer token that every request except those for /healthz must have. Empty means that none is needed.
	Token string
	// Hosts are the host names, without ports, that requests may have beside localhost and IP addresses.
	Hosts []string
	// Logger gets a message for each request that is refused. It must not be nil.
	Logger *slog.Logger
}

// A Handler serves an MCP server on each of its paths, and GET /healthz.
type Handler struct {
	mux      *http.ServeMux
	guard    guard
	logger   *slog.Logger
	requests chan struct{} // holds a value for each request under way
	sessions *sessions
	closing  chan struct{} // closed when streams of notifications must end
}

// New returns a handler for servers by path.
func New(servers map[string]*mcp.Server, o Options) *Handler {
	h := &Handler{
		mux:      http.NewServeMux(),
		guard:    newGuard(o),
		logger:   o.Logger,
		requests: make(chan struct{}, maxRequests),
		closing:  make(chan struct{}),
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

// endpoint returns a handler for a server. It has one of the SDK's handlers for revisions with sessions, and one for those
// without.
func (h *Handler) endpoint(s *mcp.Server) http.Handler {
	get := func(*http.Request) *mcp.Server { return s }
	stateless := mcp.NewStreamableHTTPHandler(get, &mcp.StreamableHTTPOptions{
		Stateless:                    true,
		PropagateRequestCancellation: true,
		DisableLocalhostProtection:   true, // The guard checks the host.
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
			w = sessionOpener{w, leave}
		}
		stateful.ServeHTTP(w, r)
	})
}

// ServeHTTP implements [http.Handler].
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	client := writeDeadlineWriter{w}
	client.extend()
	defer client.extend()
	if why := h.guard.forbids(r); why != "" {
		h.refuse(w, r, http.StatusForbidden, why)
		return
	}
	if r.URL.Path != health && !h.guard.authorized(r) {
		w.Header().Set("WWW-Authenticate", "Bearer")
		h.refuse(w, r, http.StatusUnauthorized, "a bearer token is needed; send it as Authorization: Bearer TOKEN")
		return
	}
	select {
	case h.requests <- struct{}{}:
		defer func() { <-h.requests }()
	default:
		h.refuse(w, r, http.StatusServiceUnavailable, "too many requests are under way; try again later")
		return
	}
	if !h.receive(w, r) {
		return
	}
	if isStream(r) {
		ctx, cancel := h.untilClosing(r.Context())
		defer cancel()
		r = r.WithContext(ctx)
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
