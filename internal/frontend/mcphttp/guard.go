package mcphttp

import (
	"crypto/sha256"
	"crypto/subtle"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
)

// A guard says who may ask. A page in a browser can make requests to any address that the browser reaches, also under a
// name of its own that it lets resolve to that address; it can change neither the Origin nor the Host that it sends.
type guard struct {
	token [sha256.Size]byte
	open  bool // no token is wanted
	hosts []string
}

func newGuard(o Options) guard {
	g := guard{token: sha256.Sum256([]byte(o.Token)), open: o.Token == ""}
	for _, h := range o.Hosts {
		g.hosts = append(g.hosts, strings.ToLower(h))
	}
	return g
}

// forbids says why a request may not be made, "" where it may.
func (g guard) forbids(r *http.Request) string {
	if !g.hostAllowed(r) {
		return "the Host header names a host that this server does not go by; ask under its address, or have it started with --allow-host"
	}
	if !originAllowed(r) {
		return "the Origin header names another site than this server"
	}
	switch r.Header.Get("Sec-Fetch-Site") {
	case "", "none", "same-origin":
		return ""
	default:
		return "a page of another site makes this request"
	}
}

// hostAllowed reports whether the request asks for a name that cannot have been made to resolve here: an address, or a
// name that the operator knows. What arrives at a loopback address must ask for one.
func (g guard) hostAllowed(r *http.Request) bool {
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

// hostname returns the host without its port and brackets.
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

// originAllowed reports whether the request comes from no page at all, or from one of the very host it asks.
func originAllowed(r *http.Request) bool {
	origins := r.Header.Values("Origin")
	if len(origins) == 0 {
		return true
	}
	o, err := url.Parse(origins[0])
	return err == nil && len(origins) == 1 && (o.Scheme == "http" || o.Scheme == "https") && strings.EqualFold(o.Host, r.Host)
}

// knows reports whether the request carries the token, in a time that does not tell how much of it is right.
func (g guard) knows(r *http.Request) bool {
	if g.open {
		return true
	}
	scheme, token, ok := strings.Cut(r.Header.Get("Authorization"), " ")
	sum := sha256.Sum256([]byte(strings.TrimSpace(token)))
	return ok && strings.EqualFold(scheme, "Bearer") && subtle.ConstantTimeCompare(sum[:], g.token[:]) == 1
}
