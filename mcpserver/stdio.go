package mcpserver

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
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
	revision string // requested by the client; used by receive

	unanswered *semaphore.Weighted // weights are bytes

	writing sync.Mutex
	out     io.Writer

	mu    sync.Mutex // guards calls, and the calls and lines in it
	calls map[jsonrpc.ID]*call
}

// A call is an unanswered request.
type call struct {
	size     int64
	line     *line
	canceled bool
}

// A line collects the responses to the calls in a line of input.
type line struct {
	batch     bool
	left      int // unanswered calls, and 1 until all are received
	responses [][]byte
}

// newConn returns a connection that ends with ctx. The caller starts receive.
func newConn(ctx context.Context, out io.Writer) *conn {
	ctx, end := context.WithCancelCause(ctx)
	return &conn{
		ctx: ctx, end: end, out: out, texts: newTexts(),
		messages:   make(chan jsonrpc.Message),
		unanswered: semaphore.NewWeighted(maxUnanswered),
		calls:      make(map[jsonrpc.ID]*call),
	}
}

// Connect implements [mcp.Transport].
func (c *conn) Connect(context.Context) (mcp.Connection, error) { return c, nil }

// SessionID implements [mcp.Connection].
func (c *conn) SessionID() string { return "" }

// Close implements [mcp.Connection]. It leaves the streams open.
func (c *conn) Close() error {
	c.end(io.EOF)
	return nil
}

// receive passes messages to Read until the input or the session ends.
func (c *conn) receive(in io.Reader) {
	lines := bufio.NewReaderSize(in, 64<<10)
	for {
		text, err := readLine(lines)
		switch {
		case err == errLongLine:
			err = c.writeLine(refuse(nil, jsonrpc.CodeParseError, "parse error: "+
				"the line has more than %d bytes; send less in one message", maxMessage))
		case err != nil:
			// Wait until every request is answered, or the session has ended.
			_ = c.unanswered.Acquire(c.ctx, maxUnanswered)
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
	messages, batch, refused := splitMessages(text, c.revision)
	if refused != nil {
		return c.writeLine(refused)
	}
	l := &line{batch: batch, left: 1}
	for _, text := range messages {
		if err := c.receiveMessage(text, l); err != nil {
			return err
		}
	}
	return c.respond(l, nil)
}

// receiveMessage passes a message to Read. It first waits while too many requests are unanswered.
func (c *conn) receiveMessage(text []byte, l *line) error {
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
		added := &call{size: int64(max(len(text), minRequest)), line: l}
		if c.unanswered.Acquire(c.ctx, added.size) != nil {
			return context.Cause(c.ctx)
		}
		if !c.begin(request, added) {
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

// Read implements [mcp.Connection].
func (c *conn) Read(context.Context) (jsonrpc.Message, error) {
	select {
	case msg := <-c.messages:
		return msg, nil
	case <-c.ctx.Done():
		return nil, context.Cause(c.ctx)
	}
}

// begin adds a call. It reports false if the id is in use.
func (c *conn) begin(request *jsonrpc.Request, added *call) bool {
	if request.Method == "initialize" {
		var p mcp.InitializeParams
		_ = json.Unmarshal(request.Params, &p) // The SDK refuses other parameters.
		c.revision = p.ProtocolVersion
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.calls[request.ID] != nil {
		return false
	}
	c.calls[request.ID] = added
	added.line.left++
	return true
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

var errLongLine = errors.New("long line")

// readLine returns the next line, which it copies. For a line of more than maxMessage bytes, the
// error is errLongLine. The last line can lack its line feed; the error after it is [io.EOF].
func readLine(in *bufio.Reader) ([]byte, error) {
	var line []byte
	for length := 0; ; {
		part, err := in.ReadSlice('\n')
		if length += len(part); length <= maxMessage+1 {
			line = append(line, part...)
		} else {
			line = nil
		}
		switch {
		case err == bufio.ErrBufferFull:
		case err != nil && (err != io.EOF || length == 0):
			return nil, err
		case length > maxMessage+1:
			return nil, errLongLine
		default:
			return line, nil
		}
	}
}
