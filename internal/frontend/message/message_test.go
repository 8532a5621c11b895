package message

import (
	"errors"
	"strings"
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
		{`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t","arguments":{"a":1,"a":"\ud800"}}}`, none, "", true},
		{`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t","arguments":{"a":"` + strings.Repeat("a", maxEnvelope) + `"}}}`, none, "", true},
		{`{"jsonrpc":"2.0","id":1,"result":{}}`, none, "", true},
		{`{"jsonrpc":"2.0","id":1}`, none, "", true},
		{`{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":""}}`, none, "", false},
		{`{"jsonrpc":"1.0","id":7,"result":{}}`, none, "", false},
		{`{"jsonrpc":"2.0","result":{}}`, none, "", false},
		{`{"jsonrpc":"2.0","id":1,"id":0.5,"method":"ping"}`, jsonrpc.CodeInvalidRequest, "0.5", false},
		{`{"jsonrpc":"2.0","id":0.5,"id":1,"method":"ping"}`, jsonrpc.CodeInvalidRequest, "1", false},
		{`{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/list"}`, jsonrpc.CodeInvalidRequest, "1", false},
		{`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{},"params":{}}`, jsonrpc.CodeInvalidRequest, "1", false},
		{`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","name":"b","arguments":{}}}`, jsonrpc.CodeInvalidRequest, "1", false},
		{`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","arguments":{},"arguments":{}}}`, jsonrpc.CodeInvalidRequest, "1", false},
		{`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","arguments":{"a":1,"a":2},"arguments":{"a":1,"a":2}}}`, jsonrpc.CodeInvalidRequest, "1", false},
		{`{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"a:b","uri":"c:d"}}`, jsonrpc.CodeInvalidRequest, "1", false},
		{`{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"p","arguments":{"path":"\ud800"}}}`, jsonrpc.CodeInvalidRequest, "1", false},
		{`{"jsonrpc":"2.0","id":1,"method":"prompts/get","Method":"tools/call","params":{"name":"p","arguments":{"path":"\ud800"}}}`, jsonrpc.CodeInvalidRequest, "1", false},
		{`{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"p","arguments":{"path":"a","path":"b"}}}`, jsonrpc.CodeInvalidRequest, "1", false},
		{`{"jsonrpc":"2.0","id":1,"method":"` + strings.Repeat("a", maxEnvelope) + `"}`, jsonrpc.CodeInvalidRequest, "1", false},
		{`{` + strings.Repeat(`"a":1,`, maxEnvelope) + `"id":1}`, jsonrpc.CodeInvalidRequest, "", false},
		{`{"jsonrpc":"2.0","id":18446744073709551617,"method":"ping"}`, jsonrpc.CodeInvalidRequest, "18446744073709551617", false},
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
		msg, refused := Decode([]byte(tt.text))
		var code int64
		var id string
		if refused != nil {
			code, id = refused.Error.Code, string(refused.ID)
		}
		if code != tt.code || id != tt.id || (msg != nil) != tt.forwarded {
			t.Errorf("%.200s: code %d, id %s, message %v; want %d, %s, %v", tt.text, code, id, msg, tt.code, tt.id, tt.forwarded)
		}
	}
}

// TestMembers checks that the members of a batch are counted as they are.
func TestMembers(t *testing.T) {
	for text, want := range map[string]int{
		`[]`: 0, "[ \n]": 0, `[1]`: 1, `[{}, {}]`: 2, `["a,\"b]",[1,2],{"c":3,"d":[4,5]}]`: 3,
		"[" + strings.Repeat("1,", MaxBatch-1) + "1]": MaxBatch,
	} {
		members, refused := Members([]byte(text))
		if len(members) != want || (refused != nil) != (want == 0) {
			t.Errorf("%.50s: %d members, %v", text, len(members), refused)
		}
	}
	huge := []byte("[" + strings.Repeat("1,", 5<<20) + "1]")
	if allocated := testing.AllocsPerRun(1, func() { Members(huge) }); allocated > 20 {
		t.Errorf("%v allocations for a huge batch", allocated)
	}
}

// TestPublish checks that an error has a code and repeats no name that is too long.
func TestPublish(t *testing.T) {
	long := strings.Repeat("é", maxText)
	for _, err := range []error{errors.New(long), &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "unknown " + long, Data: []byte(`"` + long + `"`)}} {
		var coded *jsonrpc.Error
		if got := Publish(err); !errors.As(got, &coded) || coded.Code == 0 || len(got.Error()) > maxText || len(coded.Data) > 0 {
			t.Errorf("%.100v", got)
		}
	}
}
