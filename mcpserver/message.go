package mcpserver

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"gander/internal/jsonobject"
)

const (
	// maxMessage is the maximum number of bytes in a line of standard input or the body of a
	// request.
	maxMessage = 1 << 20
	// maxEnvelope is the maximum number of bytes in a message without the arguments of a tool,
	// which the SDK does not decode. Decoding can take twenty times the memory.
	maxEnvelope = 64 << 10
	// maxBatch is the maximum number of messages in a batch.
	maxBatch = 64
	// maxErrorText is the maximum number of bytes in the text of an error.
	maxErrorText = 1 << 10
)

// A refusal is the response to input that is not a message.
type refusal struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Error   jsonrpc.Error   `json:"error"`
}

// refuse returns a refusal with the given id, or null if id is nil.
func refuse(id json.RawMessage, code int64, format string, args ...any) *refusal {
	text := clip(fmt.Sprintf(format, args...))
	return &refusal{"2.0", id, jsonrpc.Error{Code: code, Message: text}}
}

func refuseSyntax() *refusal {
	return refuse(nil, jsonrpc.CodeParseError, "parse error: the message is not JSON")
}

// decodeMessage decodes a message, without the arguments of a tool. If text is not a message, it
// returns the refusal, or nil if text is a malformed response, which gets no response in turn.
//
// In addition to what the SDK cannot decode, it refuses text that has two readings (see
// [jsonobject.Parse]), except in the arguments of a tool, which parses them itself; and numbers as
// ids that the SDK would change, because it converts them from float64 (jsonrpc2.MakeID).
func decodeMessage(text []byte) (jsonrpc.Message, *refusal) {
	envelope, stripped, err := stripArguments(text)
	switch {
	case err != nil:
		return nil, refuseSyntax()
	case text[0] != '{':
		return nil, refuse(nil, jsonrpc.CodeInvalidRequest, "a message must be a JSON object")
	case len(envelope) > maxEnvelope:
		return nil, refuse(nil, jsonrpc.CodeInvalidRequest,
			"a message can have %d bytes in addition to the arguments of a tool; send less", maxEnvelope)
	}
	fields, err := jsonobject.Parse(envelope)
	if err != nil {
		return nil, refuse(nil, jsonrpc.CodeInvalidRequest, "%v", err)
	}
	method, isRequest := fields.Get("method")
	if name, _ := method.Text(); stripped && name != "tools/call" {
		if envelope = text; len(text) > maxEnvelope {
			return nil, refuse(nil, jsonrpc.CodeInvalidRequest,
				"only the arguments of a tool can have more than %d bytes; send less", maxEnvelope)
		}
		if fields, err = jsonobject.Parse(text); err != nil {
			return nil, refuse(nil, jsonrpc.CodeInvalidRequest, "%v", err)
		}
	}
	value, identified := fields.Get("id")
	id, exact := readID(value)
	msg, err := jsonrpc.DecodeMessage(envelope)
	if identified && !exact {
		err = errors.New("an id must be a string, or an integer of less than 2^53")
	}
	if err == nil {
		return msg, nil
	}
	_, isResult := fields.Get("result")
	_, isError := fields.Get("error")
	if !isRequest && (isResult || isError) {
		return nil, nil
	}
	return nil, refuse(id, jsonrpc.CodeInvalidRequest, "%v", err)
}

// readID returns the id for a refusal, nil if there is none, and reports whether the SDK would
// respond with the same id.
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

// stripArguments returns text with {} in place of params.arguments, if any. It fails if text is not
// a JSON value.
func stripArguments(text []byte) (envelope []byte, stripped bool, err error) {
	d := newLenientDecoder(text)
	last := 0
	parameter := func(key string) error {
		start := int(d.InputOffset())
		err := d.SkipValue()
		if key == "arguments" && err == nil {
			envelope = append(append(envelope, text[last:start]...), ":{}"...)
			last, stripped = int(d.InputOffset()), true
		}
		return err
	}
	field := func(key string) error {
		if key == "params" && d.PeekKind() == '{' {
			return eachMember(d, parameter)
		}
		return d.SkipValue()
	}
	if d.PeekKind() == '{' {
		err = eachMember(d, field)
	} else {
		err = d.SkipValue()
	}
	if err == nil && len(bytes.TrimSpace(text[d.InputOffset():])) > 0 {
		err = errors.New("text after the message")
	}
	return append(envelope, text[last:]...), stripped, err
}

// newLenientDecoder returns a decoder that checks syntax only. It does not copy text.
func newLenientDecoder(text []byte) *jsontext.Decoder {
	return jsontext.NewDecoder(bytes.NewBuffer(text),
		jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
}

// eachMember calls f with the key of each member of the object that d is at. f reads the value.
func eachMember(d *jsontext.Decoder, f func(key string) error) error {
	if _, err := d.ReadToken(); err != nil {
		return err
	}
	for d.PeekKind() == '"' {
		key, err := d.ReadToken()
		if err == nil {
			err = f(key.String())
		}
		if err != nil {
			return err
		}
	}
	_, err := d.ReadToken()
	return err
}

// isBatch reports whether text is meant as a batch.
func isBatch(text []byte) bool { return len(text) > 0 && text[0] == '[' }

// splitBatch returns the messages of a batch. They refer to text.
func splitBatch(text []byte) (members [][]byte, refused *refusal) {
	d := newLenientDecoder(text)
	if _, err := d.ReadToken(); err != nil {
		return nil, refuseSyntax()
	}
	for d.PeekKind() != ']' {
		value, err := d.ReadValue()
		if err != nil {
			return nil, refuseSyntax()
		}
		end := int(d.InputOffset())
		if members = append(members, text[end-len(value):end]); len(members) > maxBatch {
			break
		}
	}
	if len(members) == 0 || len(members) > maxBatch {
		return nil, refuse(nil, jsonrpc.CodeInvalidRequest,
			"a batch must have 1 to %d messages", maxBatch)
	}
	if _, err := d.ReadToken(); err != nil || len(bytes.TrimSpace(text[d.InputOffset():])) > 0 {
		return nil, refuseSyntax()
	}
	return members, nil
}

// hasBatches reports whether a revision of the protocol has batches.
func hasBatches(revision string) bool {
	return revision == "2025-03-26" || revision == "2024-11-05"
}

// publishError returns an error as clients see it: with a code, and of bounded length. The SDK's
// errors about the state of a session have no code, and it would send 0 (go-sdk issue 976). Others
// repeat a name that the client has sent.
func publishError(err error) error {
	var coded *jsonrpc.Error
	if !errors.As(err, &coded) {
		return &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: clip(err.Error())}
	}
	if text := err.Error(); len(text) > maxErrorText {
		return &jsonrpc.Error{Code: coded.Code, Message: clip(text)}
	}
	return err
}

// clip shortens the text of an error.
func clip(text string) string {
	if len(text) <= maxErrorText {
		return text
	}
	return string(bytes.ToValidUTF8([]byte(text[:maxErrorText/4]), nil)) + "... (shortened)"
}
