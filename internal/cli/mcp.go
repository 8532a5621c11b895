package cli

import (
	"errors"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"gander"
	"gander/internal/clientlog"
	"gander/internal/terminal"
	"gander/internal/toolset"
	"gander/mcpserver"
)

// limitMemory lets a server collect garbage more often above an amount of memory. Without it, the
// process could take twice the memory that calls hold.
func limitMemory(ts *toolset.Toolset) {
	// The memory of calls, and what is not on the heap, such as the compiled code of PDFium.
	const base = 100 << 20
	cacheBytes, dataBytes := ts.MemoryLimits()
	if dataBytes > 0 && os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(base + int64(cacheBytes) + int64(dataBytes))
	}
}

// Shutdown reports whether [Main] with these arguments is a server, which responds to the calls
// that it has accepted, and returns the time that it needs at most after its context is canceled.
func Shutdown(args []string) (isServer bool, timeout time.Duration) {
	cmd, _, err := newRootCmd(os.Stdout, []string{}).Find(args)
	if err == nil && cmd.Name() == "mcp" {
		return true, mcpserver.ShutdownTimeout + 3*time.Second
	}
	return false, time.Second
}

func newMCPCmd() *cobra.Command {
	cmd := newCommand("mcp")
	cmd.Args = cobra.ArbitraryArgs
	cmd.SuggestFor = []string{"serve", "server", "start", "run"}
	cmd.Flags().BoolFunc("stdio", "", func(value string) error {
		if value != "true" {
			return errors.New("must be true; use --http for another transport")
		}
		return nil
	})
	_ = cmd.Flags().MarkHidden("stdio") // it is the default
	cmd.ValidArgsFunction = cobra.FixedCompletions(nil, cobra.ShellCompDirectiveFilterDirs)
	src := newSource(cmd).withTools().withConfinement().withAudit()
	web := newHTTPFlags(cmd)
	level := slog.LevelWarn
	cmd.Flags().Func("log-level",
		"log `LEVEL` and above: debug, info, warn (default) or error", func(word string) error {
			if err := level.UnmarshalText([]byte(word)); err != nil {
				return errors.New("must be debug, info, warn or error")
			}
			return nil
		})
	completeValues(cmd, "log-level", "debug", "info", "warn", "error")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := web.check(cmd); err != nil {
			return seeHelp(cmd, err)
		}
		if err := src.withDirectories(args); err != nil {
			return err
		}
		src.logger = newLogger(cmd, level)
		ts, err := src.open()
		if err != nil {
			return err
		}
		defer ts.Close()
		limitMemory(ts)
		var listener net.Listener // nil for standard input and output
		if web.addr != "" {
			defer web.close()
			listener, err = web.listen(cmd, ts)
			if err != nil {
				return err
			}
		}
		confinement, err := src.confine(ts)
		if err != nil {
			return err
		}
		src.logger.Info("kernel confinement: " + confinement)
		if listener != nil {
			return failure(web.serve(cmd, listener, (*gander.Toolset)(ts), src.logger))
		}
		return failure(serveStdio(cmd, ts, src.logger))
	}
	return cmd
}

// newLogger returns a logger to standard error. It is limited, because clients cause the records.
func newLogger(cmd *cobra.Command, level slog.Level) *slog.Logger {
	handler := slog.NewTextHandler(cmd.ErrOrStderr(), &slog.HandlerOptions{Level: level})
	return clientlog.Limit(slog.New(handler))
}

func serveStdio(cmd *cobra.Command, ts *toolset.Toolset, logger *slog.Logger) error {
	if terminal.Is(cmd.InOrStdin()) {
		cmd.PrintErrln("gander: waiting for messages from an MCP client, which " +
			"'gander install CLIENT' configures; Ctrl-C stops gander")
	}
	if emulated := ts.Emulated(); emulated != nil && emulated.Started != "" {
		cmd.PrintErrln(emulated.Started)
	}
	options := &mcpserver.Options{Version: version(), Logger: logger}
	server := mcpserver.New((*gander.Toolset)(ts), options)
	return mcpserver.ServeStdio(cmd.Context(), server, cmd.InOrStdin(), cmd.OutOrStdout())
}

// withDirectories uses the arguments of a command as its roots, as the official filesystem server
// does. It expands a leading "~", because clients start servers without a shell, and skips
// non-directories with a warning. If none remains, or if one is empty, it returns an error.
func (s *source) withDirectories(args []string) error {
	if len(args) == 0 {
		return nil
	}
	if s.cmd.Flags().Changed("root") {
		err := errors.New("directories are both arguments and in --root; use only one of these")
		return seeHelp(s.cmd, err)
	}
	if slices.Contains(args, "") { // as from a variable that is not set
		return errors.New("a directory is empty; name it, or give none for the working directory")
	}
	s.roots = nil // without those of GANDER_ROOT
	for _, arg := range args {
		dir, err := filepath.Abs(expandHome(arg))
		if err != nil {
			return failure(err)
		}
		switch fi, err := os.Stat(dir); {
		case err != nil:
			s.cmd.PrintErrf("Warning: Cannot access directory %s, skipping\n", terminal.Line(dir))
		case !fi.IsDir():
			s.cmd.PrintErrf("Warning: %s is not a directory, skipping\n", terminal.Line(dir))
		default:
			s.roots = append(s.roots, dir)
		}
	}
	if len(s.roots) == 0 {
		s.cmd.PrintErrln("Error: None of the specified directories are accessible")
		return failure(errors.New("no directory is left to serve"))
	}
	return nil
}

func expandHome(path string) string {
	rest, ok := strings.CutPrefix(path, "~")
	isHome := ok && (rest == "" || os.IsPathSeparator(rest[0]))
	home, err := os.UserHomeDir()
	if !isHome || err != nil {
		return path
	}
	return home + rest
}
