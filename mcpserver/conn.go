package mcpserver

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"gander/internal/frontend/framing"
)

// A conn is a connection over a pair of streams, one JSON value a line. It implements [mcp.Connection].
//
// The SDK calls Write once for every request that Read has returned, whether it was handled, refused or cancelled; that
// is what the account of unanswered calls rests on.
type conn struct {
	ctx    context.Context // ends with the session
	end    context.CancelCauseFunc
	logger *slog.Logger

	lines chan line
	queue []message // parsed and not yet returned by Read

	out  io.Writer
	turn chan struct{} // held while writing

	calls *calls
}

// SessionID implements [mcp.Connection]; sessions on streams have none.
func (c *conn) SessionID() string { return "" }

// Close implements [mcp.Connection]. It does not wait for a read or write that the system blocks.
func (c *conn) Close() error {
	c.end(io.EOF)
	return nil
}

// A line is what was read up to a line feed or the end of the input, or why there is none.
type line struct {
	text []byte
	err  error
}

// long reports whether the line was passed over for its length.
func (l line) long() bool { return errors.Is(l.err, framing.ErrTooLong) }

// scan reads lines until the input or the connection ends.
func (c *conn) scan(in io.Reader) {
	r := framing.NewReader(in)
	for {
		var l line
		l.text, l.err = r.Next()
		select {
		case c.lines <- l:
		case <-c.ctx.Done():
			return
		}
		if l.err != nil && !l.long() {
			return
		}
	}
}

// Read returns the next message for the SDK. At the end of the input it first waits until every call is answered: the
// SDK cancels what is under way when Read fails. Its context never ends; the connection's does.
func (c *conn) Read(context.Context) (jsonrpc.Message, error) {
	for {
		for len(c.queue) > 0 {
			next := c.queue[0]
			c.queue = c.queue[1:]
			if msg, err := c.admit(next); msg != nil || err != nil {
				return msg, err
			}
		}
		select {
		case l := <-c.lines:
			switch {
			case l.err == nil:
				c.queue = parse(l.text)
			case l.long():
				c.queue = []message{fault(jsonrpc.CodeParseError, "parse error: "+l.err.Error())}
			default:
				if err := c.calls.wait(c.ctx); err != nil {
					return nil, err
				}
				return nil, l.err
			}
		case <-c.ctx.Done():
			return nil, context.Cause(c.ctx)
		}
	}
}

// admit enters a message in the account of calls and returns it; a faulty one it answers, and returns nil.
func (c *conn) admit(m message) (jsonrpc.Message, error) {
	req, ok := m.msg.(*jsonrpc.Request)
	switch {
	case m.fault != nil:
		return nil, c.refuse(m)
	case !ok:
		return m.msg, nil
	case !req.IsCall():
		if req.Method == "notifications/cancelled" {
			c.calls.cancel(cancelledID(req.Params))
		}
		return req, nil
	}
	opened, err := c.calls.open(c.ctx, req.ID, m.batch)
	if err != nil {
		return nil, err
	}
	if !opened {
		// The id is another request's; under it, this would be taken for that one's answer.
		m.fault = &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: "the id is that of a request still under way"}
		return nil, c.refuse(m)
	}
	return req, nil
}

// refuse answers a message that is not handled.
func (c *conn) refuse(m message) error {
	c.logger.Warn("message refused", "error", m.fault)
	if m.mute {
		return nil
	}
	answer, err := refusal(m.id, m.fault)
	if err != nil {
		return err
	}
	return c.answer(m.batch, answer)
}

// cancelledID returns the id that a notification of cancellation names.
func cancelledID(params json.RawMessage) jsonrpc.ID {
	var p struct {
		ID any `json:"requestId"`
	}
	if json.Unmarshal(params, &p) != nil {
		return jsonrpc.ID{}
	}
	id, err := jsonrpc.MakeID(p.ID)
	if err != nil {
		return jsonrpc.ID{}
	}
	return id
}

// Write sends a message of the SDK. The answer to a cancelled request is dropped: nothing may be sent for one.
func (c *conn) Write(_ context.Context, msg jsonrpc.Message) error {
	resp, ok := msg.(*jsonrpc.Response)
	if !ok {
		data, err := jsonrpc.EncodeMessage(msg)
		if err != nil {
			return err
		}
		return c.send(data)
	}
	call := c.calls.close(resp.ID)
	if call == nil {
		return errors.New("answer to a request that is not under way")
	}
	defer c.calls.leave()
	if call.cancelled {
		return c.answer(call.batch, nil)
	}
	data, err := encode(resp)
	if err != nil {
		return err
	}
	return c.answer(call.batch, data)
}

// encode writes a response. The SDK's encoder would check and copy its result, nearly all of it, once more.
func encode(resp *jsonrpc.Response) ([]byte, error) {
	if resp.Error != nil || len(resp.Result) == 0 {
		coded := *resp
		coded.Error = withCode(resp.Error)
		return jsonrpc.EncodeMessage(&coded)
	}
	id, err := json.Marshal(resp.ID.Raw())
	if err != nil {
		return nil, err
	}
	return slices.Concat([]byte(`{"jsonrpc":"2.0","id":`), id, []byte(`,"result":`), resp.Result, []byte("}")), nil
}

// withCode gives a code to the errors that the SDK makes without one: about requests that do not fit the session.
func withCode(err error) error {
	var coded *jsonrpc.Error
	if err == nil || errors.As(err, &coded) {
		return err
	}
	return &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: err.Error()}
}

// answer sends the answer to one message, nil for none, with those of its batch where it came in one.
func (c *conn) answer(b *batch, data []byte) error {
	if b != nil {
		data = b.add(data)
	}
	if data == nil {
		return nil
	}
	return c.send(data)
}

// send writes one line. It returns when that is done or the connection ends, also where the client does not read.
func (c *conn) send(data []byte) error {
	select {
	case c.turn <- struct{}{}:
	case <-c.ctx.Done():
		return context.Cause(c.ctx)
	}
	written := make(chan error, 1)
	go func() {
		_, err := c.out.Write(append(data, '\n'))
		<-c.turn
		written <- err
	}()
	select {
	case err := <-written:
		return err
	case <-c.ctx.Done():
		return context.Cause(c.ctx)
	}
}
