package mcpserver

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"
	"testing/synctest"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"gander"
	"gander/internal/testkit"
	"gander/internal/testkit/messages"
)

const (
	opening = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"capabilities":{},` +
		`"protocolVersion":"2025-11-25","clientInfo":{"name":"test","version":"1"}}}` + "\n"
	initialized = `{"jsonrpc":"2.0","method":"notifications/initialized"}`
	hanging     = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"hang"}}` + "\n"
	pinging     = `{"jsonrpc":"2.0","id":2,"method":"ping"}` + "\n"
	pong        = `{"jsonrpc":"2.0","id":2,"result":{}}`
)

func serveFakes(t *testing.T, in io.Reader) (string, error) {
	t.Helper()
	var out bytes.Buffer
	err := ServeStdio(t.Context(), New(openFakes(t, t.TempDir(), nil), nil), in, &out)
	return out.String(), err
}

// TestEnds checks that the server ends with its context, a failed write or a failed read.
func TestEnds(t *testing.T) {
	cause := errors.New("cause")
	for _, reads := range []bool{true, false} {
		ctx, cancel := context.WithCancelCause(t.Context())
		in, toServer := io.Pipe()
		defer in.Close()
		fromServer, out := io.Pipe()
		defer fromServer.Close()
		go func() {
			io.WriteString(toServer, opening+hanging+pinging)
			if reads {
				fromServer.Read(make([]byte, 1<<16))
			}
			cancel(cause)
		}()
		err := ServeStdio(ctx, New(openFakes(t, t.TempDir(), nil), nil), in, out)
		if !errors.Is(err, cause) {
			t.Errorf("the context ends, and the client reads %v: %v", reads, err)
		}
	}
	in, toServer := io.Pipe()
	defer in.Close()
	go io.WriteString(toServer, hanging+opening)
	fromServer, out := io.Pipe()
	fromServer.CloseWithError(cause)
	err := ServeStdio(t.Context(), New(openFakes(t, t.TempDir(), nil), nil), in, out)
	if !errors.Is(err, cause) {
		t.Errorf("a write fails: %v", err)
	}
	text, err := serveFakes(t, io.MultiReader(strings.NewReader(pinging), iotest.ErrReader(cause)))
	if !errors.Is(err, cause) || text != pong+"\n" {
		t.Errorf("a read fails: error %v, output %q", err, text)
	}
}

func TestLongLine(t *testing.T) {
	long := `{"jsonrpc":"2.0","id":1,"method":"` + strings.Repeat("x", maxMessage) + `"}` + "\n"
	out, err := serveFakes(t, strings.NewReader(long+pinging))
	testkit.Must(t, err)
	compare(t, `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":`+
		`"parse error: the line has more than 1048576 bytes; send less in one message"}}`+"\n"+pong, out)
}

// TestUnansweredAreBounded checks that no request is read while too many are pending.
func TestUnansweredAreBounded(t *testing.T) {
	for size, want := range map[int]int{
		40: 256, 512<<10 - 100: 8, 1<<20 - 100: 4,
	} {
		synctest.Test(t, func(t *testing.T) {
			in, client := io.Pipe()
			c := newConn(t.Context(), io.Discard)
			go c.readLines(in)
			go func() {
				arguments := strings.Repeat(" ", size)
				var err error
				for i := 0; err == nil; i++ {
					_, err = fmt.Fprintf(client, `{"jsonrpc":"2.0","id":%d,"method":"tools/call",`+
						`"params":{"arguments":%s{}}}`+"\n", i, arguments)
				}
			}()
			read := 0
			go func() {
				for _, err := c.Read(t.Context()); err == nil; _, err = c.Read(t.Context()) {
					read++
				}
			}()
			for answered := range 2 {
				synctest.Wait()
				if read != want+answered {
					t.Errorf("%d requests of %d bytes were read with %d answered, want %d",
						read, size, answered, want+answered)
				}
				id, err := jsonrpc.MakeID(float64(answered))
				testkit.Must(t, err)
				_ = c.Write(t.Context(), &jsonrpc.Response{ID: id, Result: []byte("{}")})
			}
			c.Close()
			in.Close()
		})
	}
}

// openFuzzed returns a server without tools that wait, and adds generated messages to the seeds.
func openFuzzed(f *testing.F) *mcp.Server {
	f.Helper()
	r := rand.New(rand.NewPCG(1, 2))
	for _, method := range messages.Methods() {
		for _, m := range messages.Generate(r, method)[:4] {
			f.Add([]byte(m.Text(7, 4<<10)))
		}
	}
	ts := testkit.Open(f, gander.Options{
		Roots: []string{f.TempDir()}, Tools: []string{"codex", "gemini", "forge", "toolkit"},
	})
	return New(ts, nil)
}

func checkMessages(t *testing.T, text string) {
	t.Helper()
	for _, message := range responsesIn(text) {
		var m struct{ JSONRPC string }
		if err := json.Unmarshal([]byte(message), &m); err != nil || m.JSONRPC != "2.0" {
			t.Errorf("not a message: %q", text)
		}
	}
}

// FuzzServeStdio checks that the server ends with its input and writes only messages.
func FuzzServeStdio(f *testing.F) {
	f.Add([]byte(opening + pinging))
	f.Add([]byte("[" + strings.TrimSpace(pinging) + "]\n[]\n{}\nnull\n\"\n"))
	f.Add([]byte(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read_file",` +
		modernMeta + `}}`))
	f.Add([]byte(`{"jsonrpc":"2.0","id":1e400,"method":"ping"}` + "\n" +
		`{"jsonrpc":"2.0","id":-0,"method":"ping"}` + "\n" + `{"id":"\ud800"}`))
	s := openFuzzed(f)
	f.Fuzz(func(t *testing.T, input []byte) {
		var out bytes.Buffer
		testkit.Must(t, ServeStdio(t.Context(), s, bytes.NewReader(input), &out))
		for l := range strings.Lines(out.String()) {
			checkMessages(t, strings.TrimSpace(l))
		}
	})
}

// FuzzHandler checks that the handler responds to each body with messages or not at all.
func FuzzHandler(f *testing.F) {
	f.Add([]byte("[" + httpPing + "," + httpPing + ",1,[]]"))
	h := Handler(openFuzzed(f), nil)
	f.Fuzz(func(t *testing.T, body []byte) {
		peer := overHTTP(h, "")
		for _, message := range peer.send(t, []string{string(body)}, 0) {
			checkMessages(t, message)
		}
	})
}
