package cli

import (
	"bufio"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// TestHTTP runs the server with different flags and requests its tools.
func TestHTTP(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	cert, key := certificate(t)
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM([]byte(cert))
	const secret = "0123456789abcdef"
	token := file("token", secret+"\n")
	withTLS := "0 --tls-cert " + file("cert", cert) + " --tls-key " + file("key", key)
	for _, tt := range []struct {
		name, flags, env, bearer, scheme string
		status                           int
	}{
		{"port", "0", "", "", "http", 200},
		{"port after a colon", ":0", "", "", "http", 200},
		{"name", "localhost:0", "", "", "http", 200},
		{"insecure", "0.0.0.0:0 --insecure", "", "", "http", 200},
		{"token", "0.0.0.0:0 --token-file " + token, "", secret, "http", 200},
		{"no token", "0 --token-file " + token, "", "", "http", 401},
		{"token of the environment", "0", secret + "x", secret + "x", "http", 200},
		{"wrong token", "0", secret + "x", secret, "http", 401},
		{"TLS", withTLS, "", "", "https", 200},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Setenv(tokenVariable, tt.env)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			log, stderr := io.Pipe()
			code := make(chan int, 1)
			args := strings.Fields("mcp --tools toolkit --root " + dir + " --http " + tt.flags)
			go func() {
				code <- Run(ctx, args, strings.NewReader(""), io.Discard, stderr)
				stderr.Close()
			}()
			lines := bufio.NewReader(log)
			line, err := lines.ReadString('\n')
			if err != nil {
				t.Fatal(err)
			}
			go io.Copy(io.Discard, lines)
			serving := regexp.MustCompile(`^gander: serving MCP at (https?)://\S+:(\d+)/mcp\n$`)
			found := serving.FindStringSubmatch(line)
			if found == nil || found[1] != tt.scheme {
				t.Fatalf("printed %q", line)
			}
			client := &http.Client{Transport: &http.Transport{
				TLSClientConfig: &tls.Config{RootCAs: pool}, ForceAttemptHTTP2: true,
			}}
			defer client.CloseIdleConnections()
			url := found[1] + "://127.0.0.1:" + found[2]
			status, body := list(t, client, url, tt.bearer)
			hasTools := strings.Contains(body, `"name":"tree"`)
			if status != tt.status || hasTools != (status == 200) {
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

// list requests the tools, and returns the status and the body of the response.
func list(t *testing.T, client *http.Client, url, bearer string) (int, string) {
	t.Helper()
	const body = `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{` +
		`"io.modelcontextprotocol/protocolVersion":"2026-07-28",` +
		`"io.modelcontextprotocol/clientCapabilities":{}}}}`
	r, err := http.NewRequestWithContext(t.Context(), "POST", url+"/mcp", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	r.Header.Set("Mcp-Protocol-Version", "2026-07-28")
	r.Header.Set("Mcp-Method", "tools/list")
	if bearer != "" {
		r.Header.Set("Authorization", "Bearer "+bearer)
	}
	resp, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(data)
}

// certificate returns a certificate for 127.0.0.1 and its key as PEM.
func certificate(t *testing.T) (cert, key string) {
	t.Helper()
	server := httptest.NewTLSServer(nil)
	defer server.Close()
	pair := server.TLS.Certificates[0]
	der, err := x509.MarshalPKCS8PrivateKey(pair.PrivateKey)
	if err != nil {
		t.Fatal(err)
	}
	block := func(kind string, data []byte) string {
		return string(pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: data}))
	}
	return block("CERTIFICATE", pair.Certificate[0]), block("PRIVATE KEY", der)
}

func TestShutdownTimeout(t *testing.T) {
	for args, want := range map[string]time.Duration{
		"mcp --http 0": 15 * time.Second, "call tree": time.Second, "": time.Second,
	} {
		if got := ShutdownTimeout(strings.Fields(args)); got != want {
			t.Errorf("%q: %v, want %v", args, got, want)
		}
	}
}
