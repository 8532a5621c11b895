package mcpserver

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// ServeStdio serves one client on a pair of streams, one JSON message a line, until in ends or ctx
// does. Requests read before the end of in are answered first, and the error is nil. If ctx ends,
// calls are canceled and the error is its cause. ServeStdio does not wait long for a blocked read
// or write then. It closes neither in nor out.
//
// While too many requests are unanswered, ServeStdio reads no more of them. A line that is not a
// message gets an error in response, and the session continues.
func ServeStdio(ctx context.Context, s *mcp.Server, in io.Reader, out io.Writer) error {
	texts := newTexts()
	session, err := s.Connect(context.WithValue(ctx, textsKey{}, texts), &stdio{in, out, texts}, nil)
	if err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- session.Wait() }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	// The SDK waits for the writes of all responses before a session ends
	// (jsonrpc2.Connection.Close), even if the client does not read. Tested by TestContextEnds.
	select {
	case <-ended:
	case <-time.After(lastWrites):
	}
	return context.Cause(ctx)
}

// lastWrites is the time that a session has to end after its context.
const lastWrites = 100 * time.Millisecond

// stdio is the SDK's transport over a pair of streams, behind a gate.
type stdio struct {
	in    io.Reader
	out   io.Writer
	texts *texts
}

// Connect implements [mcp.Transport]. The connection ends with ctx.
func (t *stdio) Connect(ctx context.Context) (mcp.Connection, error) {
	ctx, end := context.WithCancel(ctx)
	out := &output{end: end, to: t.out}
	g := newGate(ctx, t.in, out)
	inner, err := (&mcp.IOTransport{Reader: g, Writer: out, MaxLineLength: -1}).Connect(ctx)
	if err != nil {
		end()
		return nil, err
	}
	context.AfterFunc(ctx, func() { inner.Close() })
	return &conn{inner, g, out, t.texts}, nil
}

// A conn is the SDK's connection behind a gate.
type conn struct {
	mcp.Connection
	gate  *gate
	out   *output
	texts *texts
}

// Write implements [mcp.Connection].
//
// It omits the response to a canceled call, which must not be sent. The SDK sends it: go-sdk issue
// 1235, tested by the transcript "cancelled". In a batch an error replaces it, because the SDK
// waits for it to send the others.
func (c *conn) Write(ctx context.Context, msg jsonrpc.Message) error {
	response, ok := msg.(*jsonrpc.Response)
	if !ok {
		return c.Connection.Write(ctx, msg)
	}
	call := c.gate.close(response.ID)
	defer c.gate.written(call)
	switch {
	case call.canceled && !call.batched:
		c.texts.restore(nil, response.Result)
		return nil
	case call.canceled:
		c.texts.restore(nil, response.Result)
		response = &jsonrpc.Response{ID: response.ID, Error: &jsonrpc.Error{
			Code: jsonrpc.CodeInternalError, Message: "the request was cancelled",
		}}
	case response.Error != nil:
		response = &jsonrpc.Response{ID: response.ID, Error: publishError(response.Error)}
	case call.batched:
		response = &jsonrpc.Response{ID: response.ID, Result: c.texts.restore(nil, response.Result)}
	default:
		return c.writeResult(response)
	}
	return c.Connection.Write(ctx, response)
}

// writeResult writes a response without the SDK's encoder (jsonrpc2.EncodeMessage), which parses
// and copies the result, which is JSON already.
func (c *conn) writeResult(response *jsonrpc.Response) error {
	id, err := json.Marshal(response.ID.Raw())
	if err != nil {
		return err
	}
	line := fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"result":`, id)
	line = append(c.texts.restore(line, response.Result), "}\n"...)
	_, err = c.out.Write(line)
	return err
}

// An output writes lines to the client, those of the SDK and those of the gate.
type output struct {
	end context.CancelFunc
	mu  sync.Mutex
	to  io.Writer
}

// Write implements [io.Writer]. It writes a whole line.
func (o *output) Write(line []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.to.Write(line)
}

// Close ends the session. It leaves the underlying writer open.
func (o *output) Close() error {
	o.end()
	return nil
}

// refuse writes a refusal.
func (o *output) refuse(r *refusal) error {
	line, err := json.Marshal(r)
	if err == nil {
		_, err = o.Write(append(line, '\n'))
	}
	return err
}

// readLine returns the next line without its line feed, in memory of its own. It reports false for
// a line that is longer than limit, which it does not keep. The last line can lack its line feed;
// the error after it is [io.EOF].
func readLine(in *bufio.Reader, limit int) (line []byte, ok bool, err error) {
	length := 0
	for {
		part, err := in.ReadSlice('\n')
		if length += len(part); length <= limit+1 {
			line = append(line, part...)
		} else {
			line = nil
		}
		switch {
		case err == bufio.ErrBufferFull:
			continue
		case err == io.EOF && length > 0:
			err = nil
		}
		return line, length <= limit+1, err
	}
}
