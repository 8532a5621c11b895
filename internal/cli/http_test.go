package cli

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"gander/internal/testkit"
)

// TestHTTP runs the server with different flags and requests its tools.
func TestHTTP(t *testing.T) {
	dir := t.TempDir()
	const secret = "0123456789abcdef"
	token := filepath.Join(dir, "token")
	testkit.Must(t, os.WriteFile(token, []byte(secret+"\n"), 0o600))
	tokens := filepath.Join(dir, "tokens")
	testkit.Must(t, os.WriteFile(tokens, []byte(secret+"\r\n"+secret+"2\r\n"), 0o600))
	for _, tt := range []struct {
		name, flags, env, bearer string
		status                   int
	}{
		{"port", "0", "", "", 200},
		{"port after a colon", ":0", "", "", 200},
		{"name", "localhost:0", "", "", 200},
		{"insecure", "0.0.0.0:0 --insecure", "", "", 200},
		{"token", "0.0.0.0:0 --token-file " + token, "", secret, 200},
		{"second token", "0 --token-file " + tokens + " --trusted-proxy ::1", "", secret + "2", 200},
		{"no token", "0 --token-file " + token, "", "", 401},
		{"token of the environment", "0", secret + "x", secret + "x", 200},
		{"wrong token", "0", secret + "x", secret, 401},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Setenv(tokenVariable, tt.env)
			url, stop := startHTTP(t, strings.Fields("--tools toolkit --root "+dir+" --http "+tt.flags)...)
			client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
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
			if c := stop(); c != exitOK {
				t.Errorf("exit code %d", c)
			}
		})
	}
}

// startHTTP returns the URL of a server, and a function that stops it and returns its exit code.
func startHTTP(t *testing.T, args ...string) (url string, stop func() int) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(cancel)
	log, stderr := io.Pipe()
	code := make(chan int, 1)
	args = append([]string{"mcp", "--no-kernel-confinement"}, args...)
	go func() {
		code <- run(ctx, args, strings.NewReader(""), io.Discard, stderr)
		stderr.Close()
	}()
	lines := bufio.NewReader(log)
	line, err := lines.ReadString('\n')
	testkit.Must(t, err)
	go io.Copy(io.Discard, lines)
	serving := regexp.MustCompile(`^gander: serving MCP at http://\S+:(\d+)/mcp\n$`)
	found := serving.FindStringSubmatch(line)
	if found == nil {
		t.Fatalf("printed %q", line)
	}
	return "http://127.0.0.1:" + found[1], func() int {
		cancel()
		return <-code
	}
}

func list(t *testing.T, client *http.Client, url, bearer string) (int, string) {
	t.Helper()
	return send(t, client, url, bearer, "tools/list", "", "")
}

// send makes a request of the modern revision. The members of its parameters end with commas.
func send(
	t *testing.T, client *http.Client, url, bearer, method, name, members string,
) (int, string) {
	t.Helper()
	body := `{"jsonrpc":"2.0","id":1,"method":"` + method + `","params":{` + members + `"_meta":{` +
		`"io.modelcontextprotocol/protocolVersion":"2026-07-28",` +
		`"io.modelcontextprotocol/clientCapabilities":{}}}}`
	r, err := http.NewRequestWithContext(t.Context(), "POST", url+"/mcp", strings.NewReader(body))
	testkit.Must(t, err)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	r.Header.Set("Mcp-Protocol-Version", "2026-07-28")
	r.Header.Set("Mcp-Method", method)
	r.Header.Set("Mcp-Name", name)
	r.Header.Set("Mcp-Session-Id", "shared")
	if bearer != "" {
		r.Header.Set("Authorization", "Bearer "+bearer)
	}
	resp, err := client.Do(r)
	testkit.Must(t, err)
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	testkit.Must(t, err)
	return resp.StatusCode, string(data)
}
