package mcpserver

import (
	"bufio"
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"golang.org/x/sync/semaphore"
)

const (
	// maxUnanswered is the maximum size of the unanswered requests in bytes, where each counts as at
	// least minRequest. There can be more requests than concurrent calls, so that a cancellation is
	// read while calls wait.
	maxUnanswered = 4 << 20
	minRequest    = 16 << 10
	// lastWrites is the time that a session has to finish after its context ends.
	lastWrites = 100 * time.Millisecond
)

// ServeStdio serves one client on a pair of streams, with one JSON message per line, until in or
// ctx ends. At the end of in, it first responds to all requests that it has read, and returns nil.
// If ctx ends, it cancels calls and returns the cause, even if a read or write is blocked.
// ServeStdio closes neither in nor out.
//
// While too many requests are unanswered, ServeStdio reads no more of them. A line that is not a
// message gets an error in response, and the session continues.
func ServeStdio(ctx context.Context, s *mcp.Server, in io.Reader, out io.Writer) error {
	c := newConn(ctx, out)
	session, err := s.Connect(context.WithValue(ctx, textsKey{}, c.texts), c, nil)
	if err != nil {
		return err
	}
	go c.receive(in)
	ended := make(chan error, 1)
	go func() { ended <- session.Wait() }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
		// The SDK waits for all responses to be written before a session ends
		// (jsonrpc2.Connection.Close), even if the client does not read.
		select {
		case <-ended:
		case <-time.After(lastWrites):
		}
		return context.Cause(ctx)
	}
}

// A conn is a connection over a pair of streams. Unlike [mcp.IOTransport] (v1.8.0), it
//
//   - survives a line that is not a message (go-sdk issue 1209);
//   - answers all requests after its input has ended (issue 1061);
//   - limits the unanswered requests, and refuses those with an id that is in use;
//   - omits the responses to canceled calls (issue 1235);
//   - does not wait for responses to the notifications of a batch (issue 1256).
type conn struct {
	ctx      context.Context
	end      context.CancelCauseFunc
	messages chan jsonrpc.Message
	texts    *texts

	unanswered *semaphore.Weighted // weights are bytes

	writing sync.Mutex
	out     io.Writer

	mu    sync.Mutex // guards calls, and the calls and batches in it
	calls map[jsonrpc.ID]*call
}

// A call is an unanswered request.
type call struct {
	size     int64
	canceled bool
	batch    *batch // nil if the call is not in a batch
}

// A batch collects the responses to the calls of a line.
type batch struct {
	left      int // unanswered calls, and 1 until all are received
	responses [][]byte
}

// newConn returns a connection that ends with ctx. The caller starts receive.
func newConn(ctx context.Context, out io.Writer) *conn {
	ctx, end := context.WithCancelCause(ctx)
	return &conn{
		ctx: ctx, end: end, out: out, texts: &texts{prefix: rand.Text()},
		messages:   make(chan jsonrpc.Message),
		unanswered: semaphore.NewWeighted(maxUnanswered),
		calls:      make(map[jsonrpc.ID]*call),
	}
}

func (c *conn) Connect(context.Context) (mcp.Connection, error) { return c, nil }

func (c *conn) SessionID() string { return "" }

// Close leaves the streams open.
func (c *conn) Close() error {
	c.end(io.EOF)
	return nil
}

// receive passes messages to Read until the input or the session ends.
func (c *conn) receive(in io.Reader) {
	lines := bufio.NewReaderSize(in, 64<<10)
	for {
		var text, part []byte
		length, err := 0, bufio.ErrBufferFull
		for err == bufio.ErrBufferFull {
			part, err = lines.ReadSlice('\n')
			if length += len(part); length <= maxMessage+1 {
				text = append(text, part...)
			}
		}
		switch {
		case err != nil && (err != io.EOF || length == 0):
			// Wait until every request is answered, or the session has ended.
			_ = c.unanswered.Acquire(c.ctx, maxUnanswered)
		case length > maxMessage+1:
			err = c.writeLine(refuse(nil, jsonrpc.CodeParseError, "parse error: "+
				"the line has more than %d bytes; send less in one message", maxMessage))
		default:
			err = c.receiveLine(bytes.TrimSpace(text))
		}
		if err != nil {
			c.end(err)
			return
		}
	}
}

