package cli

import (
	"bufio"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"io"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// TestHTTP runs the server with different flags and asks it for its tools.
func TestHTTP(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	cert, key, pool := certificate(t)
	const secret = "0123456789abcdef"
	token := file("token", secret+"\n")
	file("README.md", "# Title\n")
	for _, tt := range []struct {
		name          string
		args          []string
		env, bearer   string
		scheme        string
		status        int
		body, without string
	}{
		{name: "plain", args: []string{"--http", "0"}, scheme: "http", status: 200, body: `"name":"tree"`, without: "structuredContent"},
		{name: "a port", args: []string{"--http", ":0"}, scheme: "http", status: 200, body: `"name":"tree"`},
		{name: "a name", args: []string{"--http", "localhost:0"}, scheme: "http", status: 200, body: `"name":"tree"`},
		{name: "insecure", args: []string{"--http", "0.0.0.0:0", "--insecure"}, scheme: "http", status: 200, body: `"name":"tree"`},
		{name: "token", args: []string{"--http", "0.0.0.0:0", "--token-file", token}, bearer: secret, scheme: "http", status: 200, body: `"name":"tree"`},
		{name: "no token", args: []string{"--http", "0", "--token-file", token}, scheme: "http", status: 401},
		{name: "token of the environment", args: []string{"--http", "0"}, env: secret + "x", bearer: secret + "x", scheme: "http", status: 200, body: `"name":"tree"`},
		{name: "wrong token", args: []string{"--http", "0"}, env: secret + "x", bearer: secret, scheme: "http", status: 401},
		{name: "TLS", args: []string{"--http", "0", "--tls-cert", file("cert", cert), "--tls-key", file("key", key)}, scheme: "https", status: 200, body: `"name":"tree"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Setenv(tokenVariable, tt.env)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			log, stderr := io.Pipe()
			code := make(chan int, 1)
			go func() {
				code <- Run(ctx, append([]string{"mcp", "--root", dir, "--tools", "toolkit"}, tt.args...), strings.NewReader(""), io.Discard, stderr)
				stderr.Close()
			}()
			lines := bufio.NewReader(log)
			line, err := lines.ReadString('\n')
			if err != nil {
				t.Fatal(err)
			}
			go io.Copy(io.Discard, lines)
			found := regexp.MustCompile(`^gander: serving MCP at (https?)://\S+:(\d+)/mcp\n$`).FindStringSubmatch(line)
			if found == nil || found[1] != tt.scheme {
				t.Fatalf("it says %q", line)
			}
			client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}, ForceAttemptHTTP2: true}}
			defer client.CloseIdleConnections()
			url := found[1] + "://localhost:" + found[2]
			status, body := list(t, client, url, tt.bearer)
			if status != tt.status || !strings.Contains(body, tt.body) || tt.without != "" && strings.Contains(body, tt.without) {
				t.Errorf("status %d: %s", status, body)
			}
			if resp, err := client.Get(url + "/healthz"); err != nil || resp.StatusCode != 200 {
				t.Errorf("health: %v, %v", resp, err)
			} else {
				resp.Body.Close()
			}
			cancel()
			if c := <-code; c != exitOK {
				t.Errorf("exit code %d", c)
			}
		})
	}
}

// list asks for the tools, and returns the status and the body of the answer.
func list(t *testing.T, client *http.Client, url, bearer string) (int, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), "POST", url+"/mcp", strings.NewReader(
		`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`))
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range map[string]string{"Content-Type": "application/json", "Accept": "application/json, text/event-stream", "Mcp-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/list"} {
		r.Header.Set(name, value)
	}
	if bearer != "" {
		r.Header.Set("Authorization", "Bearer "+bearer)
	}
	resp, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(body)
}

// certificate returns a certificate for localhost, its key, and a pool that trusts it.
func certificate(t *testing.T) (cert, key string, pool *x509.CertPool) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), DNSNames: []string{"localhost"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, NotAfter: time.Now().Add(time.Hour)}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &private.PublicKey, private)
	if err != nil {
		t.Fatal(err)
	}
	pkcs8, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	cert = string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}))
	pool = x509.NewCertPool()
	pool.AppendCertsFromPEM([]byte(cert))
	return cert, string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: pkcs8})), pool
}

func TestPatience(t *testing.T) {
	for args, want := range map[string]time.Duration{"mcp --http 0": 15 * time.Second, "call tree": time.Second, "": time.Second, "none": time.Second} {
		if got := Patience(strings.Fields(args)); got != want {
			t.Errorf("%q: %v, want %v", args, got, want)
		}
	}
}
