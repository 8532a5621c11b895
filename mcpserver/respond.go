package mcpserver

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// Write implements [mcp.Connection].
func (c *conn) Write(_ context.Context, msg jsonrpc.Message) error {
	response, ok := msg.(*jsonrpc.Response)
	if !ok {
		line, err := jsonrpc.EncodeMessage(msg)
		if err != nil {
			return err
		}
		return c.writeLine(line)
	}
	line, err := c.encode(response)
	if err != nil {
		return err
	}
	// The client can use the id again as soon as it has read the response.
	c.mu.Lock()
	answered := c.calls[response.ID]
	delete(c.calls, response.ID)
	c.mu.Unlock()
	defer c.release(answered.size)
	switch {
	case answered.canceled && answered.batch == nil:
		return nil
	case answered.canceled:
		return c.writeBatch(answered.batch, nil)
	case answered.batch != nil:
		return c.writeBatch(answered.batch, line)
	default:
		return c.writeLine(line)
	}
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
	line := fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"result":`, id)
	return append(c.texts.restore(line, r.Result), '}'), nil
}

// writeBatch adds a response to a batch, if it is not nil, and writes the batch if it is complete.
func (c *conn) writeBatch(b *batch, line []byte) error {
	c.mu.Lock()
	if line != nil {
		b.lines = append(b.lines, line)
	}
	b.left--
	complete := b.left == 0 && len(b.lines) > 0
	c.mu.Unlock()
	if !complete {
		return nil
	}
	return c.writeLine(append(append([]byte("["), bytes.Join(b.lines, []byte(","))...), ']'))
}

func (c *conn) writeLine(line []byte) error {
	c.writing.Lock()
	defer c.writing.Unlock()
	_, err := c.out.Write(append(line, '\n'))
	return err
}

func (c *conn) refuse(r *refusal) error {
	line, err := json.Marshal(r)
	if err != nil {
		return err
	}
	return c.writeLine(line)
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
