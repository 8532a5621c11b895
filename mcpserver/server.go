// Package mcpserver offers a gander toolset as a server of the Model Context Protocol, in every revision from 2024-11-05
// to 2026-07-28, and carries it over standard input and output and over HTTP. It knows the protocol; it knows no file and
// no tool beyond what a toolset says of it.
package mcpserver

import (
	"context"
	"log/slog"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"gander"
	"gander/internal/frontend/resource"
)

// Options configure a server. The zero value is right.
type Options struct {
	// Version is what the server states as its version. Empty means "devel".
	Version string
	// Logger is told of malformed input and of the course of sessions. Nil means no logs.
	Logger *slog.Logger
	// Structured gives the answers of tools whose content is JSON a second time, as structured content, and publishes its
	// schema. Some clients then hand both to the model, which pays twice.
	Structured bool
	// NoResources leaves out everything but the tools: resources, prompts, completions and subscriptions.
	NoResources bool
	// ClientRoots has each client of the older revisions narrow the workspace to its own roots, where it has any: what lies
	// both in those and in the toolset's. A client cannot widen anything.
	ClientRoots bool
}

// New returns a server of the toolset for any transport of the SDK: its tools, and the files of its workspace as
// resources, with what belongs to these. What it lists is fixed from then on, and the same for every client.
//
// A file is read as a resource under the rules of codex/read_file, and a directory under those of a tool that lists:
// where the toolset has no such tool there are no such resources, and where the policy refuses the tool it refuses the
// resource.
func New(ts *gander.Toolset, o Options) *mcp.Server {
	return newServer(ts, o, func(*mcp.ServerOptions) {})
}

// A server is what an SDK's server needs to know of a toolset.
type server struct {
	ts    *gander.Toolset
	files *resource.Files
	mcp   *mcp.Server

	narrowing *narrowing // nil where clients cannot narrow the workspace
}

// newServer is New with a last word on the SDK's options.
func newServer(ts *gander.Toolset, o Options, adjust func(*mcp.ServerOptions)) *mcp.Server {
	info := implementation(o.Version)
	// Capabilities that are not set are advertised as the SDK sees fit: logging, and notices of changes that never come.
	options := &mcp.ServerOptions{
		Instructions: instructions(ts),
		Logger:       o.logger(),
		Capabilities: &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{}},
		SetCacheable: func(_ context.Context, _ mcp.Request, c *mcp.Cacheable) { c.CacheScope = "private" },
	}
	s := &server{ts: ts, files: resource.New(ts)}
	w := &watches{files: s.files, filesOf: s.filesOf, stamps: make(map[string]string), holders: make(map[string][]*mcp.ServerSession)}
	if o.ClientRoots {
		s.narrowing = &narrowing{wide: ts, parts: make(map[*mcp.ServerSession]*part)}
		s.narrowing.listen(options)
	}
	resources := !o.NoResources && len(s.files.Roots()) > 0 && (s.files.Reads() || s.files.Lists())
	if resources {
		options.CompletionHandler = s.complete
		options.SubscribeHandler, options.UnsubscribeHandler = w.subscribe, w.unsubscribe
		options.Capabilities.Resources = &mcp.ResourceCapabilities{Subscribe: true}
		options.Capabilities.Prompts = &mcp.PromptCapabilities{}
		options.Capabilities.Completions = &mcp.CompletionCapabilities{}
		if s.files.Lists() {
			options.Capabilities.AddExtension(skills, map[string]any{"directoryRead": true})
		}
	}
	adjust(options)
	s.mcp = mcp.NewServer(info, options)
	w.server = s.mcp
	if s.narrowing != nil {
		s.narrowing.server = s.mcp
	}
	for _, d := range ts.Definitions() {
		s.mcp.AddTool(describe(d, o.Structured), s.handle(d, o.Structured))
	}
	if resources {
		s.addResources()
		s.addPrompts()
		s.mcp.AddReceivingMiddleware(s.anySpelling, w.onDemand)
	}
	s.mcp.AddReceivingMiddleware(progress, identify(info), reopen(mcp.InitializeResult{ServerInfo: info, Capabilities: options.Capabilities, Instructions: options.Instructions}))
	return s.mcp
}

// toolsOf returns the tools as a session may use them.
func (s *server) toolsOf(ctx context.Context, session *mcp.ServerSession) (*gander.Toolset, error) {
	if s.narrowing == nil {
		return s.ts, nil
	}
	return s.narrowing.of(ctx, session)
}

// filesOf returns the resources as a session may see them.
func (s *server) filesOf(ctx context.Context, session *mcp.ServerSession) (*resource.Files, error) {
	ts, err := s.toolsOf(ctx, session)
	if err != nil || ts == s.ts {
		return s.files, err
	}
	return s.files.In(ts), nil
}

func (o Options) logger() *slog.Logger {
	if o.Logger == nil {
		return slog.New(slog.DiscardHandler)
	}
	return o.Logger
}
