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

// authorized reports whether a request has the token. Its time does not depend on the token.
func (h *handler) authorized(r *http.Request) bool {
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	got := sha256.Sum256([]byte(strings.TrimSpace(token)))
	want := sha256.Sum256([]byte(h.options.Token))
	return h.options.Token == "" || strings.EqualFold(scheme, "Bearer") &&
		subtle.ConstantTimeCompare(got[:], want[:]) == 1
}
