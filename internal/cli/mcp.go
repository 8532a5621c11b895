package cli

import (
	"errors"
	"log/slog"
	"math"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"gander"
	"gander/internal/toolset"
	"gander/mcpserver"
)

// MemoryLimit is the memory, in bytes, above which a server with default limits collects garbage
// more often. Without it, the process could take twice the memory that calls hold.
const MemoryLimit = 160 << 20

// memoryLimit is like [MemoryLimit] for a server with the limits l, which can be more.
func memoryLimit(l gander.Limits) int64 {
	const enough = 1 << 60
	limit := int64(MemoryLimit)
	for _, size := range []int{l.CacheBytes, l.MaxDataBytes} {
		if size < 0 || int64(size) > enough {
			return math.MaxInt64
		}
		limit += int64(size)
	}
	return limit
}

// ShutdownTimeout returns the time that [Run] with these arguments needs at most after its context
// is canceled. A server uses it to respond to the calls that it has accepted.
func ShutdownTimeout(args []string) time.Duration {
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
gander/list_dir, gander/read_file, gander/find_files, gander/search_text.

DIR is a root, as in --root. A leading ~ is expanded; non-directories are
skipped with a warning. If all tools come from one other server, as in
--tools filesystem, gander is a drop-in replacement for it.

Over HTTP, /mcp serves the tools and /healthz returns 200. An address without a
host is the loopback address. Any other requires a bearer token, from
--token-file or the environment variable ` + tokenVariable + `, and for HTTPS a reverse
proxy. When interrupted, the server answers the accepted calls and exits.`,
		Example: `  gander mcp --root ~/project
  gander mcp --tools codex --log-level debug
  gander mcp --tools filesystem ~/project ~/notes
  gander mcp --http :8080 --root ~/project
  gander mcp --http 0.0.0.0:8080 --token-file token --allow-host files.example`,
		Args:              cobra.ArbitraryArgs,
		ValidArgsFunction: cobra.FixedCompletions(nil, cobra.ShellCompDirectiveFilterDirs),
	}
	src := newSource(cmd).withTools()
	listen := newListener(cmd)
	var level slog.Level
	cmd.Flags().TextVar(&level, "log-level", slog.LevelWarn,
		"log `LEVEL` and above: debug, info, warn or error")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := listen.check(); err != nil {
			return seeHelp(cmd, err)
		}
		if err := src.withDirectories(args); err != nil {
			return err
		}
		src.adjust = func(o *gander.Options) {
			if len(o.Tools) == 0 {
				o.Tools = []string{"gander"}
			}
			if debug.SetMemoryLimit(-1) == math.MaxInt64 { // GOMEMLIMIT is not set.
				debug.SetMemoryLimit(memoryLimit(o.Limits))
			}
		}
		ts, err := src.open()
		if err != nil {
			return err
		}
		defer ts.Close()
		o := mcpserver.Options{Version: cmd.Root().Version}
		logger := slog.New(slog.NewTextHandler(cmd.ErrOrStderr(), &slog.HandlerOptions{Level: level}))
		if listen.addr != "" { // Clients cause the SDK's messages, so it does not log them.
			return listen.serve(cmd, ts, &o, logger)
		}
		announce(cmd, "messages from an MCP client, which 'gander install CLIENT' configures")
		if emulated := (*toolset.Toolset)(ts).Emulated(); emulated != nil && emulated.Started != "" {
			cmd.PrintErrln(emulated.Started)
		}
		o.Logger = logger
		server := mcpserver.New(ts, &o)
		return failed(mcpserver.ServeStdio(cmd.Context(), server, cmd.InOrStdin(), cmd.OutOrStdout()))
	}
	return cmd
}

// withDirectories uses the arguments of a command as its roots, as the official filesystem server
// does. It expands a leading "~", because clients start servers without a shell, and skips
// non-directories with a warning. If none remains, it returns an error.
func (s *source) withDirectories(args []string) error {
	if len(args) == 0 {
		return nil
	}
	if s.cmd.Flags().Changed("root") {
		err := errors.New("directories are both arguments and in --root; use only one of these")
		return seeHelp(s.cmd, err)
	}
	s.roots = nil
	for _, arg := range args {
		home, err := os.UserHomeDir()
		rest, ok := strings.CutPrefix(arg, "~")
		if ok && err == nil && (rest == "" || os.IsPathSeparator(rest[0])) {
			arg = home + rest
		}
		dir, err := filepath.Abs(arg)
		if err != nil {
			return failure{err}
		}
		switch fi, err := os.Stat(dir); {
		case err != nil:
			s.cmd.PrintErrf("Warning: Cannot access directory %s, skipping\n", dir)
		case !fi.IsDir():
			s.cmd.PrintErrf("Warning: %s is not a directory, skipping\n", dir)
		default:
			_ = s.cmd.Flags().Set("root", dir) // The first replaces GANDER_ROOT; none fails.
		}
	}
	if len(s.roots) == 0 {
		s.cmd.PrintErrln("Error: None of the specified directories are accessible")
		return failure{errors.New("no directory is left to serve")}
	}
	return nil
}
