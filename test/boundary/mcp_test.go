//go:build unix

package boundary

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"gander/mcpserver"
)

// TestBoundaryResources: a resource reaches no more than the tools do, however its URI is spelled, and all outsiders get the
// same answer.
func TestBoundaryResources(t *testing.T) {
	top, toolset := layouts[0].open(t, []string{"w/to-{x} => ../out/{x}", "w/.ssh/id"})
	clientEnd, serverEnd := sdk.NewInMemoryTransports()
	if _, err := mcpserver.New(toolset, mcpserver.Options{}).Connect(t.Context(), serverEnd, nil); err != nil {
		t.Fatal(err)
	}
	session, err := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), clientEnd, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	read := func(uri string) (string, error) {
		result, err := session.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: uri})
		if err != nil {
			return "", err
		}
		var said strings.Builder
		for _, c := range result.Contents {
			said.WriteString(c.Text)
			said.Write(c.Blob)
		}
		return said.String(), nil
	}
	if content, err := read("file://" + top + "/w/f"); err != nil || content != "w/f" {
		t.Fatalf("a file inside: %q, %v", content, err)
	}
	for _, uri := range []string{
		"file://{top}/out/{x}", "file://{top}/w/../out/{x}", "file://{top}/w/%2e%2e/out/{x}", "file://{top}/w/..%2fout%2f{x}", "file://{top}/w/%2e%2e%2Fout/{x}",
		"file://{top}/w/..%5cout%5c{x}", "file://{top}/w/%252e%252e/out/{x}", "file://{top}/w/to-{x}", "file://{top}/w/to-{x}/", "file://{top}/w_evil/{x}",
		"file://localhost{top}/out/{x}", "file://example.org{top}/w/{x}", "file:{top}/out/{x}", "file://{top}/w/f%00/../../out/{x}", "file://{top}/w/f?../../out/{x}",
		"http://{top}/out/{x}", "{top}/out/{x}", "gander://{top}/out/{x}", "file:///proc/self/root{top}/out/{x}", "file://{top}/w/.ssh/id",
	} {
		answers := map[string]string{}
		for _, x := range outsiders {
			full := strings.NewReplacer("{top}", top, "{x}", x).Replace(uri)
			content, err := read(full)
			if err == nil {
				t.Errorf("%s: read %.100q", full, content)
				continue
			}
			if trace := leak(err.Error(), top); trace != "" {
				t.Errorf("%s tells %s: %v", full, trace, err)
			}
			answers[strings.ReplaceAll(err.Error(), full, "URI")] += " " + x
		}
		if len(answers) > 1 {
			t.Errorf("%s tells what is outside: %v", uri, answers)
		}
	}
}

