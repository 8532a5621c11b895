package admission

import (
	"context"
	"slices"
)

// A client stores the totals for the calls of one client.
type client struct {
	name     string // if empty, the client has one call and is not limited
	accounts int    // calls that run, wait, or have a result that has not been written
	calls    int    // slots
	bytes    int64  // bytes of the budget; for each call at most the share of the client
}

// A waiter waits for a slot or for bytes.
type waiter struct {
	account *account
	bytes   int64
	served  chan struct{} // closed after err is set
	err     error
}

// enter waits for a slot and returns the account of the call.
func (c *Controller) enter(ctx context.Context) (*account, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.stalled() {
		return nil, ErrBusy
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	a := c.newAccount(ctx)
	w := &waiter{account: a, served: make(chan struct{})}
	c.forSlot = append(c.forSlot, w)
	c.serveSlots()
	err := c.wait(ctx, &c.forSlot, w)
	if err == nil && ctx.Err() != nil {
		c.leaveSlot(a)
		err = ctx.Err()
	}
	if err != nil {
		c.removeAccount(a)
		return nil, err
	}
	return a, nil
}

// wait waits until w is served or ctx ends. The caller holds the mutex, which wait unlocks meanwhile.
func (c *Controller) wait(ctx context.Context, queue *[]*waiter, w *waiter) error {
	c.mu.Unlock()
	select {
	case <-w.served:
	case <-ctx.Done():
	}
	c.mu.Lock()
	if slices.Contains(*queue, w) {
		c.serve(queue, w, ctx.Err())
		c.serveBytes() // those behind w
	}
	return w.err
}

// serve removes w from a queue. The caller holds the mutex.
func (c *Controller) serve(queue *[]*waiter, w *waiter, err error) {
	i := slices.Index(*queue, w)
	*queue = slices.Delete(*queue, i, i+1)
	w.account.pending -= w.bytes
	w.err = err
	close(w.served)
}

// serveSlots gives free slots to waiters: first to the client that has the fewest, and of its calls
// to the one that has waited longest. The caller holds the mutex.
func (c *Controller) serveSlots() {
	for {
		var next *waiter
		for _, w := range c.forSlot {
			own := w.account.client
			if c.admits(own) && (next == nil || own.calls < next.account.client.calls) {
				if next = w; own.calls == 0 {
					break
				}
			}
		}
		if next == nil {
			return
		}
		c.calls++
		next.account.client.calls++
		c.serve(&c.forSlot, next, nil)
	}
}

// admits reports whether a client can have a slot now. The caller holds the mutex.
func (c *Controller) admits(own *client) bool {
	quarter := c.maxCalls / 4
	return c.calls < c.maxCalls && (own.name == "" || own.calls == 0 ||
		own.calls < quarter && c.calls < c.maxCalls-quarter)
}

// leaveSlot releases the slot of a call. The caller holds the mutex.
func (c *Controller) leaveSlot(a *account) {
	c.calls--
	a.client.calls--
	if a.stuck {
		c.stuck--
	}
	c.serveSlots()
}

// stalled reports whether stuck calls have more than half of the slots. All other calls then fail
// with [ErrBusy] instead of waiting. The caller holds the mutex.
func (c *Controller) stalled() bool { return c.stuck*2 > c.maxCalls }

// markStuck counts the call as stuck if it has not returned.
func (a *account) markStuck() {
	c := a.controller
	c.mu.Lock()
	defer c.mu.Unlock()
	if a.calls == 0 {
		return
	}
	a.stuck = true
	c.stuck++
	for c.stalled() && len(c.forSlot) > 0 {
		c.serve(&c.forSlot, c.forSlot[0], ErrBusy)
	}
}
