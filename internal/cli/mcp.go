package cli

import (
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"gander"
	"gander/internal/terminal"
	"gander/internal/toolset"
	"gander/mcpserver"
)

// limitMemory lets a server collect garbage more often above an amount of memory. Without it, the
// process could take twice the memory that calls hold.
func limitMemory(l gander.Limits) {
	const base = 128 << 20 // with room for what is not on the heap, such as the compiled code of PDFium
	areLimited := min(l.CacheBytes, l.MaxDataBytes) >= 0
	if areLimited && os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(base + int64(l.CacheBytes) + int64(l.MaxDataBytes))
	}
}

// ShutdownTimeout returns the time that [Run] with these arguments needs at most after its context
// is canceled. A server uses it to respond to the calls that it has accepted.
func ShutdownTimeout(args []string) time.Duration {
	if slices.Contains(args, "mcp") { // after flags, or as the argument of another command
		return 15 * time.Second
	}
	return time.Second
}

func newMCPCmd() *cobra.Command {
	cmd := newCommand("mcp")
	cmd.Args = cobra.ArbitraryArgs
	cmd.SuggestFor = []string{"serve", "server", "start", "run"}
	cmd.Flags().Bool("stdio", true, "")
	_ = cmd.Flags().MarkHidden("stdio") // it is the default
	cmd.ValidArgsFunction = cobra.FixedCompletions(nil, cobra.ShellCompDirectiveFilterDirs)
	src := newSource(cmd).withTools().withConfinement()
	src.isServer = true
	listen := newListener(cmd)
	var level slog.Level
	cmd.Flags().TextVar(&level, "log-level", slog.LevelWarn,
		"log `LEVEL` and above: debug, info, warn or error")
	completeValues(cmd, "log-level", "debug", "info", "warn", "error")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := listen.check(cmd); err != nil {
			return seeHelp(cmd, err)
		}
		if err := src.withDirectories(args); err != nil {
			return err
		}
		ts, err := src.open()
		if err != nil {
			return err
		}
		defer ts.Close()
		logger := slog.New(slog.NewTextHandler(cmd.ErrOrStderr(), &slog.HandlerOptions{Level: level}))
		in, err := listen.open(cmd)
		if err != nil {
			return err
		}
		confinement, err := src.confine(ts)
		if err != nil {
			return err
		}
		logger.Info("kernel confinement: " + confinement)
		if in != nil {
			return failed(listen.serve(cmd, in, ts, logger))
		}
		return failed(serveStdio(cmd, ts, logger))
	}
	return cmd
}

func serveStdio(cmd *cobra.Command, ts *gander.Toolset, logger *slog.Logger) error {
	if terminal.Is(cmd.InOrStdin()) {
		cmd.PrintErrln("gander: waiting for messages from an MCP client, which " +
			"'gander install CLIENT' configures; Ctrl-C stops gander")
	}
	if emulated := (*toolset.Toolset)(ts).Emulated(); emulated != nil && emulated.Started != "" {
		cmd.PrintErrln(emulated.Started)
	}
	server := mcpserver.New(ts, &mcpserver.Options{Version: version(), Logger: logger})
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
			return failed(err)
		}
		switch fi, err := os.Stat(dir); {
		case err != nil:
			s.cmd.PrintErrf("Warning: Cannot access directory %s, skipping\n", dir)
		case !fi.IsDir():
			s.cmd.PrintErrf("Warning: %s is not a directory, skipping\n", dir)
		default:
			s.roots = append(s.roots, dir)
		}
	}
	if len(s.roots) == 0 {
		s.cmd.PrintErrln("Error: None of the specified directories are accessible")
		return failed(errors.New("no directory is left to serve"))
	}
	return nil
}

// expandHome returns a path with the home directory for a leading "~".
func expandHome(path string) string {
	rest, ok := strings.CutPrefix(path, "~")
	isHome := ok && (rest == "" || os.IsPathSeparator(rest[0]))
	home, err := os.UserHomeDir()
	if !isHome || err != nil {
		return path
	}
	return home + rest
}

const (
	// tokenVariable is the environment variable with the bearer token.
	tokenVariable = "GANDER_TOKEN"
	// minToken is the minimum length of a token. A shorter token could be guessed.
	minToken = 16
)

// A listener holds the flags of the HTTP server.
type listener struct {
	addr, tokenFile string
	insecure        bool
	proxies         []string
	options         mcpserver.HTTPOptions
}

func newListener(cmd *cobra.Command) *listener {
	l := new(listener)
	f := cmd.Flags()
	f.StringVar(&l.addr, "http", "", "serve over HTTP at `ADDR`: PORT or HOST:PORT")
	f.StringVar(&l.tokenFile, "token-file", "", "require a bearer token in `FILE`, one per line")
	f.BoolVar(&l.insecure, "insecure", false, "serve other machines without a token")
	f.StringArrayVar(&l.options.Hosts, "allow-host", nil,
		"let clients use the host `NAME`; repeatable")
	f.StringArrayVar(&l.options.Origins, "allow-origin", nil,
		"let pages from `URL` make requests; repeatable")
	f.StringArrayVar(&l.proxies, "trusted-proxy", nil,
		"believe the proxies at `CIDR` who their clients are; repeatable")
	return l
}

