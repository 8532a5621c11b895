package mcpserver

import (
	"net/http"
	"net/netip"
	"regexp"
	"slices"
	"strings"

	"gander/internal/admission"
)

// maxForwarded is the maximum size of the headers of proxies. Parsing a byte takes up to half a
// microsecond.
const maxForwarded = 2 << 10

// callerOf returns the caller of a request with one of the tokens. With several tokens, each is a
// client, and otherwise each address. The connections of a proxy are not those of its clients, so
// that all of a client count as one. A session that the client names counts as a connection.
func (h *handler) callerOf(r *http.Request, token Token) admission.Caller {
	address := h.clientAddress(r)
	from := admission.Caller{Client: networkOf(address), Connection: r.RemoteAddr}
	if address != peerOf(r) {
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
// connection, it is the last address in the proxy's header that is not of a trusted proxy, or the
// first if all are of trusted proxies. If the header contains no address or is too long, or if two
// headers contain two, it is the address of the proxy, so that nobody can pretend to be another
// client.
func (h *handler) clientAddress(r *http.Request) netip.Addr {
	peer := peerOf(r)
	if !h.isProxy(peer) {
		return peer
	}
	list, elements := r.Header.Values("X-Forwarded-For"), r.Header.Values("Forwarded")
	if len(strings.Join(slices.Concat(list, elements), ",")) > maxForwarded {
		return peer
	}
	listed := h.lastClient(peer, parseForwardedFor(list))
	named := h.lastClient(peer, parseForwarded(elements))
	switch {
	case len(elements) == 0, listed == named:
		return listed
	case len(list) == 0:
		return named
	default:
		return peer
	}
}

// peerOf returns the address of the connection of a request.
func peerOf(r *http.Request) netip.Addr {
	peer, _ := netip.ParseAddrPort(r.RemoteAddr) // invalid for a connection without an address
	return peer.Addr().Unmap()
}

func (h *handler) isProxy(address netip.Addr) bool {
	return slices.ContainsFunc(h.options.TrustedProxies,
		func(proxies netip.Prefix) bool { return proxies.Contains(address) })
}

// lastClient returns the last hop that is not a trusted proxy, or the first if all are. Each hop
// was reported by the next one, and the last by proxy. If a hop after the client is not an address,
// lastClient returns who reported it.
func (h *handler) lastClient(proxy netip.Addr, hops []netip.Addr) netip.Addr {
	reporter := proxy
	for _, hop := range slices.Backward(hops) {
		if !hop.IsValid() {
			break
		}
		reporter = hop
		if !h.isProxy(hop) {
			break
		}
	}
	return reporter
}

// parseForwardedFor returns the hops in X-Forwarded-For headers.
func parseForwardedFor(headers []string) (hops []netip.Addr) {
	for _, header := range headers {
		for node := range strings.SplitSeq(header, ",") {
			hops = append(hops, parseNode(strings.Trim(node, " \t")))
		}
	}
	return hops
}

// forwardedPair matches the next pair in a Forwarded header, which is empty between delimiters:
// its name, its value and its delimiter.
var forwardedPair = regexp.MustCompile("^[ \t]*(?:([!#$%&'*+.^_`|~0-9A-Za-z-]+)=" +
	"([!#$%&'*+.^_`|~0-9A-Za-z-]+|\"(?:[^\"\\\\]|\\\\.)*\"))?[ \t]*([;,]|$)")

// parseForwarded returns the hops in Forwarded headers (RFC 7239). A header that does not have the
// form of one counts as a hop that is not an address.
func parseForwarded(headers []string) (hops []netip.Addr) {
	for _, header := range headers {
		hops = append(hops, parseElements(header)...)
	}
	return hops
}

// parseElements returns the hop of each element of a Forwarded header: the address in its parameter
// "for", or none if it has no such parameter, or several.
func parseElements(header string) (hops []netip.Addr) {
	var hop netip.Addr
	named := 0 // the number of parameters "for" of the element
	for {
		pair := forwardedPair.FindStringSubmatch(header)
		if pair == nil {
			return []netip.Addr{{}}
		}
		name, value, delimiter := pair[1], pair[2], pair[3]
		if strings.EqualFold(name, "for") {
			named++
			hop = parseNode(strings.Trim(value, `"`))
		}
		header = header[len(pair[0]):]
		if delimiter == ";" {
			continue
		}
		if named > 1 {
			hop = netip.Addr{}
		}
		hops = append(hops, hop)
		if delimiter == "" {
			return hops
		}
		hop, named = netip.Addr{}, 0
	}
}

// parseNode returns the address of a hop, with or without a port and brackets. If it has none, the
// result is invalid.
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

// networkOf returns an address as text. For an IPv6 address it returns the network, because a
// client usually controls all addresses of one.
func networkOf(address netip.Addr) string {
	network, err := address.Prefix(64)
	if err != nil || !address.Is6() {
		return address.String()
	}
	return network.String()
}
