package cli

import (
	"errors"
	"log/slog"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"gander"
	"gander/internal/toolset"
	"gander/mcpserver"
)

// Patience returns how long [Run] with these arguments may go on after its context has ended. A server needs the time to
// answer the calls it has accepted; anything else that takes longer is stuck in a read or a write.
func Patience(args []string) time.Duration {
	if len(args) > 0 && args[0] == "mcp" {
		return 15 * time.Second
	}
	return time.Second
}

func newMCPCmd() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "mcp [DIR...]",
		Short: "Serve the tools over MCP, on standard streams or over HTTP",
		Long: `Serve the tools over MCP: to one client on standard input and output, or with
--http to any number of clients over streamable HTTP. The default tools are
` + strings.Join(toolset.DefaultTools(), ", ") + `.

DIR is a directory that the tools are confined to, as --root names it. Here "~"
stands for the home directory, and what is no directory is left out with a
warning. With the tools of one other server alone, as in --tools filesystem, the
command takes that server's place in every answer.

Over HTTP, /mcp serves the tools and /healthz answers 200. An address without a
host is reached from this machine only. Any other needs a bearer token, from
--token-file or the environment variable ` + tokenVariable + `. When interrupted,
the server answers the calls it has accepted and ends.`,
		Example: `  gander mcp --root ~/project
  gander mcp --tools codex --log-level debug
  gander mcp --tools filesystem ~/project ~/notes
  gander mcp --http :8080 --root ~/project
  gander mcp --http 0.0.0.0:8443 --token-file token --tls-cert cert.pem \
    --tls-key key.pem --allow-host files.example`,
		Args: cobra.ArbitraryArgs,
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return nil, cobra.ShellCompDirectiveFilterDirs
		},
	}
	src := newSource(cmd).withTools()
	listen := newListenFlags(cmd)
	clientRoots := cmd.Flags().Bool("client-roots", false, "let clients narrow the workspace to their roots")
	level := levelFlag{slog.LevelWarn}
	cmd.Flags().Var(&level, "log-level", "log from `LEVEL` on: debug, info, warn (default), error")
	completeFlag(cmd, "log-level", completeWords([]string{"debug", "info", "warn", "error"}))
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := listen.check(cmd.Flags()); err != nil {
			return seeHelp(cmd, err)
		}
		if err := src.withDirectories(cmd, args); err != nil {
			return err
		}
		configured, problems := src.load()
		if len(problems) > 0 {
			return problems[0]
		}
		if len(configured.Tools) == 0 {
			configured.Tools = toolset.DefaultTools()
		}
		o := mcpserver.Options{Version: cmd.Root().Version, ClientRoots: *clientRoots}
		o.Logger = slog.New(slog.NewTextHandler(cmd.ErrOrStderr(), &slog.HandlerOptions{Level: level.Level}))
		if listen.addr != "" {
			return serveHTTP(cmd, src, configured, listen, o)
		}
		ts, err := src.openWith(configured)
		if err != nil {
			return err
		}
		defer ts.Close()
		announce(cmd, "messages from an MCP client, which 'gander install CLIENT' sets up to start this command")
		if emulated := (*toolset.Toolset)(ts).Emulated(); emulated != nil && emulated.Started != "" {
			cmd.PrintErrln(emulated.Started)
		}
		return streamError(mcpserver.ServeStdio(cmd.Context(), mcpserver.New(ts, &o), cmd.InOrStdin(), cmd.OutOrStdout()))
	}
	return cmd
}

// streamError returns the error of a command that has served a stream.
func streamError(err error) error {
	if err != nil {
		return failure{err}
	}
	return nil
}

// levelFlag is the value of a flag that sets a level of the log.
type levelFlag struct{ slog.Level }

func (f *levelFlag) String() string { return "" } // the default value
func (f *levelFlag) Type() string   { return "level" }

func (f *levelFlag) Set(value string) error {
	if f.UnmarshalText([]byte(value)) != nil {
		return errors.New("the levels are debug, info, warn and error")
	}
	return nil
}

// serveHTTP serves the tools over HTTP.
func serveHTTP(cmd *cobra.Command, src *source, configured gander.Options, listen *listenFlags, o mcpserver.Options) error {
	ts, err := src.openWith(configured)
	if err != nil {
		return err
	}
	defer ts.Close()
	h, err := listen.options()
	if err != nil {
		return err
	}
	h.Logger, o.Logger = o.Logger, nil // Clients cause the SDK's messages.
	certificate, err := listen.certificate()
	if err != nil {
		return err
	}
	l, err := listen.listen(cmd.Context(), certificate)
	if err != nil {
		return failure{err}
	}
	// The system may have chosen the port.
	cmd.PrintErrf("gander: serving MCP at %s\n", listen.url(l.Addr()))
	return streamError(mcpserver.ServeHTTP(cmd.Context(), l, mcpserver.New(ts, &o), &h))
}
