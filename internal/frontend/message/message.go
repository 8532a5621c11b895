// Package message checks the messages of an MCP client before anything else reads them: that each has one reading, an id
// under which it can be answered, and a bounded cost.
package message

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"gander/internal/jsonobject"
)

const (
	// MaxBatch is the most messages that a batch may hold.
	MaxBatch = 64
	// maxEnvelope is the most bytes that a message may have without the arguments of a tool, which the SDK does not decode.
	// What it decodes can take twenty times the memory.
	maxEnvelope = 64 << 10
	// maxText is the most bytes of an error's text.
	maxText = 1 << 10
)

// A Refusal is the answer to something that is not a message.
type Refusal struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Error   jsonrpc.Error   `json:"error"`
}

// Refuse returns a refusal under an id, or under null if that is nil.
func Refuse(id json.RawMessage, code int64, text string) *Refusal {
	return &Refusal{"2.0", id, jsonrpc.Error{Code: code, Message: clip(text)}}
}

// HasBatches reports whether a revision has batches.
func HasBatches(revision string) bool { return revision == "2025-03-26" || revision == "2024-11-05" }

// IsBatch reports whether text is meant as a batch.
func IsBatch(text []byte) bool { return len(text) > 0 && text[0] == '[' }

// Members returns the messages of a batch. It counts them before it allocates memory for them.
func Members(text []byte) ([]json.RawMessage, *Refusal) {
	if !json.Valid(text) {
		return nil, notJSON()
	}
	if n := count(text); n == 0 || n > MaxBatch {
		return nil, Refuse(nil, jsonrpc.CodeInvalidRequest, fmt.Sprintf("a batch holds 1 to %d messages, this one %d", MaxBatch, n))
	}
	var members []json.RawMessage
	if err := json.Unmarshal(text, &members); err != nil {
		return nil, Refuse(nil, jsonrpc.CodeParseError, "parse error: "+err.Error())
	}
	return members, nil
}

// count returns the number of members of a valid JSON array or object.
func count(text []byte) int {
	depth, commas, quoted := 0, 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '[' || c == '{':
			depth++
		case c == ']' || c == '}':
			depth--
		case c == ',' && depth == 1:
			commas++
		}
	}
	if commas == 0 && len(bytes.TrimSpace(text[1:len(text)-1])) == 0 {
		return 0
	}
	return commas + 1
}

func notJSON() *Refusal {
	return Refuse(nil, jsonrpc.CodeParseError, "parse error: the message is not JSON")
}

// Decode returns the message that text is. If it is none, Decode returns the refusal to answer it with, or nil for
// something that must not be answered.
//
// Beside what the SDK cannot decode, it refuses what has two readings (see [jsonobject.Parse]), except in the arguments of
// a tool, which reads them itself; and ids that the SDK would answer under another id, because it reads numbers as float64
// and cuts them to integers (jsonrpc2.MakeID): go-sdk pull request 1253, tested by TestDecode.
func Decode(text []byte) (jsonrpc.Message, *Refusal) {
	fields, err := parse(text)
	if err != nil {
		return nil, refuseUnread(text, err)
	}
	raw, identified := fields.Get("id")
	id, exact := readID(raw)
	msg, err := jsonrpc.DecodeMessage(text)
	if identified && !exact {
		err = errors.New("an id is a string, or an integer of less than 2^53")
	}
	if err == nil {
		return msg, nil
	}
	if has(fields, "method") || !has(fields, "result") && !has(fields, "error") {
		return nil, Refuse(id, jsonrpc.CodeInvalidRequest, err.Error())
	}
	return nil, nil // a faulty answer, whose refusal could be refused in turn
}

func has(o *jsonobject.Object, key string) bool {
	_, ok := o.Get(key)
	return ok
}

