package mcphttp

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

// A guard decides which requests are served. A page in a browser can send requests to every address that the browser
// reaches, also under a host name of its own that resolves to that address. It cannot change the headers Origin,
// Sec-Fetch-Site and Host.
type guard struct {
	token  [sha256.Size]byte
	open   bool // no token is needed
	hosts  []string
	origin *http.CrossOriginProtection

	origins []string // whose pages may make requests
}

func newGuard(o Options) (guard, error) {
	g := guard{token: sha256.Sum256([]byte(o.Token)), open: o.Token == "", origin: http.NewCrossOriginProtection()}
	for _, h := range o.Hosts {
		g.hosts = append(g.hosts, strings.ToLower(h))
	}
	for _, origin := range o.Origins {
		if err := g.origin.AddTrustedOrigin(origin); err != nil {
			return g, fmt.Errorf("%q is no origin; give one like https://app.example: %w", origin, err)
		}
		g.origins = append(g.origins, origin)
	}
	return g, nil
}

// allowOrigin lets the pages of an allowed origin read the answer. It reports whether the request was only to ask for that,
// and is answered.
func (g guard) allowOrigin(w http.ResponseWriter, r *http.Request) bool {
	origin := r.Header.Get("Origin")
	if !slices.Contains(g.origins, origin) {
		return false
	}
	header := w.Header()
	header.Set("Access-Control-Allow-Origin", origin)
	header.Add("Vary", "Origin")
	header.Set("Access-Control-Expose-Headers", "Mcp-Session-Id, WWW-Authenticate")
	if r.Method != http.MethodOptions || r.Header.Get("Access-Control-Request-Method") == "" {
		return false
	}
	header.Set("Access-Control-Allow-Methods", "GET, POST, DELETE")
	header.Set("Access-Control-Allow-Headers", "Accept, Authorization, Content-Type, Mcp-Method, Mcp-Name, Mcp-Protocol-Version, Mcp-Session-Id")
	header.Set("Access-Control-Max-Age", "600")
	w.WriteHeader(http.StatusNoContent)
	return true
}

// forbids returns why a request is refused, or "" if it is not.
func (g guard) forbids(r *http.Request) string {
	if !g.hostAllowed(r) {
		return "the Host header names a host that this server does not serve; use its address, or start it with --allow-host"
	}
	// The check lets every GET pass. Here a GET opens a stream, so it is checked like a POST.
	checked := r.WithContext(r.Context())
	checked.Method = http.MethodPost
	if g.origin.Check(checked) != nil {
		return "a page of another site makes this request"
	}
	return ""
}

// hostAllowed reports whether the host of a request is an address or a name that the operator allows, and not one that
// somebody else lets resolve to this server. Requests that arrive at a loopback address must be for one.
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

// authorized reports whether a request has the token. The time it takes does not depend on the token.
func (g guard) authorized(r *http.Request) bool {
	if g.open {
		return true
	}
	scheme, token, ok := strings.Cut(r.Header.Get("Authorization"), " ")
	sum := sha256.Sum256([]byte(strings.TrimSpace(token)))
	return ok && strings.EqualFold(scheme, "Bearer") && subtle.ConstantTimeCompare(sum[:], g.token[:]) == 1
}
