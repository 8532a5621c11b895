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

	"gander/internal/admission"
)

const (
	// maxPending is the maximum size of the requests that are not answered, in bytes, where each
	// counts as at least minRequest. There can be more requests than concurrent calls, so that a
	// cancellation is read while calls wait.
	maxPending = 4 << 20
	minRequest = 16 << 10
	// lastWrites is the time that a session has to finish after its context ends.
	lastWrites = 100 * time.Millisecond
)

// ServeStdio serves one client on a pair of streams, with one JSON message per line, until in or
// ctx ends. At the end of in, it first responds to all requests that it has read, and returns nil.
// If ctx ends, it cancels calls and returns the cause, even if a read or write is blocked. It
// closes neither stream. While too many requests are unanswered, it reads no more. A line that is
// not a message gets an error, and the session continues.
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
	}
	// The SDK waits for all responses to be written before a session ends
	// (jsonrpc2.Connection.Close), even if the client does not read.
	select {
	case <-ended:
	case <-time.After(lastWrites):
	}
	return context.Cause(ctx)
}

// A conn is a connection over a pair of streams. Unlike [mcp.IOTransport] (v1.8.0), it
//
//   - survives a line that is not a message (go-sdk issue 1209);
//   - answers all requests after its input has ended (issue 1061);
//   - limits the unanswered requests, and refuses those with an id that is in use;
//   - omits the responses to canceled calls (issue 1235).
type conn struct {
	ctx      context.Context
	end      context.CancelCauseFunc
	messages chan jsonrpc.Message

	capacity *admission.Pool // for pending requests, in bytes

	writing sync.Mutex
	out     io.Writer

	mu      sync.Mutex // guards pending and its requests
	pending map[jsonrpc.ID]*pendingRequest
}

type pendingRequest struct {
	size     *admission.Hold // its part of the capacity
	canceled bool
}

// newConn returns a connection that ends with ctx. The caller starts readLines.
func newConn(ctx context.Context, out io.Writer) *conn {
	ctx, end := context.WithCancelCause(ctx)
	return &conn{
		ctx: ctx, end: end, out: out,
		messages: make(chan jsonrpc.Message),
		capacity: admission.NewPool(maxPending, 0, 0),
		pending:  make(map[jsonrpc.ID]*pendingRequest),
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
		case err != nil:
			all := c.capacity.Open(admission.Caller{})
			_ = all.Wait(c.ctx, maxPending) // Nothing is pending, or the session has ended.
		case length > len(text):
			err = c.writeLine(respondError(jsonrpc.ID{}, failure(jsonrpc.CodeParseError, "parse error: "+
				"the line has more than %d bytes; send less in one message", maxMessage)))
		default:
			err = c.handleLine(bytes.Trim(text, whiteSpace))
		}
		if err != nil {
			c.end(err)
			return
		}
	}
}

// readLine reads a line, or only the beginning if its text would be longer than that of a message.
func readLine(lines *bufio.Reader) (text []byte, length int, err error) {
	for {
		part, err := lines.ReadSlice('\n')
		length += len(part)
		if length <= maxMessage+1 {
			text = append(text, part...)
		}
		switch {
		case err == bufio.ErrBufferFull:
			continue
		case err == io.EOF && length > 0:
			err = nil
		}
		return text, length, err
	}
}

// handleLine passes on the message in a line, or responds to it.
func (c *conn) handleLine(text []byte) error {
	if len(text) == 0 {
		return nil
	}
	m := parseMessage(text)
	if m.canceled.IsValid() {
		c.cancel(m.canceled)
	}
	request := m.request()
	switch {
	case request != nil:
		return c.handleRequest(request, len(text))
	case m.refused != nil:
		return c.writeLine(respondError(m.id, m.refused))
	case m.decoded != nil:
		return c.pass(m.decoded)
	}
	return nil
}

// handleRequest waits for capacity for a request, which refers to its text of the given size, and
// passes it on or refuses it if its id is in use.
func (c *conn) handleRequest(request *jsonrpc.Request, size int) error {
	added := &pendingRequest{size: c.capacity.Open(admission.Caller{})}
	if added.size.Wait(c.ctx, int64(max(size, minRequest))) != nil {
		return context.Cause(c.ctx)
	}
	c.mu.Lock()
	isUsed := c.pending[request.ID] != nil
	if !isUsed {
		c.pending[request.ID] = added
	}
	c.mu.Unlock()
	if isUsed {
		added.size.End()
		return c.writeLine(respondError(jsonrpc.ID{}, errUsed))
	}
	return c.pass(request)
}

func (c *conn) cancel(id jsonrpc.ID) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if request := c.pending[id]; request != nil {
		request.canceled = true
	}
}

func (c *conn) pass(msg jsonrpc.Message) error {
	select {
	case c.messages <- msg:
		return nil
	case <-c.ctx.Done():
		return context.Cause(c.ctx)
	}
}

// Read returns the next message. The SDK calls it on a goroutine of its own.
func (c *conn) Read(context.Context) (jsonrpc.Message, error) {
	select {
	case msg := <-c.messages:
		return msg, nil
	case <-c.ctx.Done():
		return nil, context.Cause(c.ctx)
	}
}

// Write writes a message. The response to a canceled request is omitted.
func (c *conn) Write(_ context.Context, msg jsonrpc.Message) error {
	response, ok := msg.(*jsonrpc.Response)
	if !ok {
		text, err := jsonrpc.EncodeMessage(msg)
		if err != nil {
			return err
		}
		return c.writeLine(text)
	}
	// The client can use the id again as soon as it has read the response.
	c.mu.Lock()
	request := c.pending[response.ID]
	delete(c.pending, response.ID)
	c.mu.Unlock()
	if request == nil {
		return nil
	}
	defer request.size.End()
	if request.canceled {
		return nil
	}
	return c.writeLine(encode(response))
}

// encode returns a response as JSON. The SDK's encoder would parse and copy the result.
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
