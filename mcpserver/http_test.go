package mcpserver

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/rogpeppe/go-internal/txtar"

	"gander"
	"gander/internal/testkit"
)

// TestHTTPTranscripts plays the exchanges in testdata/http over a real connection. A section
// "request" has the method, path, headers and body of a request. The section "response" after it
// has the status, the headers to compare, and the body. A section "file NAME" is written
// below the root. /workspace means the root, $HOST the address of the server.
func TestHTTPTranscripts(t *testing.T) {
	eachTranscript(t, "testdata/http/*.txtar", exchange)
}

func exchange(t *testing.T, archive *txtar.Archive) {
	root, err := filepath.EvalSymlinks(t.TempDir())
	testkit.Must(t, err)
	ts := testkit.Open(t, gander.Options{Roots: []string{root}, Tools: []string{"toolkit/tree"}})
	url := listenAt(t, New(ts, &Options{Version: "v1.2.3"}), nil)
	addr := strings.TrimSuffix(strings.TrimPrefix(url, "http://"), "/mcp")
	var got *http.Response
	for i := range archive.Files {
		section := &archive.Files[i]
		name, isFile := strings.CutPrefix(section.Name, "file ")
		switch {
		case isFile:
			writeFile(t, filepath.Join(root, filepath.FromSlash(name)), section.Data)
		case section.Name == "request":
			text := strings.NewReplacer("/workspace", root, "$HOST", addr).Replace(string(section.Data))
			got = send(t, addr, text)
		case section.Name == "response":
			response := format(t, got, section.Data)
			response = strings.NewReplacer(root, "/workspace", addr, "$HOST").Replace(response)
			if *update {
				section.Data = []byte(response)
			}
			if diff := cmp.Diff(string(section.Data), response); diff != "" {
				t.Errorf("response %d (-want +got):\n%s", i, diff)
			}
		default:
			t.Fatalf("section %q", section.Name)
		}
	}
}

// send makes a request of a transcript.
func send(t *testing.T, addr, text string) *http.Response {
	t.Helper()
	_, body, _ := strings.Cut(text, "\n\n")
	body = strings.TrimSuffix(body, "\n")
	text = strings.Replace(strings.TrimSpace(text)+"\n\n", "\n", " HTTP/1.1\nHost: "+addr+"\n", 1)
	r, err := http.ReadRequest(bufio.NewReader(strings.NewReader(text)))
	testkit.Must(t, err)
	r.URL.Scheme, r.URL.Host, r.RequestURI = "http", addr, ""
	r.Body, r.ContentLength = io.NopCloser(strings.NewReader(body)), int64(len(body))
	resp, err := http.DefaultClient.Do(r.WithContext(t.Context()))
	testkit.Must(t, err)
	t.Cleanup(func() { resp.Body.Close() })
	return resp
}

// format returns a response as text, with the headers that want has.
func format(t *testing.T, resp *http.Response, want []byte) string {
	t.Helper()
	var b strings.Builder
	fmt.Fprintln(&b, resp.StatusCode)
	head, _, _ := bytes.Cut(want, []byte("\n\n"))
	_, headers, _ := strings.Cut(string(head), "\n")
	for h := range strings.Lines(headers) {
		name, _, _ := strings.Cut(h, ":")
		fmt.Fprintf(&b, "%s: %s\n", name, resp.Header.Get(name))
	}
	body, err := io.ReadAll(resp.Body)
	testkit.Must(t, err)
	if text := strings.TrimSpace(string(body)); text != "" {
		b.WriteString("\n" + text + "\n")
	}
	return b.String()
}

// listenAt serves s until the test ends, and returns its URL.
func listenAt(t *testing.T, s *mcp.Server, o *HTTPOptions) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	testkit.Must(t, err)
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- ServeHTTP(ctx, l, s, o) }()
	t.Cleanup(func() {
		// The server would wait for connections that have not been used.
		http.DefaultClient.CloseIdleConnections()
		stop()
		if err := <-ended; err != nil {
			t.Errorf("the server ended with %v", err)
		}
	})
	return "http://" + l.Addr().String() + "/mcp"
}
