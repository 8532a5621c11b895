package mcpserver

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"gander"
	"gander/internal/frontend/message"
)

// ServeStdio serves one client, one JSON message a line, until in ends or ctx does. Requests read before in ended are
// answered first, and the error is nil. If ctx ends, calls are cancelled and the error is its cause. ServeStdio does not
// wait long for a blocked read or write then. It closes neither in nor out.
//
// While too many requests are unanswered, ServeStdio reads no more of them. A line that is not a message is answered with
// an error, and the session goes on.
func ServeStdio(ctx context.Context, ts *gander.Toolset, o Options, in io.Reader, out io.Writer) error {
	server, texts := New(ts, o), newTexts()
	server.AddReceivingMiddleware(texts.hold)
	session, err := server.Connect(ctx, &stdio{in: in, out: out, logger: o.logger(), texts: texts}, nil)
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
	// The SDK waits for the writes of all answers before a session ends (jsonrpc2.Connection.Close), also if the client does
	// not read. Tested by TestContextEnds.
	select {
	case <-ended:
	case <-time.After(lastWrites):
	}
	return context.Cause(ctx)
}

// lastWrites is the time in which a session may end after its context.
const lastWrites = 100 * time.Millisecond

// stdio is the SDK's transport over a pair of streams, between an input and an output that make up for what it lacks in
// v1.8.0. Each part names what it makes up for; it can go when the SDK does it.
type stdio struct {
	in     io.Reader
	out    io.Writer
	logger *slog.Logger
	texts  *texts
}

// Connect implements [mcp.Transport]. The connection ends with ctx.
func (t *stdio) Connect(ctx context.Context) (mcp.Connection, error) {
	ctx, end := context.WithCancelCause(ctx)
	out := &output{end: end, to: bufio.NewWriterSize(t.out, 64<<10)}
	batches, toSDK := io.Pipe()
	inner, err := (&mcp.IOTransport{Reader: batches, Writer: out, MaxLineLength: -1}).Connect(ctx)
	if err != nil {
		end(err)
		return nil, err
	}
	in := &input{ctx: ctx, messages: make(chan received), batches: toSDK, client: out, logger: t.logger, calls: newCalls()}
	context.AfterFunc(ctx, func() { inner.Close() })
	go func() { end(in.forward(t.in)) }()
	return &conn{Connection: inner, ctx: ctx, messages: in.messages, out: out, calls: in.calls, texts: t.texts}, nil
}

// A conn is the SDK's connection, with the messages of an input. It counts the answers that it writes.
type conn struct {
	mcp.Connection
	ctx      context.Context // ends with the session
	messages <-chan received
	batched  int // how many messages to read from the SDK's connection
	out      *output
	calls    *calls
	texts    *texts
}

// Read implements [mcp.Connection]. The input has decoded a message to check it, so the SDK's connection does not read and
// decode it again, except for batches: for a call that reads a small file that would add a third to its processor time.
func (c *conn) Read(ctx context.Context) (jsonrpc.Message, error) {
	for {
		if c.batched > 0 {
			c.batched--
			return c.Connection.Read(ctx)
		}
		select {
		case r := <-c.messages:
			if r.msg != nil {
				return r.msg, nil
			}
			c.batched = r.batch
		case <-c.ctx.Done():
			return nil, context.Cause(c.ctx)
		}
	}
}

// Write implements [mcp.Connection]. The SDK calls it once for each call that it has been given.
//
// It does not write the answer to a cancelled call, which must not be sent. The SDK sends it: go-sdk issue 1235, tested by
// the transcript "cancelled". In a batch it sends an error, because the SDK waits for it to send the others.
func (c *conn) Write(ctx context.Context, msg jsonrpc.Message) error {
	resp, ok := msg.(*jsonrpc.Response)
	if !ok {
		return c.Connection.Write(ctx, msg)
	}
	call := c.calls.close(resp.ID)
	defer c.calls.written(call)
	result := c.texts.restore(resp.Result)
	switch {
	case call.cancelled && !call.batched:
		return nil
	case call.cancelled:
		return c.Connection.Write(ctx, &jsonrpc.Response{ID: resp.ID, Error: &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: "the request was cancelled"}})
	case resp.Error == nil && !call.batched:
		return c.writeResult(resp.ID, result)
	default:
		return c.Connection.Write(ctx, &jsonrpc.Response{ID: resp.ID, Result: slices.Concat(result...), Error: message.Publish(resp.Error)})
	}
}

// writeResult writes an answer without the SDK's encoder (jsonrpc2.EncodeMessage), which parses and copies the result,
// already JSON, once more. That takes about 4 ms for 1 MB.
func (c *conn) writeResult(id jsonrpc.ID, result [][]byte) error {
	encoded, err := json.Marshal(id.Raw())
	if err != nil {
		return err
	}
	return c.out.writeLine(slices.Concat([][]byte{[]byte(`{"jsonrpc":"2.0","id":`), encoded, []byte(`,"result":`)}, result, [][]byte{[]byte("}\n")})...)
}

// An output writes lines to the client, those of the SDK and those of the input.
type output struct {
	end context.CancelCauseFunc
	mu  sync.Mutex
	to  *bufio.Writer
}

// Write implements [io.Writer]. It writes a whole line.
func (o *output) Write(line []byte) (int, error) { return len(line), o.writeLine(line) }

// writeLine writes a line in pieces.
func (o *output) writeLine(pieces ...[]byte) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, p := range pieces {
		_, _ = o.to.Write(p) // Flush returns the error.
	}
	return o.to.Flush()
}

// Close ends the connection. It leaves the underlying writer open.
func (o *output) Close() error {
	o.end(io.EOF)
	return nil
}
