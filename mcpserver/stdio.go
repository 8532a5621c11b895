package mcpserver

import (
	"bufio"
	"bytes"
	"context"
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
	// maxHeld is the size of the responses in batches that are not complete, in bytes, above which
	// further responses are errors.
	maxHeld = 16 << 20
	// lastWrites is the time that a session has to finish after its context ends.
	lastWrites = 100 * time.Millisecond
)

// ServeStdio serves one client on a pair of streams, with one JSON message per line, until in or ctx
// ends. At the end of in, it first responds to all requests that it has read, and returns nil. If
// ctx ends, it cancels calls and returns the cause, even if a read or write is blocked. It closes
// neither stream. While too many requests are unanswered, it reads no more. A line that is not a
// message gets an error, and the session continues.
func ServeStdio(ctx context.Context, s *mcp.Server, in io.Reader, out io.Writer) error {
	c := newConn(ctx, out)
	session, err := s.Connect(ctx, c, nil)
	if err != nil {
		c.end(err)
		return err
	}
	go c.readLines(in)
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

	unanswered *semaphore.Weighted // weights are bytes

	writing sync.Mutex
	out     io.Writer

	mu    sync.Mutex // guards the fields below, and the calls and batches in them
	calls map[jsonrpc.ID]*call
	held  int // number of bytes of the responses in batches
}

// A call is an unanswered request.
type call struct {
	size     int64 // its part of unanswered
	canceled bool
	batch    *batch // nil if the call is not in a batch
}

// A batch collects the responses to the messages of a line.
type batch struct {
	left      int // messages that have not been handled
	responses [][]byte
}

// newConn returns a connection that ends with ctx. The caller starts readLines.
func newConn(ctx context.Context, out io.Writer) *conn {
	ctx, end := context.WithCancelCause(ctx)
	return &conn{
		ctx: ctx, end: end, out: out,
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

// readLines passes messages to Read until the input or the session ends.
func (c *conn) readLines(in io.Reader) {
	lines := bufio.NewReaderSize(in, 64<<10)
	for {
		text, length, err := readLine(lines)
		switch {
		case err != nil && (err != io.EOF || length == 0):
			c.waitUntilAnswered()
		case length > len(text):
			err = c.writeLine(respondError(jsonrpc.ID{}, failure(jsonrpc.CodeParseError, "parse error: "+
				"the line has more than %d bytes; send less in one message", maxMessage)))
		default:
			err = c.handleLine(bytes.TrimSpace(text))
		}
		if err != nil {
			c.end(err)
			return
		}
	}
}

// waitUntilAnswered waits until every request is answered, or the session has ended.
func (c *conn) waitUntilAnswered() {
	_ = c.unanswered.Acquire(c.ctx, maxUnanswered)
}

// readLine reads a line with its line feed. If its text would be longer than that of a message, it
// returns only the beginning.
func readLine(lines *bufio.Reader) (text []byte, length int, err error) {
	err = bufio.ErrBufferFull
	for err == bufio.ErrBufferFull {
		var part []byte
		part, err = lines.ReadSlice('\n')
		length += len(part)
		if length <= maxMessage+1 {
			text = append(text, part...)
		}
	}
	return text, length, err
}

// handleLine passes on the message in a line, or the messages of a batch, or responds to them.
func (c *conn) handleLine(text []byte) error {
	if len(text) == 0 {
		return nil
	}
	messages, isBatch := parseMessages(text)
	var b *batch
	if isBatch {
		b = &batch{left: len(messages)}
	}
	for _, m := range messages {
		admitted, err := c.admit(m, b)
		if err == nil && admitted.call() == nil {
			err = c.respond(b, admitted.refusal())
		}
		if err == nil && admitted.decoded != nil {
			err = c.pass(admitted.decoded)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// admit adds a call to those that are unanswered, or refuses it. It first waits while they are too
// large. It returns any other message unchanged.
func (c *conn) admit(m message, b *batch) (message, error) {
	request := m.call()
	if request == nil {
		return m, nil
	}
	size := int64(max(m.size, minRequest))
	if c.unanswered.Acquire(c.ctx, size) != nil {
		return message{}, context.Cause(c.ctx)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.calls[request.ID] != nil {
		c.unanswered.Release(size)
		return message{refused: errUsed()}, nil
	}
	c.calls[request.ID] = &call{size: size, batch: b}
	return m, nil
}

// pass passes a message to Read.
func (c *conn) pass(msg jsonrpc.Message) error {
	request, ok := msg.(*jsonrpc.Request)
	if ok && request.Method == cancelled {
		c.cancel(request.Params)
	}
	select {
	case c.messages <- msg:
		return nil
	case <-c.ctx.Done():
		return context.Cause(c.ctx)
	}
}

// respond writes a response, if not nil. The responses of a batch are written once all its messages
// have been handled.
func (c *conn) respond(b *batch, response []byte) error {
	if b != nil {
		response = c.collect(b, response)
	}
	if response == nil {
		return nil
	}
	return c.writeLine(response)
}

// collect adds the response to a message, if any, to its batch. After the last message it returns
// the responses, if any.
func (c *conn) collect(b *batch, response []byte) []byte {
	c.mu.Lock()
	defer c.mu.Unlock()
	if response != nil {
		b.responses = append(b.responses, response)
		c.held += len(response)
	}
	b.left--
	if b.left > 0 || b.responses == nil {
		return nil
	}
	for _, held := range b.responses {
		c.held -= len(held)
	}
	return fmt.Appendf(nil, "[%s]", bytes.Join(b.responses, []byte(",")))
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
	_ = json.Unmarshal(params, &p) // readCancelled has written it.
	id, err := jsonrpc.MakeID(p.RequestID)
	c.mu.Lock()
	defer c.mu.Unlock()
	if canceled := c.calls[id]; err == nil && canceled != nil {
		canceled.canceled = true
	}
}

func (c *conn) Write(_ context.Context, msg jsonrpc.Message) error {
	response, ok := msg.(*jsonrpc.Response)
	if !ok {
		text, err := jsonrpc.EncodeMessage(msg)
		if err != nil {
			return err
		}
		return c.writeLine(text)
	}
	text := encode(response)
	// The client can use the id again as soon as it has read the response.
	c.mu.Lock()
	answered := c.calls[response.ID]
	delete(c.calls, response.ID)
	full := c.held > maxHeld
	c.mu.Unlock()
	if answered == nil {
		return nil
	}
	defer c.unanswered.Release(answered.size)
	switch {
	case answered.canceled:
		text = nil
	case full && answered.batch != nil:
		text = respondError(response.ID, failure(jsonrpc.CodeInternalError,
			"the responses of batches take too much memory; send fewer messages in a batch"))
	}
	return c.respond(answered.batch, text)
}

// encode returns a response as JSON. The SDK's encoder (jsonrpc2.EncodeMessage) would parse and copy
// a result, which is JSON already.
func encode(r *jsonrpc.Response) []byte {
	if r.Error != nil {
		return respondError(r.ID, r.Error)
	}
	id, _ := json.Marshal(r.ID.Raw()) // A string or a number can be encoded.
	return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"result":%s}`, id, r.Result)
}

func (c *conn) writeLine(text []byte) error {
	c.writing.Lock()
	defer c.writing.Unlock()
	_, err := c.out.Write(append(text, '\n'))
	return err
}
