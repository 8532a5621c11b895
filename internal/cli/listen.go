package cli

import (
	"crypto/tls"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"gander"
	"gander/mcpserver"
)

const (
	// tokenVariable is the environment variable with the bearer token.
	tokenVariable = "GANDER_TOKEN"
	// minToken is the minimum length of a token. A shorter token could be guessed.
	minToken = 16
)

// listenFlags holds the flags of the HTTP server.
type listenFlags struct {
	addr      string
	tokenFile string
	insecure  bool
	hosts     []string
	origins   []string
	cert, key string
}

func newListenFlags(cmd *cobra.Command) *listenFlags {
	l := new(listenFlags)
	flags := cmd.Flags()
	flags.StringVar(&l.addr, "http", "", "serve over HTTP at `ADDR`: PORT or HOST:PORT")
	flags.StringVar(&l.tokenFile, "token-file", "", "require the bearer token in `FILE`")
	flags.BoolVar(&l.insecure, "insecure", false, "serve other machines without a token")
	flags.StringArrayVar(&l.hosts, "allow-host", nil, "let clients use the host `NAME`; repeatable")
	flags.StringArrayVar(&l.origins, "allow-origin", nil,
		"let pages from `URL` make requests; repeatable")
	flags.StringVar(&l.cert, "tls-cert", "", "serve HTTPS with the certificate in `FILE`")
	flags.StringVar(&l.key, "tls-key", "", "use the certificate's key in `FILE`")
	cmd.MarkFlagsRequiredTogether("tls-cert", "tls-key")
	return l
}

// check returns an error for flags that have no effect without --http.
func (l *listenFlags) check(flags *pflag.FlagSet) error {
	if l.addr != "" {
		return nil
	}
	for _, name := range []string{
		"http", "token-file", "insecure", "allow-host", "allow-origin", "tls-cert", "tls-key",
	} {
		if flags.Changed(name) {
			return fmt.Errorf("--%s needs --http ADDR", name)
		}
	}
	return nil
}

// serve serves the tools of ts over HTTP. It fails if other machines could connect without a token.
func (l *listenFlags) serve(
	cmd *cobra.Command, ts *gander.Toolset, server *mcpserver.Options, logger *slog.Logger,
) error {
	o := mcpserver.HTTPOptions{Hosts: l.hosts, Origins: l.origins, Logger: logger}
	for _, origin := range l.origins {
		if err := new(http.CrossOriginProtection).AddTrustedOrigin(origin); err != nil {
			return fmt.Errorf("--allow-origin %s must be an origin such as https://app.example: %w",
				origin, err)
		}
	}
	var err error
	if o.Token, err = l.token(); err != nil {
		return err
	}
	addr, err := l.resolve()
	if err != nil {
		return err
	}
	if !addr.IP.IsLoopback() && o.Token == "" && !l.insecure {
		return fmt.Errorf("other machines can reach %s: require a token with --token-file or %s,"+
			" or allow all of them with --insecure", addr, tokenVariable)
	}
	scheme, tlsConfig := "http", (*tls.Config)(nil)
	if l.cert != "" {
		pair, err := tls.LoadX509KeyPair(l.cert, l.key)
		if err != nil {
			return fmt.Errorf("cannot use the certificate: %w", err)
		}
		scheme = "https"
		tlsConfig = &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12}
	}
	listener, err := new(net.ListenConfig).Listen(cmd.Context(), "tcp", addr.String())
	if err != nil {
		return failure{err}
	}
	// The system may have chosen the port.
	cmd.PrintErrf("gander: serving MCP at %s://%s/mcp\n", scheme, listener.Addr())
	if tlsConfig != nil {
		listener = tls.NewListener(listener, tlsConfig)
	}
	return failed(mcpserver.ServeHTTP(cmd.Context(), listener, mcpserver.New(ts, server), &o))
}

// token returns the bearer token, or "" if none is required. The file takes precedence over the
// environment.
func (l *listenFlags) token() (string, error) {
	token, where := os.Getenv(tokenVariable), tokenVariable
	if l.tokenFile != "" {
		data, err := os.ReadFile(l.tokenFile)
		if err != nil {
			return "", fmt.Errorf("cannot read the token: %w", err)
		}
		token, where = strings.TrimSpace(string(data)), l.tokenFile
	} else if token == "" {
		return "", nil
	}
	odd := func(r rune) bool { return r <= ' ' || r > '~' }
	if len(token) < minToken || strings.ContainsFunc(token, odd) {
		return "", fmt.Errorf("the token in %s must be at least %d ASCII characters without spaces",
			where, minToken)
	}
	return token, nil
}

// resolve returns the address to listen at. Without a host, that is the loopback address.
func (l *listenFlags) resolve() (*net.TCPAddr, error) {
	addr := l.addr
	if !strings.Contains(addr, ":") {
		addr = ":" + addr
	}
	if strings.HasPrefix(addr, ":") {
		addr = "127.0.0.1" + addr
	}
	at, err := net.ResolveTCPAddr("tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("--http %s is not an address;"+
			" give a port such as 8080, or HOST:PORT: %w", l.addr, err)
	}
	if at.IP == nil { // an empty host in brackets
		at.IP = net.IPv6unspecified
	}
	return at, nil
}
