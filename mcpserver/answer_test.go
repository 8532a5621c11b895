package mcpserver

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"gander/internal/admission"
	"gander/internal/clientlog"
	"gander/internal/testkit"
)

// TestRespondError checks that each error can be encoded, and is short.
func TestRespondError(t *testing.T) {
	id, err := jsonrpc.MakeID("\x1b\u2028")
	testkit.Must(t, err)
	data := func(text string) error {
		return &jsonrpc.Error{Code: -32002, Message: "m", Data: []byte(text)}
	}
	long := strings.Repeat("é", 1<<10/2+1) // more than 1,024 bytes
	for _, tt := range []struct {
		err  error
		want string
	}{
		{errors.New("\a\xff"), `"code":-32600,"message":"\\u0007\ufffd"`},
		{fmt.Errorf("a: %w", data("{}")), `"code":-32002,"message":"a: m","data":{}`},
		{&jsonrpc.Error{Message: "m"}, `"code":-32600,"message":"m"`},
		{data(`{"uri":"\x1b"}`), `"code":-32603,"message":"the response cannot be encoded"`},
		{data(`"` + long + `"`), `"code":-32002,"message":"m"`},
		{
			&jsonrpc.Error{Code: 1, Message: long},
			`"code":1,"message":"` + long[:256] + `... (shortened)"`,
		},
	} {
		want := `{"jsonrpc":"2.0","id":"\u001b\u2028","error":{` + tt.want + `}}`
		if got := string(respondError(id, tt.err)); got != want {
			t.Errorf("%.100q: %s, want %s", tt.err, got, want)
		}
	}
}

// TestAnswer checks that a call gets one response with its id, whatever the SDK writes.
func TestAnswer(t *testing.T) {
	const missing = `"error":{"code":-32603,"message":"the server has no response"}`
	written := func(status int, text string) func(http.ResponseWriter) {
		return func(w http.ResponseWriter) {
			w.WriteHeader(status)
			_, _ = io.WriteString(w, text)
		}
	}
	for _, tt := range []struct {
		serve  func(http.ResponseWriter)
		status int
		want   string
	}{
		{func(http.ResponseWriter) {}, 200, missing},
		{func(http.ResponseWriter) { panic("a fault") }, 200, missing},
		{written(415, "text\n"), 415, `"error":{"code":-32600,"message":"text"}`},
		{
			func(w http.ResponseWriter) {
				written(415, "text in ")(w)
				written(415, "pieces\n")(w)
			}, 415, `"error":{"code":-32600,"message":"text in pieces"}`,
		},
		{written(200, `{"jsonrpc":"2.0","id":1,"result":{}}`), 200, `"result":{}`},
		{
			written(400, `{"jsonrpc":"2.0","id":1,"error":{"code":0,"message":"`+
				strings.Repeat("a", 1<<10+1)+`"}}`), 400,
			`"error":{"code":-32600,"message":"` + strings.Repeat("a", 256) + `... (shortened)"}`,
		},
	} {
		serve := func(w http.ResponseWriter, _ *http.Request) { tt.serve(w) }
		h := &handler{
			sdk: http.HandlerFunc(serve), options: HTTPOptions{Logger: clientlog.Limit(nil)},
			requests: admission.NewPool(requestBytes, keptBytes, littleBytes),
		}
		want := `{"jsonrpc":"2.0","id":1,` + tt.want + "}"
		w := httptest.NewRecorder()
		h.answer(w, request(t, "POST", "http://localhost/mcp", ""), parseMessage([]byte(httpPing)))
		if w.Code != tt.status || w.Body.String() != want {
			t.Errorf("%d %s, want %d %s", w.Code, w.Body, tt.status, want)
		}
	}
}
