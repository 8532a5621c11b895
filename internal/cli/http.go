package cli

import (
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"gander"
	"gander/mcpserver"
)

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
		text, where = string(data), l.tokenFile
	} else if text == "" {
		return nil
	}
	text = strings.TrimSpace(text)
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
