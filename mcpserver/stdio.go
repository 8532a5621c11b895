package mcpserver

import (
	"context"
	"io"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	// maxOpen is the maximum size of the unanswered requests in bytes.
	maxOpen = 4 << 20
	// minCall is the size that a request has at least, so that there are at most 256. That is more
	// than the number of concurrent calls, so that a cancellation is read while others wait.
	minCall = maxOpen / 256
	// lastWrites is the time that a session has to end after its context.
	lastWrites = 100 * time.Millisecond
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
	ctx = context.WithValue(ctx, textsKey{}, texts)
	session, err := s.Connect(ctx, &stdio{in, out, texts}, nil)
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
	// (jsonrpc2.Connection.Close), even if the client does not read.
	select {
	case <-ended:
	case <-time.After(lastWrites):
	}
	return context.Cause(ctx)
}

// stdio is a transport over a pair of streams.
type stdio struct {
	in    io.Reader
	out   io.Writer
	texts *texts
}

// Connect implements [mcp.Transport]. The connection ends with ctx.
func (t *stdio) Connect(ctx context.Context) (mcp.Connection, error) {
	ctx, end := context.WithCancelCause(ctx)
	c := &conn{
		ctx: ctx, end: end, out: t.out, texts: t.texts,
		messages: make(chan jsonrpc.Message),
		calls:    make(map[jsonrpc.ID]*call),
		answered: make(chan struct{}, 1),
	}
	go c.receive(t.in)
	return c, nil
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
	batches  bool // the revision of the session has batches; used by receive

	writing sync.Mutex
	out     io.Writer

	mu       sync.Mutex
	calls    map[jsonrpc.ID]*call
	open     int           // the size of the unanswered requests
	answered chan struct{} // holds a value after open has decreased
}

// A call is an unanswered request.
type call struct {
	size     int
	batch    *batch // nil if the request was sent alone
	canceled bool
}

// A batch collects responses.
type batch struct {
	left  int // unanswered calls, and 1 until all are received
	lines [][]byte
}

// SessionID implements [mcp.Connection].
func (c *conn) SessionID() string { return "" }

// Close implements [mcp.Connection]. It leaves the streams open.
func (c *conn) Close() error {
	c.end(io.EOF)
	return nil
}

// Read implements [mcp.Connection].
func (c *conn) Read(ctx context.Context) (jsonrpc.Message, error) {
	select {
	case msg := <-c.messages:
		return msg, nil
	case <-c.ctx.Done():
		return nil, context.Cause(c.ctx)
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
