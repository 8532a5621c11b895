package mcpserver

import (
	"context"
	"crypto/tls"
	"net"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"gander"
	"gander/internal/frontend/mcphttp"
)

// HTTPOptions configure a server over HTTP. The zero value serves everyone who can reach the listener by an IP address or
// as localhost; it is meant for listeners on loopback addresses.
type HTTPOptions struct {
	// Token is the bearer token that every request except those for /healthz must have. Empty means that none is needed.
	Token string
	// Hosts are the host names, without ports, that requests may have beside localhost and IP addresses. A request with any
	// other host is refused, because a page in a browser could have made it.
	Hosts []string
	// Origins are the origins, such as "https://app.example", whose pages may make requests from a browser. Empty means none
	// but the server's own.
	Origins []string
	// TLS is the TLS configuration, with certificates. Nil means plain HTTP.
	TLS *tls.Config
}

// ServeHTTP serves the toolset over streamable HTTP on l until ctx ends. It then accepts no more requests and returns once
// those under way are answered; the error is nil if all were. All revisions are served on each URL: /mcp has the tools that
// the toolset shows, and /mcp/<dialect> those of them that are of one dialect. GET /healthz answers 200 without a token.
//
// ServeHTTP closes l. It refuses requests from pages of other sites, and bounds the size of requests and the numbers of
// requests and sessions.
func ServeHTTP(ctx context.Context, ts *gander.Toolset, o Options, h HTTPOptions, l net.Listener) error {
	servers, err := endpoints(ts, o)
	if err != nil {
		l.Close()
		return err
	}
	handler, err := mcphttp.New(servers, mcphttp.Options{Token: h.Token, Hosts: h.Hosts, Origins: h.Origins, Logger: o.logger()})
	if err != nil {
		l.Close()
		return err
	}
	return handler.Serve(ctx, l, h.TLS)
}

// endpoints returns the servers by path.
func endpoints(ts *gander.Toolset, o Options) (map[string]*mcp.Server, error) {
	dialects := make(map[string][]string)
	for _, d := range ts.Definitions() {
		dialects[d.Dialect()] = append(dialects[d.Dialect()], d.ID)
	}
	servers := map[string]*mcp.Server{"/mcp": New(ts, o)}
	for name, ids := range dialects {
		dialect, err := ts.Select(ids...)
		if err != nil {
			return nil, err
		}
		servers["/mcp/"+name] = New(dialect, o)
	}
	return servers, nil
}
