package cli

import (
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"strings"

	"github.com/spf13/cobra"

	"gander"
	"gander/internal/toolset"
	"gander/mcpserver"
)

type httpFlags struct {
	addr, tokenFile string
	insecure        bool
	proxies         []string
	opened          []io.Closer // the toolsets of tokens
	options         mcpserver.HTTPOptions
}

func newHTTPFlags(cmd *cobra.Command) *httpFlags {
	h := new(httpFlags)
	f := cmd.Flags()
	f.StringVar(&h.addr, "http", "", "serve over HTTP at `ADDR`: PORT or HOST:PORT")
	f.StringVar(&h.tokenFile, "token-file", "", "require a bearer token in `FILE`: "+grantForm)
	f.BoolVar(&h.insecure, "insecure", false, "serve other machines without a token")
	f.StringArrayVar(&h.options.Hosts, "allow-host", nil,
		"let clients use the host `NAME`; repeatable")
	f.StringArrayVar(&h.options.Origins, "allow-origin", nil,
		"let pages from `URL` make requests; repeatable")
	f.StringArrayVar(&h.proxies, "trusted-proxy", nil,
		"believe the proxies at `CIDR` who their clients are; repeatable")
	return h
}

func (h *httpFlags) check(cmd *cobra.Command) error {
	if err := checkNotEmpty(cmd.Flags(), "http", "token-file", "allow-host"); err != nil {
		return err
	}
	for _, name := range []string{
		"token-file", "insecure", "allow-host", "allow-origin", "trusted-proxy",
	} {
		if cmd.Flags().Changed(name) && h.addr == "" {
			return fmt.Errorf("--%s needs --http ADDR", name)
		}
	}
	return nil
}

// listen completes the options and listens, unless other machines could connect without a token.
func (h *httpFlags) listen(cmd *cobra.Command, ts *toolset.Toolset) (net.Listener, error) {
	if err := h.completeOptions(); err != nil {
		return nil, err
	}
	if err := h.openTokens(ts); err != nil {
		return nil, err
	}
	addr, err := resolve(h.addr)
	if err != nil {
		return nil, err
	}
	if !addr.IP.IsLoopback() && len(h.options.Tokens) == 0 && !h.insecure {
		return nil, fmt.Errorf("other machines can reach %s: require a token with --token-file or %s,"+
			" or allow all of them with --insecure", addr, tokenVariable)
	}
	listener, err := new(net.ListenConfig).Listen(cmd.Context(), "tcp", addr.String())
	return listener, failure(err)
}

// serve serves the tools of ts to the clients that connect to a listener. These cause the messages
// of the SDK, so it does not log them.
func (h *httpFlags) serve(
	cmd *cobra.Command, listener net.Listener, ts *gander.Toolset, logger *slog.Logger,
) error {
	// The system may have chosen the port.
	cmd.PrintErrf("gander: serving MCP at http://%s/mcp\n", listener.Addr())
	server := mcpserver.New(ts, &mcpserver.Options{Version: version()})
	h.options.Logger = logger
	return mcpserver.ServeHTTP(cmd.Context(), listener, server, &h.options)
}

func (h *httpFlags) completeOptions() error {
	for _, host := range h.options.Hosts {
		isName := host != "" && !strings.ContainsAny(host, "/:")
		if !isName {
			return fmt.Errorf("--allow-host %s must be a name such as files.example", host)
		}
	}
	for _, origin := range h.options.Origins {
		if err := new(http.CrossOriginProtection).AddTrustedOrigin(origin); err != nil {
			return fmt.Errorf("--allow-origin %s must be an origin such as https://app.example: %w",
				origin, err)
		}
	}
	return h.parseProxies()
}

func (h *httpFlags) openTokens(ts *toolset.Toolset) error {
	grants, err := readGrants(h.tokenFile)
	if err != nil {
		return err
	}
	for _, g := range grants {
		token, opened, err := g.open(ts)
		if err != nil {
			return err
		}
		if opened != nil {
			h.opened = append(h.opened, opened)
		}
		h.options.Tokens = append(h.options.Tokens, token)
	}
	return nil
}

func (h *httpFlags) close() {
	for _, ts := range h.opened {
		_ = ts.Close() // It only reads.
	}
}

func (h *httpFlags) parseProxies() error {
	for _, text := range h.proxies {
		proxies, err := parsePrefix(text)
		if err != nil || proxies.Addr().Is4In6() {
			return fmt.Errorf("--trusted-proxy %s must be an address such as 192.0.2.1,"+
				" or a network such as 192.0.2.0/24", text)
		}
		if proxies.Bits() == 0 {
			return fmt.Errorf("--trusted-proxy %s would trust every client;"+
				" give the addresses of your proxies", text)
		}
		h.options.TrustedProxies = append(h.options.TrustedProxies, proxies)
	}
	return nil
}

func parsePrefix(text string) (netip.Prefix, error) {
	if address, err := netip.ParseAddr(text); err == nil {
		return address.Prefix(address.BitLen())
	}
	return netip.ParsePrefix(text)
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
