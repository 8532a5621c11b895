// Package mcphttp serves MCP servers over streamable HTTP, each on one URL in every revision. It decides which requests
// are served, bounds their size and number, and shuts down gracefully. The servers answer them.
package mcphttp

import (
	"bytes"
	"io"
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
	// smallBody is the size of a body beyond which it counts as large; at most maxLarge such bodies are held at once.
	smallBody = 64 << 10
	maxLarge  = 8
	// maxCalls is the most calls that may be under way at once, and maxShare the most of one client. A batch counts as its
	// calls, any other POST as one.
	maxCalls = 512
	maxShare = 64
	// blobCalls is how many calls the reading of a resource counts as, because its answer may be large.
	blobCalls = 8
	// maxWait is how long a request waits until there are fewer calls.
	maxWait = time.Second
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
	// Origins are the origins, such as "https://app.example", whose pages may make requests. Empty means none but the server's.
	Origins []string
	// Logger gets a message for each request that is refused. It must not be nil.
	Logger *slog.Logger
}

// A Handler serves an MCP server on each of its paths, and GET /healthz.
type Handler struct {
	mux       *http.ServeMux
	guard     guard
	logger    *slog.Logger
	calls     *calls
	large     chan struct{} // holds a value for each large body
	exchanges *exchanges
	sessions  *sessions
	closing   chan struct{} // closed when streams of notifications must end
}

// New returns a handler for servers by path.
func New(servers map[string]*mcp.Server, o Options) (*Handler, error) {
	g, err := newGuard(o)
	if err != nil {
		return nil, err
	}
	h := &Handler{
		mux:       http.NewServeMux(),
		guard:     g,
		logger:    o.Logger,
		calls:     &calls{by: make(map[string]int)},
		large:     make(chan struct{}, maxLarge),
		exchanges: &exchanges{open: make(map[string]*exchange)},
		sessions:  newSessions(servers),
		closing:   make(chan struct{}),
	}
	for path, s := range servers {
		s.AddReceivingMiddleware(h.exchanges.bind)
		h.mux.Handle(path, h.endpoint(s))
	}
	return h, nil
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
				h.refuse(w, r, http.StatusServiceUnavailable, "too many sessions are busy; end one, or try again later")
				return
			}
			answered := sync.OnceFunc(func() { h.sessions.leave(w.Header().Get("Mcp-Session-Id"), addressOf(r)) })
			defer answered()
			w = sessionOpener{w, answered}
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
	if h.guard.allowOrigin(w, r) {
		return
	}
	if r.URL.Path == health && (r.Method == http.MethodGet || r.Method == http.MethodHead) {
		unread(w, r)
		healthy(client, r)
		return
	}
	if !h.guard.authorized(r) {
		w.Header().Set("WWW-Authenticate", "Bearer")
		h.refuse(w, r, http.StatusUnauthorized, "a bearer token is needed; send it as Authorization: Bearer TOKEN")
		return
	}
	switch r.Method {
	case http.MethodPost:
		h.post(client, r)
	case http.MethodDelete:
		unread(w, r)
		h.exchanges.endSession(r.Header.Get("Mcp-Session-Id"))
		h.mux.ServeHTTP(client, r)
	default:
		unread(w, r)
		ctx, cancel := h.untilClosing(r.Context())
		defer cancel()
		h.mux.ServeHTTP(client, r.WithContext(ctx))
	}
}

// post serves a request with messages.
func (h *Handler) post(w http.ResponseWriter, r *http.Request) {
	client := h.callerOf(r)
	defer h.sessions.use(r.Header.Get("Mcp-Session-Id"))()
	if !h.calls.wait(r.Context(), client, 1) {
		h.refuse(w, r, http.StatusServiceUnavailable, "too many requests are under way; try again later")
		return
	}
	taken := 1
	defer func() { h.calls.leave(client, taken) }()
	body, release, ok := h.receive(w, r)
	if !ok {
		return
	}
	defer release()
	e, refused := h.inspect(r, client.client, body)
	if refused != nil {
		h.logger.Warn("message refused", "error", refused.Error.Message, "remote", r.RemoteAddr)
		answer(w, http.StatusBadRequest, refused)
		return
	}
	if more := min(e.calls, maxShare) - taken; more > 0 {
		if !h.calls.wait(r.Context(), client, more) {
			h.refuse(w, r, http.StatusServiceUnavailable, "too many requests are under way; try again later, with fewer messages")
			return
		}
		taken += more
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	if r.Header.Get("Mcp-Method") == "subscriptions/listen" {
		ctx, cancel := h.untilClosing(r.Context())
		defer cancel()
		r = r.WithContext(ctx)
	}
	defer h.exchanges.begin(r, e)()
	h.mux.ServeHTTP(&answerWriter{ResponseWriter: w, e: e}, r)
}

// refuse answers a request that is not served.
func (h *Handler) refuse(w http.ResponseWriter, r *http.Request, code int, why string) {
	h.logger.Warn("request refused", "status", code, "reason", why, "remote", r.RemoteAddr, "path", r.URL.Path)
	unread(w, r)
	if code == http.StatusServiceUnavailable {
		w.Header().Set("Retry-After", "1")
	}
	http.Error(w, why, code)
}
