package mcpserver

import (
	"context"
	"crypto/tls"
	"net"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"gander"
	"gander/internal/frontend/mcphttp"
)

// HTTPOptions configure a server over HTTP. The zero value serves everybody who can reach the listener, under an IP
// address or as localhost: it is for listeners on loopback addresses.
type HTTPOptions struct {
	// Tools chooses the tools at /mcp, in the words of [gander.Options]. Empty means all that the toolset has.
	Tools []string
	// Token is the bearer token that every request must carry, but for /healthz. Empty wants none.
	Token string
	// Hosts are names under which clients ask, without ports, beside localhost and IP addresses. A request under any other
	// name is refused: a page in a browser could have made it.
	Hosts []string
	// TLS is the configuration of TLS, with its certificates. Nil serves plain HTTP.
	TLS *tls.Config
}

// ServeHTTP serves the toolset over streamable HTTP to what l accepts, until ctx ends. Then it accepts nothing more, and
// returns once what is in flight is answered; the error is nil where all of it was. Every revision is served on one URL:
// /mcp has the tools that h chooses, and /mcp/<dialect> those of one dialect. GET /healthz answers 200 without a token.
//
// The listener is closed. Requests of pages of other sites are refused. The sizes of bodies, and the numbers of requests
// and of sessions, are bounded.
func ServeHTTP(ctx context.Context, ts *gander.Toolset, o Options, h HTTPOptions, l net.Listener) error {
	servers, err := endpoints(ts, o, h.Tools)
	if err != nil {
		l.Close()
		return err
	}
	handler := mcphttp.New(servers, mcphttp.Options{Token: h.Token, Hosts: h.Hosts, Logger: o.logger()})
	return handler.Serve(ctx, l, h.TLS)
}

// endpoints returns the servers by their paths.
func endpoints(ts *gander.Toolset, o Options, tools []string) (map[string]*mcp.Server, error) {
	chosen, err := ts.Select(tools...)
	if err != nil {
		return nil, err
	}
	servers := map[string]*mcp.Server{"/mcp": New(chosen, o)}
	for _, d := range ts.Definitions() {
		path := "/mcp/" + d.Dialect()
		if servers[path] != nil {
			continue
		}
		dialect, err := ts.Select(d.Dialect())
		if err != nil {
			return nil, err
		}
		servers[path] = New(dialect, o)
	}
	return servers, nil
}
