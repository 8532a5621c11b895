package mcpserver

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"gander/internal/admission"
)

const (
	// headerTimeout and bodyTimeout are the times that the parts of a request have to arrive.
	headerTimeout = 10 * time.Second
	bodyTimeout   = 10 * time.Second
	// unreadTimeout is the time in which the rest of a body is discarded.
	unreadTimeout = time.Second
	// writeTimeout is the time in which a client must read what one Write has written.
	writeTimeout = 30 * time.Second
	// shutdownTimeout is the time to respond to requests in flight when the server stops. It is
	// longer than the default time limit of a call.
	shutdownTimeout = 12 * time.Second

	// callCost is the cost of a call and its response.
	callCost = 64 << 10
	// byteCost is the cost of a byte of a body, which the SDK copies.
	byteCost = 4
)

// HTTPOptions configure a server over HTTP. The zero value serves everyone who can reach the
// listener by an IP address or as localhost. It is meant for listeners on loopback addresses.
type HTTPOptions struct {
	// Token is the bearer token that every request except those for /healthz must have. If empty,
	// none is required.
	Token string
	// Hosts are the permitted host names, without ports, in addition to localhost and IP addresses.
	// A request with any other host is refused, because a page in a browser could have made it.
	Hosts []string
	// Origins are the origins, such as "https://app.example", whose pages can make requests from a
	// browser. If empty, only the server's own origin can.
	Origins []string
	// Logger gets a message about each refused request. If nil, there are none.
	Logger *slog.Logger
}

// Handler returns a handler that serves s at /mcp over streamable HTTP, in every revision and
// without sessions, and a health check at /healthz, which needs no token. It limits the size and
// the number of requests, and refuses requests from pages of other sites. Clients are told apart by
// their addresses. If o is nil, the options are zero. The error is about an origin.
func Handler(s *mcp.Server, o *HTTPOptions) (http.Handler, error) { return newHandler(s, o) }

func newHandler(s *mcp.Server, o *HTTPOptions) (*handler, error) {
	o = cmp.Or(o, new(HTTPOptions))
	guard, err := newGuard(o)
	if err != nil {
		return nil, err
	}
	server := func(*http.Request) *mcp.Server { return s }
	return &handler{
		guard:  guard,
		logger: limitLog(o.Logger),
		quota:  quota{clients: make(map[string]int)},
		server: mcp.NewStreamableHTTPHandler(server, &mcp.StreamableHTTPOptions{
			Stateless:                  true,
			JSONResponse:               true,
			MaxRequestBodyBytes:        maxMessage,
			DisableLocalhostProtection: true, // The guard checks the host.
		}),
	}, nil
}

// ServeHTTP serves s on l until ctx ends, as [Handler] does. It then accepts no more requests and
// returns when those in flight are answered. The error is nil if all were. In addition to the
// limits of the handler, it limits the number of connections, and the time for the header of a
// request.
//
// ServeHTTP closes l. For HTTPS, l must be a listener of package crypto/tls.
func ServeHTTP(ctx context.Context, l net.Listener, s *mcp.Server, o *HTTPOptions) error {
	defer l.Close()
	h, err := newHandler(s, o)
	if err != nil {
		return err
	}
	connections := newConnections(l)
	server := &http.Server{
		Handler:           h,
		ReadHeaderTimeout: headerTimeout,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    16 << 10,
		ConnState:         connections.changed,
		ErrorLog:          slog.NewLogLogger(h.logger.Handler(), slog.LevelWarn),
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(connections) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownTimeout)
	defer cancel()
	if err := server.Shutdown(last); err != nil {
		return errors.Join(errors.New("not everything was answered in time"), server.Close())
	}
	return nil
}

// A handler checks requests before the SDK's handler serves them.
type handler struct {
	guard  *guard
	logger *slog.Logger
	quota  quota
	server http.Handler
}

// ServeHTTP implements [http.Handler].
func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	control := http.NewResponseController(w) // Not every ResponseWriter has deadlines.
	if r.ContentLength != 0 {
		_ = control.SetReadDeadline(time.Now().Add(unreadTimeout))
	}
	client := deadlineWriter{w}
	client.extend() // A connection keeps its deadline from one request to the next.
	defer client.extend()
	health := r.URL.Path == "/healthz" && (r.Method == http.MethodGet || r.Method == http.MethodHead)
	switch problem := h.guard.check(r); {
	case problem != "":
		h.refuse(client, r, http.StatusForbidden, problem)
	case h.guard.allowOrigin(client, r):
	case health:
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		w.Header().Set("Cache-Control", "no-store")
		_, _ = io.WriteString(client, "ok\n")
	case !h.guard.authorized(r):
		w.Header().Set("WWW-Authenticate", "Bearer")
		h.refuse(client, r, http.StatusUnauthorized,
			"a bearer token is required; send it as Authorization: Bearer TOKEN")
	case r.URL.Path != "/mcp":
		http.NotFound(client, r)
	case r.Method != http.MethodPost:
		h.server.ServeHTTP(client, r)
	default:
		h.post(client, r)
	}
}