// TestBoundaryCursors checks that no cursor leads out of the directory that it is sent with: one that is not a name is
// refused, and any other lists only that directory.
func TestBoundaryCursors(t *testing.T) {
	var entries []string
	for i := range 600 { // more than a page
		entries = append(entries, fmt.Sprintf("w/many/%d", i), fmt.Sprintf("w/more/%d", i))
	}
	top, toolset := layouts[0].open(t, entries)
	list := func(dir, cursor string) (uris []string, next, failure string) {
		in, requests := io.Pipe()
		var out bytes.Buffer
		served := make(chan error, 1)
		go func() { served <- mcpserver.ServeStdio(t.Context(), toolset, mcpserver.Options{}, in, &out) }()
		params, err := json.Marshal(map[string]string{"uri": "file://" + top + dir, "cursor": cursor})
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(requests, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`+
			"\n"+`{"jsonrpc":"2.0","method":"notifications/initialized"}`+"\n"+`{"jsonrpc":"2.0","id":2,"method":"resources/directory/read","params":%s}`+"\n", params)
		if err := errors.Join(requests.Close(), <-served); err != nil {
			t.Fatal(err)
		}
		for line := range strings.SplitSeq(out.String(), "\n") {
			var reply struct {
				ID     int
				Result struct {
					Resources  []struct{ URI string }
					NextCursor string
				}
				Error struct{ Message string }
			}
			if json.Unmarshal([]byte(line), &reply) == nil && reply.ID == 2 {
				for _, r := range reply.Result.Resources {
					uris = append(uris, r.URI)
				}
				return uris, reply.Result.NextCursor, reply.Error.Message
			}
		}
		t.Fatalf("no answer: %.300s", out.String())
		return nil, "", ""
	}
	_, own, failure := list("/w/many", "")
	if own == "" || failure != "" {
		t.Fatalf("no cursor: %s", failure)
	}
	encode := base64.RawURLEncoding.EncodeToString
	for name, tt := range map[string]struct {
		dir, cursor string
		refused     bool
	}{
		"its own":                   {"/w/many", own, false},
		"of another directory":      {"/w/more", own, false},
		"a name that is not there":  {"/w/many", encode([]byte("10x")), false},
		"longer":                    {"/w/many", own + "AAAA", true},
		"of 1 MB":                   {"/w/many", strings.Repeat("A", 1<<20), true},
		"a path":                    {"/w/many", "../../out/file", true},
		"an encoded path":           {"/w/many", encode([]byte("../../out/file")), true},
		"an encoded absolute path":  {"/w/many", encode([]byte(top + "/out")), true},
		"the parent":                {"/w/many", encode([]byte("..")), true},
		"a name with NUL":           {"/w/many", encode([]byte("1\x00")), true},
		"with a directory outside":  {"/out", own, true},
		"with a directory by names": {"/w/../out", own, true},
	} {
		uris, next, failure := list(tt.dir, tt.cursor)
		if refused := failure != ""; refused != tt.refused || refused && (next != "" || len(uris) > 0) || len(failure) > 1024 || leak(failure, top) != "" {
			t.Errorf("%s: %d entries, next %q, error %q", name, len(uris), next, failure)
		}
		for _, uri := range uris {
			if !strings.HasPrefix(uri, "file://"+top+tt.dir+"/") {
				t.Errorf("%s: lists %s", name, uri)
			}
		}
	}
}

// TestBoundaryHTTP covers CVE-2026-33252, a request from a page of another site, and CVE-2026-34742, CVE-2025-49596,
// CVE-2025-66414 and CVE-2025-66416, a request under a name that was made to resolve to this host: both are refused.
func TestBoundaryHTTP(t *testing.T) {
	top, toolset := layouts[0].open(t, nil)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	served := make(chan error, 1)
	go func() {
		served <- mcpserver.ServeHTTP(ctx, toolset, mcpserver.Options{}, mcpserver.HTTPOptions{}, l)
	}()
	defer func() {
		cancel()
		if err := <-served; err != nil {
			t.Error(err)
		}
	}()
	const call = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`
	_, port, _ := net.SplitHostPort(l.Addr().String())
	for name, tt := range map[string]struct {
		host    string
		headers map[string]string
		body    string
		want    int
	}{
		"a client":            {"127.0.0.1:" + port, nil, call, http.StatusOK},
		"a client, localhost": {"localhost:" + port, nil, call, http.StatusOK},

		"another site":                 {"127.0.0.1:" + port, map[string]string{"Origin": "http://evil.example"}, call, http.StatusForbidden},
		"no site":                      {"127.0.0.1:" + port, map[string]string{"Origin": "null"}, call, http.StatusForbidden},
		"another port":                 {"127.0.0.1:" + port, map[string]string{"Origin": "http://127.0.0.1:1"}, call, http.StatusForbidden},
		"another site, by its browser": {"127.0.0.1:" + port, map[string]string{"Sec-Fetch-Site": "cross-site"}, call, http.StatusForbidden},
		"a form": {
			"127.0.0.1:" + port, map[string]string{"Origin": "http://evil.example", "Content-Type": "text/plain"}, call, http.StatusForbidden,
		},
		"plain text":         {"127.0.0.1:" + port, map[string]string{"Content-Type": "text/plain"}, call, http.StatusUnsupportedMediaType},
		"a name let resolve": {"evil.example:" + port, nil, call, http.StatusForbidden},
		"and its page":       {"evil.example:" + port, map[string]string{"Origin": "http://evil.example:" + port}, call, http.StatusForbidden},
		"a name like it":     {"localhost.evil.example", nil, call, http.StatusForbidden},
		"no address of ours": {"0.0.0.0:" + port, nil, call, http.StatusForbidden},
		"a body too large":   {"127.0.0.1:" + port, nil, strings.Repeat(" ", 5<<20), http.StatusRequestEntityTooLarge},
	} {
		r, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+l.Addr().String()+"/mcp", strings.NewReader(tt.body))
		if err != nil {
			t.Fatal(err)
		}
		r.Host = tt.host
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "application/json, text/event-stream")
		for key, value := range tt.headers {
			r.Header.Set(key, value)
		}
		response, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		body, _ := io.ReadAll(io.LimitReader(response.Body, 1<<20))
		_ = response.Body.Close()
		if response.StatusCode != tt.want || strings.Contains(string(body), top) && tt.want != http.StatusOK {
			t.Errorf("%s: got %d, want %d: %.200s", name, response.StatusCode, tt.want, body)
		}
	}
}
