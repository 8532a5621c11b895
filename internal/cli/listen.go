package cli

import (
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

// A listener holds the flags of the HTTP server.
type listener struct {
	flags           *pflag.FlagSet
	addr, tokenFile string
	insecure        bool
	options         mcpserver.HTTPOptions
}

func newListener(cmd *cobra.Command) *listener {
	l := &listener{flags: pflag.NewFlagSet("", pflag.ContinueOnError)}
	l.flags.StringVar(&l.addr, "http", "", "serve over HTTP at `ADDR`: PORT or HOST:PORT")
	l.flags.StringVar(&l.tokenFile, "token-file", "", "require the bearer token in `FILE`")
	l.flags.BoolVar(&l.insecure, "insecure", false, "serve other machines without a token")
	l.flags.StringArrayVar(&l.options.Hosts, "allow-host", nil,
		"let clients use the host `NAME`; repeatable")
	l.flags.StringArrayVar(&l.options.Origins, "allow-origin", nil,
		"let pages from `URL` make requests; repeatable")
	cmd.Flags().AddFlagSet(l.flags)
	return l
}

// check returns an error if the address is missing.
func (l *listener) check() (err error) {
	l.flags.VisitAll(func(f *pflag.Flag) {
		if f.Changed && l.addr == "" {
			err = fmt.Errorf("--%s needs --http ADDR", f.Name)
		}
	})
	return err
}

// serve serves the tools of ts over HTTP. It fails if other machines could connect without a token.
func (l *listener) serve(
	cmd *cobra.Command, ts *gander.Toolset, server *mcpserver.Options, logger *slog.Logger,
) error {
	l.options.Logger = logger
	for _, host := range l.options.Hosts {
		if _, _, err := net.SplitHostPort(host); err == nil || strings.Contains(host, "/") {
			return fmt.Errorf("--allow-host %s must be a name such as files.example", host)
		}
	}
	for _, origin := range l.options.Origins {
		if err := new(http.CrossOriginProtection).AddTrustedOrigin(origin); err != nil {
			return fmt.Errorf("--allow-origin %s must be an origin such as https://app.example: %w",
				origin, err)
		}
	}
	if err := l.readToken(); err != nil {
		return err
	}
	addr, err := resolve(l.addr)
	if err != nil {
		return err
	}
	if !addr.IP.IsLoopback() && l.options.Token == "" && !l.insecure {
		return fmt.Errorf("other machines can reach %s: require a token with --token-file or %s,"+
			" or allow all of them with --insecure", addr, tokenVariable)
	}
	in, err := new(net.ListenConfig).Listen(cmd.Context(), "tcp", addr.String())
	if err != nil {
		return failure{err}
	}
	// The system may have chosen the port.
	cmd.PrintErrf("gander: serving MCP at http://%s/mcp\n", in.Addr())
	return failed(mcpserver.ServeHTTP(cmd.Context(), in, mcpserver.New(ts, server), &l.options))
}

// readToken reads the bearer token, if one is required. The file takes precedence over the
// environment.
func (l *listener) readToken() error {
	token, where := os.Getenv(tokenVariable), tokenVariable
	if l.tokenFile != "" {
		data, err := os.ReadFile(l.tokenFile)
		if err != nil {
			return fmt.Errorf("cannot read the token: %w", err)
		}
		token, where = strings.TrimSpace(string(data)), l.tokenFile
	} else if token == "" {
		return nil
	}
	odd := func(r rune) bool { return r <= ' ' || r > '~' }
	if len(token) < minToken || strings.ContainsFunc(token, odd) {
		return fmt.Errorf("the token in %s must be at least %d ASCII characters without spaces",
			where, minToken)
	}
	l.options.Token = token
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