// parse reads a message strictly, except for the arguments of a tool.
func parse(text []byte) (*jsonobject.Object, error) {
	if len(text) > maxEnvelope && json.Valid(text) && count(text) > MaxBatch {
		return nil, errors.New("a message has few members")
	}
	o, err := jsonobject.Parse(text)
	if err == nil && len(text) <= maxEnvelope {
		return o, nil
	}
	var call struct {
		Params struct {
			Arguments json.RawMessage `json:"arguments"`
		} `json:"params"`
	}
	if json.Unmarshal(text, &call) != nil || len(call.Params.Arguments) == 0 {
		return o, cmp.Or(err, checkSize(len(text)))
	}
	// If these bytes come first elsewhere, the arguments stay in place and are read strictly.
	o, other := jsonobject.Parse(bytes.Replace(text, call.Params.Arguments, []byte("{}"), 1))
	if other != nil || !isToolCall(o) {
		return o, cmp.Or(err, checkSize(len(text)))
	}
	return o, checkSize(len(text) - len(call.Params.Arguments))
}

func checkSize(size int) error {
	if size > maxEnvelope {
		return fmt.Errorf("a message may have %d bytes beside the arguments of a tool; send less", maxEnvelope)
	}
	return nil
}

// isToolCall reports whether a message calls a tool with empty arguments.
func isToolCall(o *jsonobject.Object) bool {
	method, _ := o.Get("method")
	name, _ := method.Text()
	value, _ := o.Get("params")
	params, ok := value.Object()
	if !ok || name != "tools/call" {
		return false
	}
	args, _ := params.Get("arguments")
	return string(args.Raw()) == "{}"
}

// refuseUnread returns the refusal of a text that cannot be read strictly, or nil if it seems to be an answer.
func refuseUnread(text []byte, err error) *Refusal {
	var fields map[string]json.RawMessage
	switch {
	case !json.Valid(text):
		return notJSON()
	case text[0] != '{':
		return Refuse(nil, jsonrpc.CodeInvalidRequest, "a message is a JSON object")
	case count(text) > MaxBatch || json.Unmarshal(text, &fields) != nil:
		return Refuse(nil, jsonrpc.CodeInvalidRequest, err.Error())
	case fields["method"] == nil && (fields["result"] != nil || fields["error"] != nil):
		return nil
	}
	var id json.RawMessage
	if o, err := jsonobject.Parse(fmt.Appendf(nil, `{"id":%s}`, cmp.Or(string(fields["id"]), "null"))); err == nil {
		value, _ := o.Get("id")
		id, _ = readID(value)
	}
	return Refuse(id, jsonrpc.CodeInvalidRequest, err.Error())
}

// readID returns the id to refuse a message under, nil if it has none, and whether the SDK would answer under the same.
func readID(value jsonobject.Value) (id json.RawMessage, exact bool) {
	switch value.Type() {
	case jsonobject.TypeString:
		return value.Raw(), true
	case jsonobject.TypeNumber:
		var v float64
		if json.Unmarshal(value.Raw(), &v) != nil {
			return nil, false
		}
		return value.Raw(), v == math.Trunc(v) && math.Abs(v) < 1<<53
	default:
		return nil, false
	}
}

// Publish returns an error as the client may see it: with a code, and of bounded length. An error of the SDK about a request
// that does not fit the state of the session has none, and the client would get 0 (go-sdk issue 976); and some repeat a
// name that the client has sent.
func Publish(err error) error {
	if err == nil {
		return nil
	}
	var coded *jsonrpc.Error
	if !errors.As(err, &coded) {
		return &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: clip(err.Error())}
	}
	text := err.Error()
	if len(text) <= maxText && len(coded.Data) <= maxText {
		return err
	}
	short := *coded
	short.Message = clip(text)
	if len(short.Data) > maxText {
		short.Data = nil
	}
	return &short
}

// clip shortens the text of an error.
func clip(text string) string {
	if len(text) <= maxText {
		return text
	}
	return string(bytes.ToValidUTF8([]byte(text[:maxText/4]), nil)) + "... (shortened)"
}