func (c *conn) receiveLine(text []byte) error {
	if len(text) == 0 {
		return nil
	}
	messages, refused := splitMessages(text)
	if refused != nil {
		return c.writeLine(refused)
	}
	var b *batch
	if text[0] == '[' {
		b = &batch{left: 1}
	}
	for _, text := range messages {
		if err := c.receiveMessage(text, b); err != nil {
			return err
		}
	}
	return c.respond(b, nil)
}

// respond writes a response, if not nil. The responses of a batch are written once all calls of the
// batch have ended.
func (c *conn) respond(b *batch, response []byte) error {
	complete := response != nil
	if b != nil {
		c.mu.Lock()
		if response != nil {
			b.responses = append(b.responses, response)
		}
		b.left--
		complete = b.left == 0 && b.responses != nil
		c.mu.Unlock()
	}
	switch {
	case !complete:
		return nil
	case b != nil:
		response = fmt.Appendf(nil, "[%s]", bytes.Join(b.responses, []byte(",")))
	}
	return c.writeLine(response)
}

// receiveMessage passes a message to Read. It first waits while too many requests are unanswered.
func (c *conn) receiveMessage(text []byte, b *batch) error {
	msg, refused := decodeMessage(text)
	request, ok := msg.(*jsonrpc.Request)
	switch {
	case refused != nil:
		return c.writeLine(refused)
	case msg == nil:
		return nil
	case ok && request.Method == "notifications/cancelled":
		c.cancel(request.Params)
	case ok && request.IsCall():
		added := &call{size: int64(max(len(text), minRequest)), batch: b}
		if c.unanswered.Acquire(c.ctx, added.size) != nil {
			return context.Cause(c.ctx)
		}
		c.mu.Lock()
		used := c.calls[request.ID] != nil
		if !used {
			c.calls[request.ID] = added
			if b != nil {
				b.left++
			}
		}
		c.mu.Unlock()
		if used {
			c.unanswered.Release(added.size)
			return c.writeLine(refuse(nil, jsonrpc.CodeInvalidRequest,
				"the id is that of a request still under way"))
		}
	}
	select {
	case c.messages <- msg:
		return nil
	case <-c.ctx.Done():
		return context.Cause(c.ctx)
	}
}

func (c *conn) Read(context.Context) (jsonrpc.Message, error) {
	select {
	case msg := <-c.messages:
		return msg, nil
	case <-c.ctx.Done():
		return nil, context.Cause(c.ctx)
	}
}

// cancel marks the call that a notification names as canceled, if it is unanswered.
func (c *conn) cancel(params json.RawMessage) {
	var p mcp.CancelledParams
	_ = json.Unmarshal(params, &p)
	id, err := jsonrpc.MakeID(p.RequestID)
	c.mu.Lock()
	defer c.mu.Unlock()
	if canceled := c.calls[id]; err == nil && canceled != nil {
		canceled.canceled = true
	}
}

func (c *conn) Write(_ context.Context, msg jsonrpc.Message) error {
	text, err := c.encode(msg)
	if err != nil {
		return err
	}
	response, ok := msg.(*jsonrpc.Response)
	if !ok {
		return c.writeLine(text)
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
	return c.respond(answered.batch, text)
}

// encode returns a message as JSON. The SDK's encoder (jsonrpc2.EncodeMessage) would parse and copy
// a result, which is JSON already.
func (c *conn) encode(msg jsonrpc.Message) ([]byte, error) {
	r, ok := msg.(*jsonrpc.Response)
	switch {
	case !ok:
		return jsonrpc.EncodeMessage(msg)
	case r.Error != nil:
		return jsonrpc.EncodeMessage(&jsonrpc.Response{ID: r.ID, Error: publishError(r.Error)})
	}
	id, err := json.Marshal(r.ID.Raw())
	if err != nil {
		return nil, err
	}
	text := fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"result":`, id)
	return append(c.texts.restore(text, r.Result), '}'), nil
}

func (c *conn) writeLine(text []byte) error {
	c.writing.Lock()
	defer c.writing.Unlock()
	_, err := c.out.Write(append(text, '\n'))
	return err
}
