package mcpserver

import (
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// TestDecode checks which messages the SDK is given, and with which code and id the others are answered.
func TestDecode(t *testing.T) {
	const none = 0
	tests := []struct {
		text      string
		code      int64 // none if the message is forwarded or dropped
		id        string
		forwarded bool
	}{
		{`{"jsonrpc":"2.0","id":1,"method":"ping"}`, none, "", true},
		{`{"jsonrpc":"2.0","id":-9007199254740991,"method":"ping"}`, none, "", true},
		{`{"jsonrpc":"2.0","id":1.0,"method":"ping"}`, none, "", true},
		{`{"jsonrpc":"2.0","id":"","method":"ping"}`, none, "", true},
		{`{"jsonrpc":"2.0","id":"a","method":null}`, none, "", true},
		{`{"jsonrpc":"2.0","method":"x"}`, none, "", true},
		{`{"jsonrpc":"2.0","ID":1,"method":"x"}`, none, "", true},
		{`{"jsonrpc":"2.0","id":0.5,"id":1,"method":"ping"}`, none, "", true},
		{`{"jsonrpc":"2.0","id":1,"result":{}}`, none, "", true},
		{`{"jsonrpc":"2.0","id":1}`, none, "", true},
		{`{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":""}}`, none, "", false},
		{`{"jsonrpc":"1.0","id":7,"result":{}}`, none, "", false},
		{`{"jsonrpc":"2.0","result":{}}`, none, "", false},
		{`{"jsonrpc":"2.0","id":1,"id":0.5,"method":"ping"}`, jsonrpc.CodeInvalidRequest, "0.5", false},
		{`{"jsonrpc":"2.0","id":0.5,"method":"ping"}`, jsonrpc.CodeInvalidRequest, "0.5", false},
		{`{"jsonrpc":"2.0","id":9007199254740992,"method":"ping"}`, jsonrpc.CodeInvalidRequest, "9007199254740992", false},
		{`{"jsonrpc":"2.0","id":1e400,"method":"ping"}`, jsonrpc.CodeInvalidRequest, "", false},
		{`{"jsonrpc":"2.0","id":null,"method":"ping"}`, jsonrpc.CodeInvalidRequest, "", false},
		{`{"jsonrpc":"2.0","id":true,"method":"ping"}`, jsonrpc.CodeInvalidRequest, "", false},
		{`{"jsonrpc":"2.0","id":"a","method":1}`, jsonrpc.CodeInvalidRequest, `"a"`, false},
		{`{"id":"a","method":"ping"}`, jsonrpc.CodeInvalidRequest, `"a"`, false},
		{`{}`, jsonrpc.CodeInvalidRequest, "", false},
		{`"text"`, jsonrpc.CodeInvalidRequest, "", false},
		{`null`, jsonrpc.CodeInvalidRequest, "", false},
	}
	for _, tt := range tests {
		msg, refused := decode([]byte(tt.text))
		var code int64
		var id string
		if refused != nil {
			code, id = refused.Error.Code, string(refused.ID)
		}
		if code != tt.code || id != tt.id || (msg != nil) != tt.forwarded {
			t.Errorf("%s: code %d, id %s, message %v; want %d, %s, %v", tt.text, code, id, msg, tt.code, tt.id, tt.forwarded)
		}
	}
}
