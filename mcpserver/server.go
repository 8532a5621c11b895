// Package mcpserver serves a gander toolset over the Model Context Protocol, in every revision from 2024-11-05 to
// 2026-07-28, on standard input and output and over HTTP. It knows the protocol. Of files and tools it knows what the
// toolset says.
package mcpserver

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"golang.org/x/time/rate"

	"gander"
	"gander/internal/admission"
	"gander/internal/frontend/message"
)

// Options configure a server. The zero value is useful.
type Options struct {
	// Version is the version that the server states. Empty means "devel".
	Version string
	// Logger gets messages about malformed input and about sessions. Nil means no logs.
	Logger *slog.Logger
	// ClientRoots lets each client of a revision before 2026-07-28 narrow the workspace to its own roots. A client that has
	// no roots uses the whole workspace. No client can widen it. A server that takes the place of another (see [tool.Server])
	// always does so; there, a client whose roots are all outside uses the whole workspace too.
	ClientRoots bool
}

// New returns a server for any transport of the SDK. It offers the tools of the toolset. The list of tools does not change
// and is the same for every client.
func New(ts *gander.Toolset, o Options) *mcp.Server {

	info := implementation(o.Version)
	// Without Capabilities the SDK would advertise logging, and notices of changes of lists that do not change.
	place := PlaceOf(ts)
	options := &mcp.ServerOptions{
		Instructions: instructions(ts),
		Logger:       o.logger(),
		Capabilities: &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{}},
		SetCacheable: func(_ context.Context, _ mcp.Request, c *mcp.Cacheable) { c.CacheScope = "private" },
	}
	if place != nil {
		info = &mcp.Implementation{Name: place.Name, Version: place.Version}
		options.Instructions = ""
		options.Capabilities.Tools.ListChanged = true
	}
	s := &server{ts: ts}
	if o.ClientRoots || place != nil {
		s.narrowing = &narrowing{whole: ts, replace: place != nil, parts: make(map[*mcp.ServerSession]*part)}
		s.narrowing.listen(options)
	}
	s.mcp = mcp.NewServer(info, options)
	for _, d := range ts.Definitions() {
		s.mcp.AddTool(describe(d), s.handle(d))
	}
	if place != nil {
		s.mcp.AddReceivingMiddleware(s.takePlace(place))
	}
	s.mcp.AddReceivingMiddleware(publishAnnotations(ts), s.publishErrors, untilWritten, identify(info), allowReinitialize(mcp.InitializeResult{ServerInfo: info, Capabilities: options.Capabilities, Instructions: options.Instructions}))
	return s.mcp
}

// A server handles the requests of an SDK server with a toolset.
type server struct {
	ts  *gander.Toolset
	mcp *mcp.Server

	narrowing *narrowing // nil if clients cannot narrow the workspace
}

// untilWritten is middleware that says how long answers are in memory: the SDK ends the context of a request when it has
// written the answer (jsonrpc2.Connection.processResult).
func untilWritten(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		return next(admission.WithResponse(ctx, ctx), method, req)
	}
}

// publishErrors is middleware that returns errors as clients may see them (see [message.Publish]). The SDK's error about an
// unknown tool (Server.callTool) lists the tools.
func (s *server) publishErrors(next mcp.MethodHandler) mcp.MethodHandler {
	var names []string
	for _, d := range s.ts.Definitions() {
		names = append(names, d.Name)
	}
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		result, err := next(ctx, method, req)
		call, ok := req.(*mcp.CallToolRequest)
		if coded, is := errors.AsType[*jsonrpc.Error](err); ok && is && strings.HasPrefix(coded.Message, "unknown tool") && !slices.Contains(names, call.Params.Name) {
			text := fmt.Sprintf("unknown tool %.100q; the tools are: %s", call.Params.Name, strings.Join(names, ", "))
			err = &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: text}
		}
		return result, message.Publish(err)
	}
}

// toolsOf returns the tools for the part of the workspace that a session may see.
func (s *server) toolsOf(ctx context.Context, session *mcp.ServerSession) (*gander.Toolset, error) {
	if s.narrowing == nil {
		return s.ts, nil
	}
	return s.narrowing.of(ctx, session)
}

func (o Options) logger() *slog.Logger {
	if o.Logger == nil {
		return slog.New(slog.DiscardHandler)
	}
	return slog.New(limitedHandler{o.Logger.Handler(), &rate.Sometimes{First: 100, Interval: time.Second}})
}

// A limitedHandler logs the first hundred messages and then one a second: clients cause them.
type limitedHandler struct {
	slog.Handler
	limit *rate.Sometimes
}

// Handle implements [slog.Handler].
func (h limitedHandler) Handle(ctx context.Context, r slog.Record) (err error) {
	h.limit.Do(func() { err = h.Handler.Handle(ctx, r) })
	return err
}

// WithAttrs implements [slog.Handler].
func (h limitedHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return limitedHandler{h.Handler.WithAttrs(attrs), h.limit}
}

// WithGroup implements [slog.Handler].
func (h limitedHandler) WithGroup(name string) slog.Handler {
	return limitedHandler{h.Handler.WithGroup(name), h.limit}
}
