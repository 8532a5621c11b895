package mcpserver

import (
	"context"
	"io"
	"log/slog"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"gander"
)

// ServeStdio serves one client, a JSON message a line, until in ends or ctx does. Requests read before in ended are
// answered first; the error is then nil. Where ctx ends, calls are cancelled and the error is its cause. A read or
// write that the system still blocks at that time is left behind: in and out are the caller's and are not closed.
//
// A client that does not read its answers stops being read once a bounded number of them is outstanding. Lines that are
// no message are answered with an error and do not end the session.
func ServeStdio(ctx context.Context, ts *gander.Toolset, o Options, in io.Reader, out io.Writer) error {
	session, err := New(ts, o).Connect(ctx, &stdio{in: in, out: out, logger: o.logger()}, nil)
	if err != nil {
		return err
	}
	return session.Wait()
}

// stdio is the transport over a pair of streams. The SDK's own drops what is unanswered when the input ends, ends the
// session at the first line that is no message, answers cancelled requests, and reads on however many answers wait to
// be read.
type stdio struct {
	in     io.Reader
	out    io.Writer
	logger *slog.Logger
}

// Connect implements [mcp.Transport]. The connection ends with ctx.
func (t *stdio) Connect(ctx context.Context) (mcp.Connection, error) {
	ctx, end := context.WithCancelCause(ctx)
	c := &conn{
		ctx:    ctx,
		end:    end,
		logger: t.logger,
		lines:  make(chan line),
		out:    t.out,
		turn:   make(chan struct{}, 1),
		calls:  newCalls(),
	}
	go c.scan(t.in)
	return c, nil
}
