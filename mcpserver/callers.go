package mcpserver

import (
	"net/http"
	"net/netip"
	"slices"
	"strings"

	"gander/internal/admission"
)

const maxForwarded = 2 << 10

// callerOf returns the caller of a request with one of the tokens. With several tokens, each is a
// client, and otherwise each address. The connections of a proxy are not those of its clients, so
// that all of a client count as one. A session that the client names counts as a connection.
func (h *handler) callerOf(r *http.Request, token Token) admission.Caller {
	address := h.clientAddress(r)
	from := admission.Caller{Client: networkOf(address), Connection: r.RemoteAddr}
	if address != addressOf(r.RemoteAddr) {
		from.Connection = "proxied from " + from.Client
	}
	if len(h.options.Tokens) > 1 {
		from.Client = "token " + token.Name
	}
	if session := r.Header.Get("Mcp-Session-Id"); session != "" {
		from.Connection = "session " + session
	}
	return from
}

// clientAddress returns the address of the client of a request. If a trusted proxy has made the
// connection, it is the last address in X-Forwarded-For that is not of a trusted proxy, or the
// first if all are. Each hop was reported by the next one, so that nobody can pretend to be another
// client: if a hop is no address, the client is who reported it.
func (h *handler) clientAddress(r *http.Request) netip.Addr {
	reporter := addressOf(r.RemoteAddr)
	list := strings.Join(r.Header.Values("X-Forwarded-For"), ",")
	if len(list) > maxForwarded {
		return reporter
	}
	for _, node := range slices.Backward(strings.Split(list, ",")) {
		hop := parseNode(strings.Trim(node, " \t"))
		if !h.isProxy(reporter) || !hop.IsValid() {
			break
		}
		reporter = hop
	}
	return reporter
}

// addressOf returns the address in that of a connection, which is invalid if it has none.
func addressOf(remote string) netip.Addr {
	peer, _ := netip.ParseAddrPort(remote)
	return peer.Addr().Unmap()
}

func (h *handler) isProxy(address netip.Addr) bool {
	return slices.ContainsFunc(h.options.TrustedProxies,
		func(proxies netip.Prefix) bool { return proxies.Contains(address) })
}

// parseNode returns the address of a hop, with or without a port and brackets, or an invalid one.
func parseNode(node string) netip.Addr {
	address, err := netip.ParseAddr(node)
	if err != nil {
		withPort, _ := netip.ParseAddrPort(node)
		address = withPort.Addr()
	}
	inner, isBracketed := strings.CutPrefix(node, "[")
	if isBracketed && !address.IsValid() {
		address, _ = netip.ParseAddr(strings.TrimSuffix(inner, "]"))
	}
	if address.Zone() != "" {
		return netip.Addr{}
	}
	return address.Unmap()
}

// networkOf returns an address as text, or for IPv6 its network, all of which one client controls.
func networkOf(address netip.Addr) string {
	network, err := address.Prefix(64)
	if err != nil || !address.Is6() {
		return address.String()
	}
	return network.String()
}