// post serves a request with messages.
func (h *handler) post(w http.ResponseWriter, r *http.Request) {
	size := int(min(r.ContentLength, maxMessage+1))
	if size < 0 {
		size = maxMessage
	}
	address := clientAddress(r.RemoteAddr)
	cost := callCost + byteCost*size
	if size <= maxMessage && !h.quota.take(address, cost) {
		h.refuse(w, r, http.StatusServiceUnavailable, "too many requests are in flight; try again later")
		return
	}
	defer func() { h.quota.give(address, cost) }()
	body, ok := h.readBody(w, r)
	if !ok {
		return
	}
	calls, refused := countCalls(r, body)
	switch more := callCost * (calls - 1); {
	case refused != nil:
		h.logger.Warn("message refused", "error", refused.Error.Message, "remote", r.RemoteAddr)
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusBadRequest)
		_ = json.NewEncoder(w).Encode(refused) // The client may be gone.
		return
	case calls == 0:
		// Without sessions, notifications have no effect. The SDK would refuse unknown ones.
		w.WriteHeader(http.StatusAccepted)
		return
	case more > 0 && !h.quota.take(address, more):
		h.refuse(w, r, http.StatusServiceUnavailable,
			"too many requests are in flight; try again later, with fewer messages")
		return
	default:
		cost += more
	}
	ctx := context.WithValue(admission.WithClient(r.Context(), address), requestKey{}, r.Context())
	r = r.WithContext(ctx)
	r.Body = io.NopCloser(bytes.NewReader(body))
	h.server.ServeHTTP(w, r)
}

// readBody reads the body of a request. If it cannot, it refuses the request and reports false.
func (h *handler) readBody(w http.ResponseWriter, r *http.Request) (body []byte, ok bool) {
	control := http.NewResponseController(w)
	_ = control.SetReadDeadline(time.Now().Add(bodyTimeout))
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxMessage))
	switch {
	case err == nil:
		_ = control.SetReadDeadline(time.Time{})
		return body, true
	case errors.As(err, new(*http.MaxBytesError)):
		h.refuse(w, r, http.StatusRequestEntityTooLarge,
			fmt.Sprintf("the body has more than %d bytes; send less in one request", maxMessage))
	default:
		h.refuse(w, r, http.StatusBadRequest, "the body did not arrive")
	}
	return nil, false
}

// countCalls returns the number of calls in the body of a request, or the refusal if it is not a
// message.
func countCalls(r *http.Request, body []byte) (calls int, refused *refusal) {
	body = bytes.TrimSpace(body)
	members := [][]byte{body}
	if isBatch(body) {
		// Clients of the first revisions do not state theirs.
		if revision := r.Header.Get("Mcp-Protocol-Version"); revision != "" && !hasBatches(revision) {
			return 0, refuse(nil, jsonrpc.CodeInvalidRequest,
				"revision %.20s has no batches; send one message in a request", revision)
		}
		if members, refused = splitBatch(body); refused != nil {
			return 0, refused
		}
	}
	for _, text := range members {
		msg, refused := decodeMessage(text)
		if refused != nil {
			return 0, refused
		}
		if request, ok := msg.(*jsonrpc.Request); ok && request.IsCall() {
			calls++
		}
	}
	return calls, nil
}

// refuse responds to a request that is not served.
func (h *handler) refuse(w http.ResponseWriter, r *http.Request, code int, problem string) {
	h.logger.Warn("request refused",
		"status", code, "reason", problem, "remote", r.RemoteAddr, "path", r.URL.Path)
	if code == http.StatusServiceUnavailable {
		w.Header().Set("Retry-After", "1")
	}
	http.Error(w, problem, code)
}

// A deadlineWriter sets a new deadline for each Write. It ends a connection whose client does not
// read, and does not limit the time for the whole response.
type deadlineWriter struct{ http.ResponseWriter }

// Unwrap is for [http.ResponseController].
func (w deadlineWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// Write implements [io.Writer].
func (w deadlineWriter) Write(b []byte) (int, error) {
	w.extend()
	return w.ResponseWriter.Write(b)
}

func (w deadlineWriter) extend() {
	deadline := time.Now().Add(writeTimeout)
	_ = http.NewResponseController(w.ResponseWriter).SetWriteDeadline(deadline)
}
