package mcpserver

import (
	"context"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// maxCalls is the most requests that may be unanswered before no more are read; the client then waits where it writes. It
// is more than run at once, so that a cancellation is still read while others wait. The SDK reads on without bound
// (Connection.acceptRequest). Tested by TestUnansweredAreBounded.
const maxCalls = 256

// calls are the requests that were read and not yet answered.
type calls struct {
	answered   chan struct{} // holds a value after an answer was written
	mu         sync.Mutex
	byID       map[jsonrpc.ID]call
	unanswered int // also counts those whose answer is being written
	listening  int // of these, subscriptions, which are answered when they end
}

// A call is a request under way.
type call struct{ batched, cancelled, listens bool }

func newCalls() *calls {
	return &calls{answered: make(chan struct{}, 1), byID: make(map[jsonrpc.ID]call)}
}

// wait returns nil as soon as enough reports true, or why ctx ended. Only one goroutine at a time may wait.
func (c *calls) wait(ctx context.Context, enough func() bool) error {
	for {
		c.mu.Lock()
		done := enough()
		c.mu.Unlock()
		if done {
			return nil
		}
		select {
		case <-c.answered:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// roomForOne and allAnswered are conditions to wait for.
func (c *calls) roomForOne() bool  { return c.unanswered < maxCalls }
func (c *calls) allAnswered() bool { return c.unanswered == c.listening }

// open enters a request. It reports false if there is a call under that id.
func (c *calls) open(req *jsonrpc.Request, batched bool) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, found := c.byID[req.ID]; found {
		return false
	}
	opened := call{batched: batched, listens: req.Method == "subscriptions/listen"}
	c.byID[req.ID] = opened
	c.unanswered++
	if opened.listens {
		c.listening++
	}
	return true
}

// cancel notes that nobody waits for the answer to a call. An unknown id is no error: the answer may have been sent.
func (c *calls) cancel(id jsonrpc.ID) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if call, found := c.byID[id]; found {
		call.cancelled = true
		c.byID[id] = call
	}
}

// close removes a call before its answer is written: the client may use the id again as soon as it reads the answer.
func (c *calls) close(id jsonrpc.ID) call {
	c.mu.Lock()
	defer c.mu.Unlock()
	closed := c.byID[id]
	delete(c.byID, id)
	return closed
}

// written notes that the answer to a closed call was written.
func (c *calls) written(closed call) {
	c.mu.Lock()
	c.unanswered--
	if closed.listens {
		c.listening--
	}
	c.mu.Unlock()
	select {
	case c.answered <- struct{}{}:
	default:
	}
}
