package mcpserver

import (
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// TestParse: what is answered, under which id, and what is not.
func TestParse(t *testing.T) {
	const none = 0
	tests := []struct {
		text   string
		fault  int64
		id     string
		answer bool
	}{
		{`{"jsonrpc":"2.0","id":1,"method":"ping"}`, none, "", true},
		{`{"jsonrpc":"2.0","id":-9007199254740991,"method":"ping"}`, none, "", true},
		{`{"jsonrpc":"2.0","id":1.0,"method":"ping"}`, none, "", true},
		{`{"jsonrpc":"2.0","id":"","method":"ping"}`, none, "", true},
		{`{"jsonrpc":"2.0","method":"x"}`, none, "", false},
		{`{"jsonrpc":"2.0","ID":1,"method":"x"}`, none, "", false},
		{`{"jsonrpc":"2.0","id":1,"result":{}}`, none, "", false},
		{`{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":""}}`, jsonrpc.CodeInvalidRequest, "", false},
		{`{"jsonrpc":"1.0","id":7,"result":{}}`, jsonrpc.CodeInvalidRequest, "7", false},
		{`{"jsonrpc":"2.0","result":{}}`, jsonrpc.CodeInvalidRequest, "", false},
		{`{"jsonrpc":"2.0","id":1}`, jsonrpc.CodeInvalidRequest, "1", true},
		{`{"jsonrpc":"2.0","id":0.5,"method":"ping"}`, jsonrpc.CodeInvalidRequest, "0.5", true},
		{`{"jsonrpc":"2.0","id":9007199254740992,"method":"ping"}`, jsonrpc.CodeInvalidRequest, "9007199254740992", true},
		{`{"jsonrpc":"2.0","id":1e400,"method":"ping"}`, jsonrpc.CodeInvalidRequest, "", true},
		{`{"jsonrpc":"2.0","id":null,"method":"ping"}`, jsonrpc.CodeInvalidRequest, "", true},
		{`{"jsonrpc":"2.0","id":true,"method":"ping"}`, jsonrpc.CodeInvalidRequest, "", true},
		{`{"jsonrpc":"2.0","id":"a","method":null}`, none, "", true},
		{`{"jsonrpc":"2.0","id":"a","method":1}`, jsonrpc.CodeInvalidRequest, `"a"`, true},
		{`{"id":"a","method":"ping"}`, jsonrpc.CodeInvalidRequest, `"a"`, true},
		{`"text"`, jsonrpc.CodeInvalidRequest, "", true},
		{`[]`, jsonrpc.CodeInvalidRequest, "", true},
		{`{} {}`, jsonrpc.CodeParseError, "", true},
		{`{"id":1`, jsonrpc.CodeParseError, "", true},
		{"\ufeff{}", jsonrpc.CodeParseError, "", true},
	}
	for _, tt := range tests {
		t.Run(tt.text, func(t *testing.T) {
			all := parse([]byte(tt.text))
			if len(all) != 1 {
				t.Fatalf("%d messages", len(all))
			}
			m := all[0]
			var code int64
			if m.fault != nil {
				code = m.fault.Code
			}
			if code != tt.fault || string(m.id) != tt.id || m.wantsAnswer() != tt.answer {
				t.Errorf("fault %v, id %s, answer %v; want %d, %s, %v", m.fault, m.id, m.wantsAnswer(), tt.fault, tt.id, tt.answer)
			}
			if (m.msg == nil) != (m.fault != nil) {
				t.Errorf("message %v and fault %v", m.msg, m.fault)
			}
		})
	}
	if all := parse([]byte(" \r")); all != nil {
		t.Errorf("a blank line holds %v", all)
	}
}
