// Package mcpserver offers a gander toolset as a server of the Model Context Protocol, in every revision from 2024-11-05
// to 2026-07-28, and carries it over standard input and output. It knows the protocol; it knows no file and no tool
// beyond what a toolset says of it.
package mcpserver

import (
	"context"
	"log/slog"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"gander"
)

// Options configure a server. The zero value is right.
type Options struct {
	// Version is what the server states as its version. Empty means "devel".
	Version string
	// Logger is told of malformed input and of the course of sessions. Nil means no logs.
	Logger *slog.Logger
}

// New returns a server of the toolset's tools for any transport of the SDK. Tools and instructions are fixed from then
// on.
func New(ts *gander.Toolset, o Options) *mcp.Server {
	if o.Version == "" {
		o.Version = "devel"
	}
	info := &mcp.Implementation{Name: "gander", Title: "Gander: read-only file tools", Version: o.Version}
	// Capabilities that are not set are advertised as the SDK sees fit: logging, and notices of changes that never come.
	capabilities := &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{}}
	hints := instructions(ts)
	s := mcp.NewServer(info, &mcp.ServerOptions{
		Instructions: hints,
		Logger:       o.logger(),
		Capabilities: capabilities,
		SetCacheable: func(_ context.Context, _ mcp.Request, c *mcp.Cacheable) { c.CacheScope = "private" },
	})
	s.AddReceivingMiddleware(reopen(mcp.InitializeResult{ServerInfo: info, Capabilities: capabilities, Instructions: hints}))
	for _, d := range ts.Definitions() {
		s.AddTool(describe(d), handle(ts, d.ID))
	}
	return s
}

func (o Options) logger() *slog.Logger {
	if o.Logger == nil {
		return slog.New(slog.DiscardHandler)
	}
	return o.Logger
}
