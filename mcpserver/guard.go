package mcpserver

import (
	"crypto/sha256"
	"crypto/subtle"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// hostAllowed reports whether the host of a request is an IP address or a permitted name. Another
// name could be that of a page in a browser, resolve to this server, and make the page's requests
// look as if they had its origin. A request to a loopback address must have one as its host.
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

// originAllowed reports whether a request comes from a program, a page of this server or a page of
// a permitted origin. The page of a permitted origin can read the response.
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

// authorized reports whether a request has the token. Its time does not depend on the token.
func (h *handler) authorized(r *http.Request) bool {
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	got := sha256.Sum256([]byte(strings.TrimSpace(token)))
	want := sha256.Sum256([]byte(h.options.Token))
	return h.options.Token == "" || strings.EqualFold(scheme, "Bearer") &&
		subtle.ConstantTimeCompare(got[:], want[:]) == 1
}