// check returns an error if the address is missing, or a flag has no value.
func (l *listener) check(cmd *cobra.Command) error {
	if err := checkNotEmpty(cmd, "http", "token-file"); err != nil {
		return err
	}
	if slices.Contains(l.options.Hosts, "") {
		return errors.New("--allow-host is empty; give a value or omit the flag")
	}
	for _, name := range []string{
		"token-file", "insecure", "allow-host", "allow-origin", "trusted-proxy",
	} {
		if cmd.Flags().Changed(name) && l.addr == "" {
			return fmt.Errorf("--%s needs --http ADDR", name)
		}
	}
	return nil
}

// open reads the token and listens, if an address is given. It fails if other machines could connect
// without a token.
func (l *listener) open(cmd *cobra.Command) (net.Listener, error) {
	if l.addr == "" {
		return nil, nil
	}
	for _, host := range l.options.Hosts {
		if strings.ContainsAny(host, "/:") {
			return nil, fmt.Errorf("--allow-host %s must be a name such as files.example", host)
		}
	}
	for _, origin := range l.options.Origins {
		if err := new(http.CrossOriginProtection).AddTrustedOrigin(origin); err != nil {
			return nil, fmt.Errorf(
				"--allow-origin %s must be an origin such as https://app.example: %w", origin, err)
		}
	}
	if err := l.parseProxies(); err != nil {
		return nil, err
	}
	if err := l.readTokens(); err != nil {
		return nil, err
	}
	addr, err := resolve(l.addr)
	if err != nil {
		return nil, err
	}
	if !addr.IP.IsLoopback() && len(l.options.Tokens) == 0 && !l.insecure {
		return nil, fmt.Errorf("other machines can reach %s: require a token with --token-file or %s,"+
			" or allow all of them with --insecure", addr, tokenVariable)
	}
	in, err := new(net.ListenConfig).Listen(cmd.Context(), "tcp", addr.String())
	return in, failed(err)
}

// serve serves the tools of ts to the clients that connect to in. These cause the messages of the
// SDK, so it does not log them.
func (l *listener) serve(
	cmd *cobra.Command, in net.Listener, ts *gander.Toolset, logger *slog.Logger,
) error {
	// The system may have chosen the port.
	cmd.PrintErrf("gander: serving MCP at http://%s/mcp\n", in.Addr())
	server := mcpserver.New(ts, &mcpserver.Options{Version: version()})
	l.options.Logger = logger
	return mcpserver.ServeHTTP(cmd.Context(), in, server, &l.options)
}

// parseProxies parses the addresses of the trusted proxies.
func (l *listener) parseProxies() error {
	for _, text := range l.proxies {
		proxies, err := parsePrefix(text)
		if err != nil || proxies.Addr().Is4In6() {
			return fmt.Errorf("--trusted-proxy %s must be an address such as 192.0.2.1,"+
				" or a network such as 192.0.2.0/24", text)
		}
		if proxies.Bits() == 0 {
			return fmt.Errorf("--trusted-proxy %s would trust every client;"+
				" give the addresses of your proxies", text)
		}
		l.options.TrustedProxies = append(l.options.TrustedProxies, proxies)
	}
	return nil
}

// parsePrefix parses a network, or one address.
func parsePrefix(text string) (netip.Prefix, error) {
	if address, err := netip.ParseAddr(text); err == nil {
		return address.Prefix(address.BitLen())
	}
	return netip.ParsePrefix(text)
}

// readTokens reads the bearer tokens, if one is required. The file takes precedence over the
// environment.
func (l *listener) readTokens() error {
	text, where := os.Getenv(tokenVariable), tokenVariable
	if l.tokenFile != "" {
		data, err := os.ReadFile(l.tokenFile)
		if err != nil {
			return fmt.Errorf("cannot read the token: %w", err)
		}
		text, where = strings.TrimSpace(string(data)), l.tokenFile
	} else if text == "" {
		return nil
	}
	isForbidden := func(r rune) bool { return r <= ' ' || r > '~' }
	for line := range strings.SplitSeq(text, "\n") {
		token := strings.TrimSuffix(line, "\r")
		if len(token) < minToken || strings.ContainsFunc(token, isForbidden) {
			return fmt.Errorf("each token in %s must be at least %d ASCII characters without spaces",
				where, minToken)
		}
		l.options.Tokens = append(l.options.Tokens, token)
	}
	return nil
}

// resolve returns the address to listen at. Without a host, that is the loopback address.
func resolve(addr string) (*net.TCPAddr, error) {
	hostPort := addr
	if colon := strings.Index(addr, ":"); colon <= 0 {
		hostPort = "127.0.0.1:" + addr[colon+1:]
	}
	at, err := net.ResolveTCPAddr("tcp", hostPort)
	if err != nil {
		return nil, fmt.Errorf("--http %s is not an address;"+
			" give a port such as 8080, or HOST:PORT: %w", addr, err)
	}
	return at, nil
}
