package mcpserver

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// A message is what a line holds, or one member of the batch that it holds.
type message struct {
	// msg is nil where fault is not.
	msg jsonrpc.Message
	// fault says why this is no message.
	fault *jsonrpc.Error
	// id is that of a faulty message, as it was written; nil where it cannot be told.
	id json.RawMessage
	// mute says that the fault is in something that must not be answered.
	mute  bool
	batch *batch
}

// parse returns the messages of a line: none where it is blank, several where it is a batch.
func parse(text []byte) []message {
	text = bytes.TrimSpace(text)
	switch {
	case len(text) == 0:
		return nil
	case !json.Valid(text):
		return []message{fault(jsonrpc.CodeParseError, "parse error: the line is not JSON")}
	case text[0] == '[':
		return parseBatch(text)
	default:
		return []message{parseOne(text)}
	}
}

// parseOne returns the message that the JSON value is. The SDK decodes it; here it is held to what the SDK would take
// and then answer under another id, or not at all.
func parseOne(text []byte) message {
	var fields map[string]json.RawMessage
	if json.Unmarshal(text, &fields) != nil || fields == nil {
		return fault(jsonrpc.CodeInvalidRequest, "a message is a JSON object")
	}
	_, request := fields["method"]
	// An answer to a faulty answer could be answered again, and so on.
	answer := !request && (fields["result"] != nil || fields["error"] != nil)
	raw, identified := fields["id"]
	id, exact := readID(raw)
	msg, err := jsonrpc.DecodeMessage(text)
	switch {
	case identified && !exact:
		err = errors.New("an id is a string, or an integer of less than 2^53")
	case !request && !answer:
		err = errors.New("a message has a method, a result or an error")
	}
	if err != nil {
		m := fault(jsonrpc.CodeInvalidRequest, err.Error())
		m.id, m.mute = id, answer
		return m
	}
	return message{msg: msg}
}

// readID returns the id that an answer can carry, nil where there is none, and whether the SDK would give back the
// same: it holds numbers as float64, and cuts them to integers.
func readID(raw json.RawMessage) (id json.RawMessage, exact bool) {
	var v any
	if json.Unmarshal(raw, &v) != nil {
		return nil, false
	}
	switch v := v.(type) {
	case string:
		return raw, true
	case float64:
		return raw, v == math.Trunc(v) && math.Abs(v) < 1<<53
	default:
		return nil, false
	}
}

func fault(code int64, text string) message {
	return message{fault: &jsonrpc.Error{Code: code, Message: text}}
}

// wantsAnswer reports whether the client is owed an answer.
func (m message) wantsAnswer() bool {
	if m.fault != nil {
		return !m.mute
	}
	req, ok := m.msg.(*jsonrpc.Request)
	return ok && req.IsCall()
}

// refusal returns the answer to a message that is not handled, for the id as it was written.
func refusal(id json.RawMessage, fault *jsonrpc.Error) ([]byte, error) {
	return json.Marshal(struct {
		Version string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Error   *jsonrpc.Error  `json:"error"`
	}{"2.0", id, fault})
}
