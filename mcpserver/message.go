package mcpserver

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"gander/internal/jsonobject"
)

const (
	// maxMessage is the maximum size of a line of standard input or the body of a request.
	maxMessage = 1 << 20
	// maxBatch is the maximum number of messages in a batch.
	maxBatch = 64
	// maxErrorText is the maximum size of the text of an error.
	maxErrorText = 1 << 10
)

// A refusal is the response, as JSON, to input that is not a message.
type refusal []byte

// refuse returns a refusal with the given id, or null if id is nil.
func refuse(id json.RawMessage, code int64, format string, args ...any) refusal {
	if id == nil {
		id = json.RawMessage("null")
	}
	text, _ := json.Marshal(clip(fmt.Sprintf(format, args...))) // A string can be encoded.
	return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":%s}}`,
		id, code, text)
}

func refuseSyntax() refusal {
	return refuse(nil, jsonrpc.CodeParseError, "parse error: the message is not JSON")
}

// clip shortens the text of an error.
func clip(text string) string {
	if len(text) <= maxErrorText {
		return text
	}
	return strings.ToValidUTF8(text[:maxErrorText/4], "") + "... (shortened)"
}

// splitMessages returns the messages in text: text itself, or the members of a batch. The revision
// is empty if the client has not stated it.
func splitMessages(text []byte, revision string) (
	messages []json.RawMessage, batch bool, refused refusal,
) {
	if len(text) == 0 || text[0] != '[' {
		return []json.RawMessage{text}, false, nil
	}
	if !json.Valid(text) {
		return nil, true, refuseSyntax()
	}
	d := json.NewDecoder(bytes.NewReader(text))
	_, err := d.Token()
	for err == nil && d.More() && len(messages) <= maxBatch {
		var message json.RawMessage
		err = d.Decode(&message)
		messages = append(messages, message)
	}
	if err != nil || len(messages) == 0 || len(messages) > maxBatch {
		return nil, true, refuse(nil, jsonrpc.CodeInvalidRequest,
			"a batch must have 1 to %d messages", maxBatch)
	}
	if revision >= "2025-06-18" {
		return nil, true, refuse(nil, jsonrpc.CodeInvalidRequest,
			"revision %.20s has no batches; send one message at a time", revision)
	}
	return messages, true, nil
}

// decodeMessage decodes a message. If text is not a message, it returns the refusal, or nil if text
// is a malformed response, which gets no response in turn.
//
// In addition to text that the SDK cannot decode, it refuses text that [jsonobject.Parse] does,
// such as a key that occurs twice, and numbers as ids that the SDK would change, because it
// converts them from float64 (jsonrpc2.MakeID).
func decodeMessage(text []byte) (jsonrpc.Message, refusal) {
	var envelope struct{ ID, Method, Result, Error json.RawMessage }
	err := json.Unmarshal(text, &envelope)
	id, exact := readID(envelope.ID)
	var msg jsonrpc.Message
	switch {
	case errors.As(err, new(*json.SyntaxError)):
		return nil, refuseSyntax()
	case text[0] != '{':
		return nil, refuse(nil, jsonrpc.CodeInvalidRequest, "a message must be a JSON object")
	case envelope.ID != nil && !exact:
		err = errors.New("an id must be a string, or an integer of less than 2^53")
	default:
		if _, err = jsonobject.Parse(text); err == nil {
			msg, err = jsonrpc.DecodeMessage(text)
		}
	}
	if err == nil || envelope.Method == nil && (envelope.Result != nil || envelope.Error != nil) {
		return msg, nil
	}
	return nil, refuse(id, jsonrpc.CodeInvalidRequest, "%v", err)
}

// readID returns the id for a refusal, if any, and reports whether the SDK would respond with the
// same id.
func readID(raw json.RawMessage) (id json.RawMessage, exact bool) {
	var value any
	if len(raw) == 0 || raw[0] == '{' || raw[0] == '[' || json.Unmarshal(raw, &value) != nil {
		return nil, false
	}
	switch v := value.(type) {
	case string:
		return raw, true
	case float64:
		return raw, v == math.Trunc(v) && math.Abs(v) < 1<<53
	default:
		return nil, false
	}
}
