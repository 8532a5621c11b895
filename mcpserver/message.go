package mcpserver

import (
	"bytes"
	"cmp"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"sync"

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
	// longText is the minimum length of a string that texts stores.
	longText = 2 << 10
)

// refuse returns the response, as JSON, to input that is not a message. If id is nil, it is null.
func refuse(id json.RawMessage, code int64, format string, args ...any) []byte {
	text, _ := json.Marshal(clip(fmt.Sprintf(format, args...))) // A string can be encoded.
	return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":%s}}`,
		cmp.Or(string(id), "null"), code, text)
}

func refuseSyntax() []byte {
	return refuse(nil, jsonrpc.CodeParseError, "parse error: the message is not JSON")
}

// clip shortens the text of an error.
func clip(text string) string {
	if len(text) <= maxErrorText {
		return text
	}
	return strings.ToValidUTF8(text[:maxErrorText/4], "") + "... (shortened)"
}

// publishError returns an error as clients see it: with a code, and of bounded length. The SDK's
// errors about the state of a session have no code, and it would send 0 (go-sdk issue 976). Others
// repeat a name that the client has sent.
func publishError(err error) error {
	coded, ok := errors.AsType[*jsonrpc.Error](err)
	switch text := err.Error(); {
	case !ok:
		return &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: clip(text)}
	case len(text) > maxErrorText:
		return &jsonrpc.Error{Code: coded.Code, Message: clip(text)}
	}
	return err
}

// splitMessages returns the messages in text: text itself, or the members of a batch.
func splitMessages(text []byte) (messages []json.RawMessage, refused []byte) {
	if len(text) == 0 || text[0] != '[' {
		return []json.RawMessage{text}, nil
	}
	if !json.Valid(text) {
		return nil, refuseSyntax()
	}
	d := json.NewDecoder(bytes.NewReader(text))
	_, err := d.Token()
	for err == nil && d.More() && len(messages) <= maxBatch {
		var message json.RawMessage
		err = d.Decode(&message)
		messages = append(messages, message)
	}
	if err != nil || len(messages) == 0 || len(messages) > maxBatch {
		return nil, refuse(nil, jsonrpc.CodeInvalidRequest,
			"a batch must have 1 to %d messages", maxBatch)
	}
	return messages, nil
}

// decodeMessage decodes a message. If text is not a message, it returns the refusal, or nil if text
// is a malformed response, which gets no response in turn.
//
// In addition to text that the SDK cannot decode, it refuses text that [jsonobject.Parse] does, and
// numbers as ids that the SDK would change, as it converts them from float64 (jsonrpc2.MakeID).
func decodeMessage(text []byte) (msg jsonrpc.Message, refused []byte) {
	var envelope struct{ ID, Method, Result, Error json.RawMessage }
	err := json.Unmarshal(text, &envelope)
	id := envelope.ID
	var value any
	if len(id) > 0 && id[0] != '{' && id[0] != '[' {
		_ = json.Unmarshal(id, &value)
	}
	_, isText := value.(string)
	number, isNumber := value.(float64)
	if !isText && !isNumber {
		id = nil
	}
	switch {
	case errors.As(err, new(*json.SyntaxError)):
		return nil, refuseSyntax()
	case text[0] != '{':
		return nil, refuse(nil, jsonrpc.CodeInvalidRequest, "a message must be a JSON object")
	case envelope.ID != nil && id == nil, number != math.Trunc(number), math.Abs(number) >= 1<<53:
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

// texts holds long strings while the SDK encodes results with short names in their place. The SDK
// would encode each occurrence of a string, and check and copy it several times
// (mcp.CallToolResult.MarshalJSON). A page of 100 KB would take five times as long.
type texts struct {
	prefix string   // of the names; it cannot be guessed
	held   sync.Map // JSON strings, as []byte, by the rest of their names
}

// A textsKey is the context key for the [*texts] of a session.
type textsKey struct{}

// hold stores a long string and returns its name. It returns a short string unchanged, and any
// string if t is nil.
func (t *texts) hold(text string) (name string) {
	if t == nil || len(text) < longText {
		return text
	}
	var quoted bytes.Buffer
	e := json.NewEncoder(&quoted)
	e.SetEscapeHTML(false)
	_ = e.Encode(text) // A string can be encoded.
	rest := rand.Text()
	t.held.Store(rest, bytes.TrimSuffix(quoted.Bytes(), []byte("\n")))
	return t.prefix + rest
}

// restore appends an encoded result to dst, with the stored strings for their names, and releases
// these strings.
func (t *texts) restore(dst, result []byte) []byte {
	parts := bytes.Split(result, []byte(`"`+t.prefix))
	dst = append(dst, parts[0]...)
	for _, part := range parts[1:] {
		name, rest, _ := bytes.Cut(part, []byte(`"`))
		held, _ := t.held.Load(string(name))
		defer t.held.Delete(string(name)) // It can occur again in this result.
		text, _ := held.([]byte)
		dst = append(append(dst, text...), rest...)
	}
	return dst
}
