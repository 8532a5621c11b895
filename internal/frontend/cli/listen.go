package cli

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"os"
	"strings"

	"github.com/spf13/pflag"

	"gander/mcpserver"
)

const (
	// tokenVariable is the environment variable that may hold the bearer token.
	tokenVariable = "GANDER_TOKEN"
	// minToken is the least number of characters of a token. Fewer can be guessed.
	minToken = 16
)

// listenFlags say where to listen, and who may ask there.
type listenFlags struct {
	addr      string
	tokenFile string
	insecure  bool
	hosts     []string
	cert, key string
}

func newListenFlags(flags *pflag.FlagSet) *listenFlags {
	l := new(listenFlags)
	flags.StringVar(&l.addr, "http", "", "serve over HTTP at `ADDR`, a port or HOST:PORT")
	flags.StringVar(&l.tokenFile, "token-file", "", "want the bearer token in `FILE` over HTTP")
	flags.BoolVar(&l.insecure, "insecure", false, "serve other machines without a token")
	flags.Var(several{&l.hosts}, "allow-host", "let clients ask for the host `NAME`; repeatable")
	flags.StringVar(&l.cert, "tls-cert", "", "serve HTTPS with the certificate in `FILE`")
	flags.StringVar(&l.key, "tls-key", "", "the key of the certificate, in `FILE`")
	return l
}

// check refuses flags that mean nothing, or not what they seem to.
func (l *listenFlags) check(flags *pflag.FlagSet) error {
	if l.addr == "" {
		for _, name := range []string{"http", "token-file", "insecure", "allow-host", "tls-cert", "tls-key"} {
			if flags.Changed(name) {
				return fmt.Errorf("--%s needs --http ADDR", name)
			}
		}
		return nil
	}
	if (l.cert == "") != (l.key == "") {
		return errors.New("--tls-cert and --tls-key go together")
	}
	return nil
}

// options reads the token and the certificate.
func (l *listenFlags) options() (mcpserver.HTTPOptions, error) {
	h := mcpserver.HTTPOptions{Hosts: l.hosts}
	var err error
	if h.Token, err = l.token(); err != nil {
		return h, err
	}
	if l.cert != "" {
		pair, err := tls.LoadX509KeyPair(l.cert, l.key)
		if err != nil {
			return h, fmt.Errorf("cannot use the certificate: %w", err)
		}
		h.TLS = &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12}
	}
	at, err := l.resolve()
	if err != nil {
		return h, err
	}
	if !at.IP.IsLoopback() && h.Token == "" && !l.insecure {
		return h, fmt.Errorf("other machines can reach %s: want a token of them with --token-file or in %s, or say --insecure", at, tokenVariable)
	}
	return h, nil
}

// token returns the bearer token, "" where none is wanted. A file goes before the environment.
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
		return "", fmt.Errorf("the token in %s must be at least %d ASCII characters without blanks", where, minToken)
	}
	return token, nil
}

// resolve returns the address to listen at.
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
		return nil, fmt.Errorf("--http %s is no address; give a port such as 8080, or a host and a port: %w", l.addr, err)
	}
	if at.IP == nil { // an empty host in brackets
		at.IP = net.IPv6unspecified
	}
	return at, nil
}

func (l *listenFlags) listen(ctx context.Context) (net.Listener, error) {
	at, err := l.resolve()
	if err != nil {
		return nil, err
	}
	return new(net.ListenConfig).Listen(ctx, "tcp", at.String())
}

// url is where clients ask.
func (l *listenFlags) url(at net.Addr) string {
	scheme := "http"
	if l.cert != "" {
		scheme = "https"
	}
	return scheme + "://" + at.String() + "/mcp"
}
