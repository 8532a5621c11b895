package mcpserver

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"sync/atomic"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// Write implements [mcp.Connection].
func (c *conn) Write(_ context.Context, msg jsonrpc.Message) error {
	response, ok := msg.(*jsonrpc.Response)
	if !ok {
		text, err := jsonrpc.EncodeMessage(msg)
		if err != nil {
			return err
		}
		return c.writeLine(text)
	}
	text, err := c.encode(response)
	if err != nil {
		return err
	}
	// The client can use the id again as soon as it has read the response.
	c.mu.Lock()
	answered := c.calls[response.ID]
	delete(c.calls, response.ID)
	c.mu.Unlock()
	defer c.unanswered.Release(answered.size)
	if answered.canceled {
		text = nil
	}
	return c.respond(answered.line, text)
}

// encode returns a response as JSON. The SDK's encoder (jsonrpc2.EncodeMessage) would parse and
// copy the result, which is JSON already.
func (c *conn) encode(r *jsonrpc.Response) ([]byte, error) {
	if r.Error != nil {
		return jsonrpc.EncodeMessage(&jsonrpc.Response{ID: r.ID, Error: publishError(r.Error)})
	}
	id, err := json.Marshal(r.ID.Raw())
	if err != nil {
		return nil, err
	}
	text := fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"result":`, id)
	return append(c.texts.restore(text, r.Result), '}'), nil
}

// respond adds a response, if not nil, to a line. When all responses of the line are complete, it
// writes them.
func (c *conn) respond(l *line, response []byte) error {
	c.mu.Lock()
	if response != nil {
		l.responses = append(l.responses, response)
	}
	l.left--
	complete := l.left == 0 && len(l.responses) > 0
	c.mu.Unlock()
	switch {
	case !complete:
		return nil
	case l.batch:
		return c.writeLine(fmt.Appendf(nil, "[%s]", bytes.Join(l.responses, []byte(","))))
	default:
		return c.writeLine(l.responses[0])
	}
}

func (c *conn) writeLine(text []byte) error {
	c.writing.Lock()
	defer c.writing.Unlock()
	_, err := c.out.Write(append(text, '\n'))
	return err
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

// longText is the minimum length of a string that texts stores.
const longText = 2 << 10

// texts stores long strings while the SDK encodes results with short names in their place. The SDK
// would encode each occurrence of a string, and check and copy it several times
// (mcp.CallToolResult.MarshalJSON). A page of 100 KB would take five times as long.
type texts struct {
	prefix string // of the names; it cannot be guessed
	last   atomic.Int64
	held   sync.Map // JSON strings, as []byte, by the rest of their names
}

// A textsKey is the context key for the [*texts] of a session.
type textsKey struct{}

func newTexts() *texts { return &texts{prefix: rand.Text()} }

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
	number := strconv.FormatInt(t.last.Add(1), 10)
	t.held.Store(number, bytes.TrimSuffix(quoted.Bytes(), []byte("\n")))
	return t.prefix + number
}

// restore appends an encoded result to dst, with the stored strings for their names, and releases
// these strings.
func (t *texts) restore(dst, result []byte) []byte {
	parts := bytes.Split(result, []byte(`"`+t.prefix))
	dst = append(dst, parts[0]...)
	for _, part := range parts[1:] {
		number, rest, _ := bytes.Cut(part, []byte(`"`))
		held, _ := t.held.Load(string(number))
		defer t.held.Delete(string(number)) // It can occur again in this result.
		text, _ := held.([]byte)
		dst = append(append(dst, text...), rest...)
	}
	return dst
}
