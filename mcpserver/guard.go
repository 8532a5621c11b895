package mcpserver

import (
	"crypto/sha256"
	"crypto/subtle"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// A guard determines which requests are served. A page in a browser can send requests to every
// address that the browser reaches, including under a host name of its own that resolves to that
// address. It cannot change the headers Origin, Sec-Fetch-Site and Host.
type guard struct {
	token [sha256.Size]byte
	open  bool // no token is required
	hosts []string
	cross *http.CrossOriginProtection

	origins []string
}

func newGuard(o *HTTPOptions) (*guard, error) {
	g := &guard{
		token:   sha256.Sum256([]byte(o.Token)),
		open:    o.Token == "",
		cross:   http.NewCrossOriginProtection(),
		origins: o.Origins,
	}
	for _, h := range o.Hosts {
		g.hosts = append(g.hosts, strings.ToLower(h))
	}
	for _, origin := range o.Origins {
		if err := g.cross.AddTrustedOrigin(origin); err != nil {
			return nil, fmt.Errorf("%q must be an origin such as https://app.example: %w", origin, err)
		}
	}
	return g, nil
}

// allowOrigin lets the pages of a permitted origin read the response. It reports whether the
// request only asked for that, and has been answered.
func (g *guard) allowOrigin(w http.ResponseWriter, r *http.Request) bool {
	origin := r.Header.Get("Origin")
	if !slices.Contains(g.origins, origin) {
		return false
	}
	header := w.Header()
	header.Set("Access-Control-Allow-Origin", origin)
	header.Add("Vary", "Origin")
	header.Set("Access-Control-Expose-Headers", "WWW-Authenticate")
	if r.Method != http.MethodOptions || r.Header.Get("Access-Control-Request-Method") == "" {
		return false
	}
	header.Set("Access-Control-Allow-Methods", "GET, POST")
	header.Set("Access-Control-Allow-Headers",
		"Accept, Authorization, Content-Type, Mcp-Method, Mcp-Name, Mcp-Protocol-Version, Mcp-Session-Id")
	header.Set("Access-Control-Max-Age", "600")
	w.WriteHeader(http.StatusNoContent)
	return true
}

// check returns why a request is refused, or "" if it is not.
func (g *guard) check(r *http.Request) string {
	if !g.hostAllowed(r) {
		return "the Host header names a host that this server does not serve; " +
			"use its address, or start it with --allow-host"
	}
	// Check permits every GET. A page must not even learn that there is a server.
	checked := r.WithContext(r.Context())
	checked.Method = http.MethodPost
	if g.cross.Check(checked) != nil {
		return "a page of another site makes this request"
	}
	return ""
}

// hostAllowed reports whether the host of a request is an address or a name that the operator
// permits, and not one that somebody else lets resolve to this server. Requests that arrive at a
// loopback address must be for one.
func (g *guard) hostAllowed(r *http.Request) bool {
	host := strings.ToLower(hostname(r.Host))
	if slices.Contains(g.hosts, host) || host == "localhost" {
		return true
	}
	addr, err := netip.ParseAddr(host)
	if err != nil {
		return false
	}
	local, _ := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	return addr.IsLoopback() || !loopback(local)
}

// hostname returns a host without port and brackets.
func hostname(hostport string) string {
	if host, _, err := net.SplitHostPort(hostport); err == nil {
		return host
	}
	return strings.TrimSuffix(strings.TrimPrefix(hostport, "["), "]")
}

func loopback(a net.Addr) bool {
	tcp, ok := a.(*net.TCPAddr)
	return ok && tcp.IP.IsLoopback()
}

// authorized reports whether a request has the token. Its time does not depend on the token.
func (g *guard) authorized(r *http.Request) bool {
	if g.open {
		return true
	}
	scheme, token, ok := strings.Cut(r.Header.Get("Authorization"), " ")
	sum := sha256.Sum256([]byte(strings.TrimSpace(token)))
	return ok && strings.EqualFold(scheme, "Bearer") &&
		subtle.ConstantTimeCompare(sum[:], g.token[:]) == 1
}
