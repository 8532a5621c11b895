// Package mcpserver serves a gander toolset over the Model Context Protocol, in every revision from
// 2024-11-05 to 2026-07-28.
package mcpserver

import (
	"cmp"
	"context"
	"log/slog"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"gander"
	"gander/internal/clientlog"
	"gander/internal/tools/definition"
	"gander/internal/toolset"
)

const (
	// modern is the first revision without handshakes and roots, lastHandshake the one before.
	modern        = "2026-07-28"
	lastHandshake = "2025-11-25"
)

// revisions are all revisions, from the newest to the oldest.
var revisions = []string{modern, lastHandshake, "2025-06-18", "2025-03-26", "2024-11-05"}

// Options configures a server. A server that emulates another ignores all but Logger.
type Options struct {
	Name         string       // default "gander"
	Title        string       // for people; without this and Name, the server describes itself
	Version      string       // default "devel"
	Instructions string       // for the model; default the roots and the purpose of gander's tools
	Logger       *slog.Logger // gets 100 messages about sessions, then one per second; default none
}

// New returns a server for any transport of the SDK, with the tools of ts. It has no other tools,
// and no methods of other capabilities, even if they are added. Nil options are zero, as in
// [Handler]. If one other server published all of the tools, the server emulates that one: it takes
// its name and version, and restricts the workspace of each client with roots to these, over a
// transport with sessions and in revisions before 2026-07-28. A client that has never listed a root
// in the workspace uses all of it.
func New(ts *gander.Toolset, o *Options) *mcp.Server {
	inner := (*toolset.Toolset)(ts)
	o = cmp.Or(o, new(Options))
	info := &mcp.Implementation{
		Name: cmp.Or(o.Name, "gander"), Title: o.Title, Version: cmp.Or(o.Version, "devel"),
	}
	if o.Name == "" && o.Title == "" {
		info.Title = "Gander"
		if isReadOnly(inner) {
			info.Title += ": read-only file tools"
		}
	}
	// Without Capabilities the SDK would advertise logging, and notifications of changes of lists
	// that do not change.
	options := &mcp.ServerOptions{
		Instructions: cmp.Or(o.Instructions, instructions(inner)),
		Logger:       clientlog.Limit(o.Logger),
		Capabilities: &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{}},
		SetCacheable: func(_ context.Context, _ mcp.Request, c *mcp.Cacheable) {
			c.CacheScope = "private"
		},
	}
	roots := &clientRoots{whole: inner, sessions: make(map[*mcp.ServerSession]*sessionRoots)}
	emulated := inner.Emulated()
	if emulated != nil {
		info = &mcp.Implementation{Name: emulated.Server, Version: emulated.Version}
		options.Instructions = ""
		options.Capabilities.Tools.ListChanged = true
		options.InitializedHandler = roots.initialized
		options.RootsListChangedHandler = roots.changed //lint:ignore SA1019 as in roots.go
	}
	s := mcp.NewServer(info, options)
	definitions := inner.Definitions()
	for _, d := range definitions {
		s.AddTool(describe(d, emulated != nil), servedTool{d, roots}.call)
	}
	checks := &gate{
		tools: definitions, emulated: emulated, options: options, results: inner.Control().Results,
	}
	s.AddReceivingMiddleware(checks.handle)
	return s
}

func isReadOnly(ts *toolset.Toolset) bool {
	return !slices.ContainsFunc(ts.Definitions(), func(d definition.Definition) bool {
		return !d.ReadOnly || d.SideEffects
	})
}

// instructions returns the instructions for the model: the roots, a hint for each tool, and common
// hints. Every session pays for its tokens, so tools share a sentence.
func instructions(ts *toolset.Toolset) string {
	text := "Read-only file tools, confined to "
	if !isReadOnly(ts) {
		text = "The file tools are read-only and confined to "
	}
	text += strings.Join(ts.Roots(), " and ") + "."
	var hints, common []string
	for _, d := range ts.Definitions() {
		if d.Hint != "" {
			hints = append(hints, d.Name+": "+d.Hint)
		}
		if d.SetHint != "" && !slices.Contains(common, d.SetHint) {
			common = append(common, d.SetHint)
		}
	}
	if len(hints) > 0 {
		text += " " + strings.Join(hints, "; ") + "."
	}
	return strings.Join(append([]string{text}, common...), " ")
}
