package cli

import (
	"log/slog"
	"time"

	"github.com/spf13/cobra"

	"gander"
	"gander/internal/frontend/config"
	"gander/mcpserver"
	"gander/tool"
)

// drains is the annotation of a command that still answers what is in flight when its context ends, within a time of its
// own.
const drains = "drains"

// Patience returns how long [Run] with these arguments may still take once its context has ended. What takes longer is
// stuck in a read or a write.
func Patience(args []string) time.Duration {
	cmd, _, err := newRootCmd().Find(args)
	if _, ok := cmd.Annotations[drains]; err == nil && ok {
		return 15 * time.Second
	}
	return time.Second
}

func newMCPCmd() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "mcp",
		Short: "Serve the tools over MCP on standard input and output, or over HTTP",
		Long: `Serve the tools over MCP: to one client on standard input and output, or with --http to any number over streamable HTTP.

Over HTTP, /mcp has the tools that --tools names, and /mcp/codex, /mcp/gemini, /mcp/forge and /mcp/toolkit those of one
dialect each. GET /healthz answers 200. An address without a host is one of this machine alone; any other is served only
to who has the bearer token, which stands in the file of --token-file or in the environment variable ` + tokenVariable + `.
When interrupted, the server answers what is in flight and goes.`,
		Example: `  gander mcp --root ~/project
  gander mcp --tools codex,toolkit/tree --log-level debug
  gander mcp --http :8080 --root ~/project
  gander mcp --http 0.0.0.0:8443 --token-file token --tls-cert cert.pem --tls-key key.pem --allow-host files.example`,
		Args:        arguments(0, 0, "no arguments"),
		Annotations: map[string]string{drains: ""},
	}
	src := newSource(cmd.Flags()).withRoots().withTools("forge/list_directory", "codex/read_file", "toolkit/tree")
	listen := newListenFlags(cmd.Flags())
	cmd.Flags().Bool("structured", false, "give JSON answers as structured content too")
	cmd.Flags().Bool("no-resources", false, "serve tools only: no resources, no prompts")
	cmd.Flags().Bool("client-roots", false, "let clients narrow the workspace to their roots")
	var level slog.Level
	cmd.Flags().TextVar(&level, "log-level", slog.LevelWarn, "log to standard error from `LEVEL` on: debug, info, warn or error")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if err := listen.check(cmd.Flags()); err != nil {
			return hint(cmd, err)
		}
		c, err := src.load()
		if err != nil {
			return err
		}
		o := mcpOptions(cmd, c.MCP)
		o.Logger = slog.New(slog.NewTextHandler(cmd.ErrOrStderr(), &slog.HandlerOptions{Level: level}))
		if listen.addr != "" {
			return serveHTTP(cmd, src, c.Options, listen, o)
		}
		ts, err := src.openWith(c.Options)
		if err != nil {
			return err
		}
		defer ts.Close()
		return served(mcpserver.ServeStdio(cmd.Context(), ts, o, cmd.InOrStdin(), safely(cmd.OutOrStdout())))
	}
	return cmd
}

// mcpOptions are what the flags, or else the configuration, say beside the tools.
func mcpOptions(cmd *cobra.Command, face config.MCP) mcpserver.Options {
	on := func(flag string, configured bool) bool {
		if f := cmd.Flags().Lookup(flag); f.Changed {
			return f.Value.String() == "true"
		}
		return configured
	}
	return mcpserver.Options{
		Version:     cmd.Root().Version,
		Structured:  on("structured", face.Structured),
		ClientRoots: on("client-roots", face.ClientRoots),
		NoResources: on("no-resources", face.NoResources),
	}
}

// serveHTTP serves all tools, each dialect under its own path and those of --tools under the first.
func serveHTTP(cmd *cobra.Command, src *source, configured gander.Options, listen *listenFlags, o mcpserver.Options) error {
	ts, chosen, err := src.openAll(configured)
	if err != nil {
		return err
	}
	defer ts.Close()
	h, err := listen.options()
	if err != nil {
		return err
	}
	h.Tools = chosen
	l, err := listen.listen(cmd.Context())
	if err != nil {
		return failure{err}
	}
	// A person, or a program that let the system choose the port, learns here where to ask.
	cmd.PrintErrf("gander: serving MCP at %s\n", listen.url(l.Addr()))
	return served(mcpserver.ServeHTTP(cmd.Context(), ts, o, h, l))
}

// openAll is open with all tools, and the words that choose among them.
func (s *source) openAll(configured gander.Options) (*gander.Toolset, []string, error) {
	if len(s.tools) == 0 {
		_, err := s.openWith(configured) // says what is wrong with that
		return nil, nil, err
	}
	all := *s
	all.tools = []string{tool.All}
	ts, err := all.openWith(configured)
	if err != nil {
		return nil, nil, err
	}
	if _, err := ts.Select(s.tools...); err != nil {
		ts.Close()
		return nil, nil, s.named("tools", suggestTool(err, s.tools))
	}
	return ts, s.tools, nil
}
