package mcpserver

import (
	"context"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// maxCalls is how many requests may be unanswered before the input is no longer read; the client then waits where it
// writes. It leaves room to read a cancellation while as many calls as usual run at once.
const maxCalls = 256

// calls are the requests that were read and not yet answered.
type calls struct {
	places chan struct{} // one taken for each call
	mu     sync.Mutex
	byID   map[jsonrpc.ID]*call
}

// A call is a request under way.
type call struct {
	batch     *batch
	cancelled bool
}

func newCalls() *calls {
	return &calls{places: make(chan struct{}, maxCalls), byID: make(map[jsonrpc.ID]*call)}
}

// open enters a request once there is a place for it. It reports false where the id is that of a call under way.
func (c *calls) open(ctx context.Context, id jsonrpc.ID, b *batch) (bool, error) {
	select {
	case c.places <- struct{}{}:
	case <-ctx.Done():
		return false, context.Cause(ctx)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.byID[id] != nil {
		<-c.places
		return false, nil
	}
	c.byID[id] = &call{batch: b}
	return true, nil
}

// cancel marks a call as one whose answer nobody wants. Unknown ids are no error: the answer may have crossed.
func (c *calls) cancel(id jsonrpc.ID) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if call := c.byID[id]; call != nil {
		call.cancelled = true
	}
}

// close ends a call before its answer is written: the client may use the id again as soon as it has read that. The
// place stays taken until leave. It returns nil where there is no such call.
func (c *calls) close(id jsonrpc.ID) *call {
	c.mu.Lock()
	defer c.mu.Unlock()
	call := c.byID[id]
	delete(c.byID, id)
	return call
}

// leave gives back the place of a call whose answer is written.
func (c *calls) leave() { <-c.places }

// wait returns when every call has been answered, or ctx ends. No call may be opened afterwards.
func (c *calls) wait(ctx context.Context) error {
	for range cap(c.places) {
		select {
		case c.places <- struct{}{}:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	return nil
}
