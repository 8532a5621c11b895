package mcpserver

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"gander"
)

// ServeStdio serves one client, one JSON message a line, until in ends or ctx does. Requests read before in ended are
// answered first, and the error is nil. If ctx ends, calls are cancelled and the error is its cause. ServeStdio does not
// wait for a read or a write that the system still blocks then. It closes neither in nor out.
//
// While too many requests are unanswered, ServeStdio reads no more of them. A line that is not a message is answered with
// an error, and the session goes on.
func ServeStdio(ctx context.Context, ts *gander.Toolset, o Options, in io.Reader, out io.Writer) error {
	session, err := New(ts, o).Connect(ctx, &stdio{in: in, out: out, logger: o.logger()}, nil)
	if err != nil {
		return err
	}
	return session.Wait()
}

// stdio is the SDK's transport over a pair of streams, between an input and an output that make up for what it lacks in
// v1.8.0. Each part names what it makes up for; it can go when the SDK does it.
type stdio struct {
	in     io.Reader
	out    io.Writer
	logger *slog.Logger
}

// Connect implements [mcp.Transport]. The connection ends with ctx.
func (t *stdio) Connect(ctx context.Context) (mcp.Connection, error) {
	ctx, end := context.WithCancelCause(ctx)
	out := &output{ctx: ctx, end: end, to: t.out, writing: make(chan struct{}, 1)}
	fromInput, toSDK := io.Pipe()
	// Closing the reader itself would make the SDK report a closed pipe instead of why the session ended.
	inner, err := (&mcp.IOTransport{Reader: io.NopCloser(fromInput), Writer: out, MaxLineLength: -1}).Connect(ctx)
	if err != nil {
		end(err)
		return nil, err
	}
	in := &input{ctx: ctx, sdk: toSDK, client: out, logger: t.logger, calls: newCalls()}
	context.AfterFunc(ctx, func() { toSDK.CloseWithError(context.Cause(ctx)) })
	go func() { toSDK.CloseWithError(in.forward(t.in)) }()
	return &conn{Connection: inner, out: out, calls: in.calls}, nil
}

// A conn is the SDK's connection, and counts the answers that it writes.
type conn struct {
	mcp.Connection
	out   *output
	calls *calls
}

// Write implements [mcp.Connection]. The SDK calls it once for each call that it has been given.
//
// It does not write the answer to a cancelled call, which must not be sent. The SDK sends it: go-sdk issue 1235, tested by
// the transcript "cancelled". In a batch it is written, because the SDK waits for it to write the others.
func (c *conn) Write(ctx context.Context, msg jsonrpc.Message) error {
	resp, ok := msg.(*jsonrpc.Response)
	if !ok {
		return c.Connection.Write(ctx, msg)
	}
	call := c.calls.close(resp.ID)
	defer c.calls.written(call)
	if call.cancelled && !call.batched {
		return nil
	}
	if resp.Error == nil && !call.batched {
		return c.writeResult(resp)
	}
	coded := *resp
	coded.Error = withCode(resp.Error)
	return c.Connection.Write(ctx, &coded)
}

// writeResult writes an answer without the SDK's encoder (jsonrpc2.EncodeMessage), which parses and copies the result,
// already JSON, once more. That takes about 4 ms for 1 MB.
func (c *conn) writeResult(resp *jsonrpc.Response) error {
	id, err := json.Marshal(resp.ID.Raw())
	if err != nil {
		return err
	}
	_, err = c.out.Write(slices.Concat([]byte(`{"jsonrpc":"2.0","id":`), id, []byte(`,"result":`), resp.Result, []byte("}\n")))
	return err
}

// withCode gives a code to the errors of ServerSession.handle and ServerSession.initialize about requests that do not fit
// the state of the session. They have none, and the client would get 0: go-sdk issue 976, tested by the transcripts
// "not_initialized" and "faults".
func withCode(err error) error {
	var coded *jsonrpc.Error
	if err == nil || errors.As(err, &coded) {
		return err
	}
	return &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: err.Error()}
}

// An output writes lines to the client. A write ends with ctx even if the client does not read: the SDK waits for the
// writes of all answers before a session ends (jsonrpc2.Connection.Close). Tested by TestContextEnds.
type output struct {
	ctx     context.Context
	end     context.CancelCauseFunc
	to      io.Writer
	writing chan struct{} // held while a line is written
}

// Write implements [io.Writer]. It keeps line.
func (o *output) Write(line []byte) (int, error) {
	select {
	case o.writing <- struct{}{}:
	case <-o.ctx.Done():
		return 0, context.Cause(o.ctx)
	}
	written := make(chan error, 1)
	go func() {
		_, err := o.to.Write(line)
		<-o.writing
		written <- err
	}()
	select {
	case err := <-written:
		return len(line), err
	case <-o.ctx.Done():
		return 0, context.Cause(o.ctx)
	}
}

// Close ends the connection. It leaves the underlying writer open.
func (o *output) Close() error {
	o.end(io.EOF)
	return nil
}
