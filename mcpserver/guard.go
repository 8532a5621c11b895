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
	token   string
	hosts   []string
	origins []string
	cross   *http.CrossOriginProtection
}

func newGuard(o *HTTPOptions) (*guard, error) {
	g := &guard{token: o.Token, origins: o.Origins, cross: http.NewCrossOriginProtection()}
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
// request was a preflight request, which is then answered.
func (g *guard) allowOrigin(w http.ResponseWriter, r *http.Request) (answered bool) {
	origin := r.Header.Get("Origin")
	if !slices.Contains(g.origins, origin) {
		return false
	}
	header := w.Header()
	header.Set("Access-Control-Allow-Origin", origin)
	header.Add("Vary", "Origin")
	if r.Method != http.MethodOptions {
		return false
	}
	header.Set("Access-Control-Allow-Methods", "GET, POST")
	header.Set("Access-Control-Allow-Headers",
		"Accept, Authorization, Content-Type, Mcp-Method, Mcp-Name, Mcp-Protocol-Version, Mcp-Session-Id")
	w.WriteHeader(http.StatusNoContent)
	return true
}

// hostAllowed reports whether the host of a request is an IP address or a permitted name. Another
// name could be a page's own that resolves to this server. A request to a loopback address must
// have one as its host.
func (g *guard) hostAllowed(r *http.Request) bool {
	host := strings.ToLower(hostname(r.Host))
	if slices.Contains(g.hosts, host) || host == "localhost" {
		return true
	}
	addr, err := netip.ParseAddr(host)
	if err != nil {
		return false
	}
	local, ok := r.Context().Value(http.LocalAddrContextKey).(*net.TCPAddr)
	return addr.IsLoopback() || !ok || !local.IP.IsLoopback()
}

// hostname returns a host without port and brackets.
func hostname(hostport string) string {
	if host, _, err := net.SplitHostPort(hostport); err == nil {
		return host
	}
	return strings.Trim(hostport, "[]")
}

// authorized reports whether a request has the token. Its time does not depend on the token.
func (g *guard) authorized(r *http.Request) bool {
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	got, want := sha256.Sum256([]byte(strings.TrimSpace(token))), sha256.Sum256([]byte(g.token))
	return g.token == "" || strings.EqualFold(scheme, "Bearer") &&
		subtle.ConstantTimeCompare(got[:], want[:]) == 1
}
