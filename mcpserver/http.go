package mcpserver

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"io"
	"log"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"gander/internal/admission"
	"gander/internal/clientlog"
	"gander/tool"
)

const (
	// headerTimeout is the maximum time to read the header of a request, readTimeout the maximum
	// time to read the request.
	headerTimeout = 10 * time.Second
	readTimeout   = 20 * time.Second
	// writeTimeout is the maximum time to write a part of a response, which has at most maxPart bytes,
	// and partTime the maximum time for each on average.
	writeTimeout = 10 * time.Second
	partTime     = time.Second
	maxPart      = 64 << 10
	// idleTimeout is the maximum time between two requests over a connection.
	idleTimeout = 2 * time.Minute
	// maxStreams is the maximum number of concurrent requests over one HTTP/2 connection. Clients
	// wait before they make more.
	maxStreams = 64
)

// ShutdownTimeout is the time for [ServeHTTP] to respond to requests in flight when its context
// ends. It exceeds the default timeout of a call.
const ShutdownTimeout = 12 * time.Second

// HTTPOptions configures a server over HTTP. The zero value serves every client that connects to
// localhost or an IP address, which is meant for loopback addresses.
type HTTPOptions struct {
	// Tokens are the bearer tokens, one of which every request except those for /healthz must have.
	// If there are several, each is a client, whatever its address. If empty, none is required.
	Tokens []Token
	// TrustedProxies are the addresses of reverse proxies. The client of a request from there is
	// the last other address in its X-Forwarded-For header, or the first if all are trusted
	// proxies. Other clients are known by the addresses of their connections.
	TrustedProxies []netip.Prefix
	// Hosts, without ports, are the only host names of requests besides localhost and IP addresses.
	Hosts []string
	// Origins are other origins, such as "https://app.example", whose pages can make requests.
	Origins []string
	Logger  *slog.Logger // gets 100 messages about refused requests, then one per second; default none
}

// A Token is a bearer token of one client. No two have the same name or the same secret.
type Token struct {
	Name   string      // of the client
	Secret string      // what its requests must have
	Server *mcp.Server // what it sees; default the server of the handler
}

type serverKey struct{}

// Handler serves s at /mcp over streamable HTTP, in every revision and without sessions, and a
// health check at /healthz, which needs no token. It limits the size of requests and, fairly
// between clients and between their connections, the number. Addresses or tokens tell clients
// apart. It refuses requests from pages of other sites. It has no deadlines; [ServeHTTP] has them.
func Handler(s *mcp.Server, o *HTTPOptions) http.Handler {
	server := func(r *http.Request) *mcp.Server {
		own, _ := r.Context().Value(serverKey{}).(*mcp.Server)
		return cmp.Or(own, s)
	}
	options := *cmp.Or(o, new(HTTPOptions))
	options.Logger = clientlog.Limit(options.Logger)
	return &handler{
		options:  options,
		requests: admission.NewPool(requestBytes, keptBytes, littleBytes),
		sdk: mcp.NewStreamableHTTPHandler(server, &mcp.StreamableHTTPOptions{
			Stateless:                  true,
			JSONResponse:               true,
			DisableLocalhostProtection: true, // The handler checks the host.
		}),
	}
}

// ServeHTTP serves s on l as [Handler] does, until ctx ends. It then has [ShutdownTimeout] to
// respond to requests in flight; the error is nil if it has responded to all. It also limits
// connections, and the time to read a request and to write a response. It closes l. For HTTPS, l
// must be a listener of package crypto/tls; clients with which it negotiates "h2" get HTTP/2.
func ServeHTTP(ctx context.Context, l net.Listener, s *mcp.Server, o *HTTPOptions) error {
	defer l.Close()
	limited := newLimitListener(l, connectionLimit())
	handler := Handler(s, o)
	server := &http.Server{
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.ProtoMajor == 1 {
				(&timedWriter{ResponseWriter: w}).setDeadline() // for "100 Continue", which reading writes
			}
			handler.ServeHTTP(&timedWriter{ResponseWriter: w}, r)
			(&timedWriter{ResponseWriter: w}).setDeadline() // for what package http has buffered
		}),
		ConnContext:       limited.connContext,
		ConnState:         limited.connState,
		ReadHeaderTimeout: headerTimeout,
		ReadTimeout:       readTimeout,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    16 << 10,
		HTTP2: &http.HTTP2Config{
			MaxConcurrentStreams:          maxStreams,
			MaxReadFrameSize:              16 << 10,
			MaxReceiveBufferPerConnection: 128 << 10,
			MaxReceiveBufferPerStream:     128 << 10,
			WriteByteTimeout:              writeTimeout,
		},
		ErrorLog: log.New(io.Discard, "", 0), // Clients cause these messages.
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(limited) }()
	select {
	case err := <-ended:
		_ = server.Close() // The listener has failed; err says why.
		return err
	case <-ctx.Done():
	}
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), ShutdownTimeout)
	defer cancel()
	err := server.Shutdown(last)
	if errors.Is(err, context.DeadlineExceeded) {
		err = errors.Join(errors.New("some requests got no response in time"), server.Close())
	}
	return err
}

// A handler checks requests before the SDK's handler serves them.
type handler struct {
	options  HTTPOptions
	origins  http.CrossOriginProtection
	requests *admission.Pool // the memory of requests and responses
	sdk      http.Handler
}

func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	refused := h.serve(w, r)
	if refused == nil {
		return
	}
	h.options.Logger.Warn("request refused",
		"status", refused.status, "reason", refused.reason, "remote", r.RemoteAddr,
		"client", h.clientAddress(r), "path", r.URL.Path)
	http.Error(w, refused.reason, refused.status)
}

// A refusal is the response to a request that is not served.
type refusal struct {
	status int
	reason string
}

var (
	busy     = &refusal{http.StatusServiceUnavailable, errBusy.Error()}
	tooLarge = &refusal{
		http.StatusRequestEntityTooLarge,
		fmt.Sprintf("the body has more than %d bytes; send less in one request", maxMessage),
	}
)

// serve responds to a request, or returns why it is refused.
func (h *handler) serve(w http.ResponseWriter, r *http.Request) *refusal {
	token, authorized := h.tokenOf(r)
	r = r.WithContext(context.WithValue(r.Context(), serverKey{}, token.Server))
	switch {
	case !h.hostAllowed(r):
		return &refusal{http.StatusForbidden, "the Host header names a host that this server does " +
			"not permit; use its address, or permit the name"}
	case !h.originAllowed(w, r):
		return &refusal{http.StatusForbidden, "a page of another site makes this request; " +
			"permit its origin"}
	case r.Method == http.MethodOptions && w.Header().Get("Access-Control-Allow-Origin") != "":
		w.WriteHeader(http.StatusNoContent)
	case r.URL.Path == "/healthz" && (r.Method == http.MethodGet || r.Method == http.MethodHead):
		_, _ = io.WriteString(w, "ok\n")
	case !authorized:
		w.Header().Set("WWW-Authenticate", "Bearer")
		return &refusal{
			http.StatusUnauthorized,
			"a bearer token is required; send it as Authorization: Bearer TOKEN",
		}
	case r.URL.Path != "/mcp":
		http.NotFound(w, r)
	case r.Method != http.MethodPost:
		h.sdk.ServeHTTP(w, r)
	default:
		client := tool.Client{
			Token: token.Name, Session: r.Header.Get("Mcp-Session-Id"),
			Address: h.clientAddress(r).String(),
		}
		return h.post(w, r.WithContext(tool.WithClient(r.Context(), client)), h.callerOf(r, token))
	}
	return nil
}

// hostAllowed reports whether the host of a request is an IP address, of loopback if it arrives
// there, or a permitted name. Any other name could be that of a page, and resolve to this server.
func (h *handler) hostAllowed(r *http.Request) bool {
	host, _, err := net.SplitHostPort(r.Host)
	if err != nil {
		host = strings.Trim(r.Host, "[]")
	}
	named := func(name string) bool { return strings.EqualFold(name, host) }
	if named("localhost") || slices.ContainsFunc(h.options.Hosts, named) {
		return true
	}
	addr, err := netip.ParseAddr(host)
	if err != nil {
		return false
	}
	local, ok := r.Context().Value(http.LocalAddrContextKey).(*net.TCPAddr)
	return addr.IsLoopback() || !ok || !local.IP.IsLoopback()
}

// originAllowed reports whether a request comes from a program, from a page of this server, or from
// a page of a permitted origin. It lets pages of permitted origins read the response.
func (h *handler) originAllowed(w http.ResponseWriter, r *http.Request) bool {
	origin := r.Header.Get("Origin")
	if !slices.Contains(h.options.Origins, origin) {
		return h.origins.Check(r) == nil
	}
	header := w.Header()
	header.Set("Access-Control-Allow-Origin", origin)
	header.Set("Access-Control-Allow-Methods", "GET, POST")
	header.Set("Access-Control-Allow-Headers", "Accept, Authorization, Content-Type, "+
		"Mcp-Method, Mcp-Name, Mcp-Protocol-Version, Mcp-Session-Id")
	header.Add("Vary", "Origin")
	return true
}

// tokenOf returns the token of a request, in a time that does not depend on the tokens.
func (h *handler) tokenOf(r *http.Request) (token Token, authorized bool) {
	scheme, secret, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	secret = strings.TrimSpace(secret)
	got := sha256.Sum256([]byte(secret))
	for _, permitted := range h.options.Tokens {
		want := sha256.Sum256([]byte(permitted.Secret))
		if subtle.ConstantTimeCompare(got[:], want[:]) == 1 {
			token, authorized = permitted, true
		}
	}
	isBearer := secret != "" && strings.EqualFold(scheme, "Bearer")
	if authorized && isBearer {
		return token, true
	}
	return Token{}, len(h.options.Tokens) == 0
}

// post serves a request with a message, or returns why it is refused.
func (h *handler) post(w http.ResponseWriter, r *http.Request, from admission.Caller) *refusal {
	if r.ContentLength > maxMessage {
		return tooLarge
	}
	ctx := admission.WithCaller(r.Context(), from)
	ctx = context.WithValue(ctx, requestKey{}, r.Context())
	r = r.WithContext(ctx)
	arriving := h.newArrival(w, r)
	if arriving == nil {
		return busy
	}
	defer arriving.memory.End()
	body, refused := arriving.body(w, r)
	if refused != nil {
		return refused
	}
	conn, _ := r.Context().Value(connectionKey{}).(*openConn)
	conn.addRequests(1)
	defer conn.addRequests(-1)
	h.answer(w, r, parseMessage(bytes.Trim(body, whiteSpace)))
	return nil
}
