package admission

import (
	"context"
	"slices"
)

// A client stores the totals of the accounts of one client.
type client struct {
	name     string // empty for a client with a single account
	accounts int
	calls    int   // slots in use
	bytes    int64 // bytes in use
}

// An account stores the slot and the bytes of one call.
type account struct {
	controller *Controller
	client     *client
	response   context.Context // see WithResponse; nil if not set
	calls      int             // running calls: the call itself and nested calls
	stuck      bool
	bytes      int64
}

// A waiter represents a call that waits for a slot or for bytes.
type waiter struct {
	account *account
	bytes   int64      // 0 for a slot
	served  chan error // receives one value, without blocking
}

// enter waits for a slot and returns the account of the call. A nested call shares the account of
// the outer call if the outer call is still running.
func (c *Controller) enter(ctx context.Context) (*account, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	c.mu.Lock()
	if a := accountOf(ctx); a != nil && a.controller == c && a.calls > 0 {
		a.calls++
		c.mu.Unlock()
		return a, nil
	}
	name, _ := ctx.Value(clientKey{}).(string)
	own := c.clients[name]
	if own == nil {
		own = &client{name: name}
		if name != "" {
			c.clients[name] = own
		}
	}
	own.accounts++
	a := &account{controller: c, client: own, calls: 1}
	a.response, _ = ctx.Value(responseKey{}).(context.Context)
	w := c.enqueue(a, 0)
	c.mu.Unlock()
	if err := c.wait(ctx, w); err != nil {
		a.close()
		return nil, err
	}
	return a, nil
}

// wait blocks until w is served or ctx is done.
func (c *Controller) wait(ctx context.Context, w *waiter) error {
	select {
	case err := <-w.served:
		return err
	case <-ctx.Done():
	}
	c.mu.Lock()
	c.end(w, ctx.Err())
	c.serve() // w may have delayed others
	c.mu.Unlock()
	return <-w.served
}

// leave ends the use of the account by a call. The last call releases the slot, and the bytes when
// its response is written.
func (a *account) leave() {
	c := a.controller
	c.mu.Lock()
	a.calls--
	ended := a.calls == 0
	if ended {
		c.calls--
		a.client.calls--
		if a.stuck {
			c.stuck--
		}
		c.serve()
	}
	c.mu.Unlock()
	switch {
	case !ended:
	case a.response == nil:
		a.close()
	default:
		context.AfterFunc(a.response, a.close)
	}
}

// close releases all bytes and removes the account.
func (a *account) close() {
	c := a.controller
	c.mu.Lock()
	defer c.mu.Unlock()
	a.add(-a.bytes)
	if a.client.accounts--; a.client.accounts == 0 {
		delete(c.clients, a.client.name)
	}
	c.serve()
}

// markStuck marks the call as stuck unless it has returned.
func (a *account) markStuck() {
	c := a.controller
	c.mu.Lock()
	defer c.mu.Unlock()
	if a.calls > 0 && !a.stuck {
		a.stuck = true
		c.stuck++
		c.serve()
	}
}

// The caller of the following functions holds the mutex.

// add adds n bytes, which can be negative, to all totals.
func (a *account) add(n int64) {
	a.bytes += n
	a.client.bytes += n
	a.controller.bytes += n
}

// enqueue adds a waiter and serves it immediately if possible.
func (c *Controller) enqueue(a *account, bytes int64) *waiter {
	w := &waiter{a, bytes, make(chan error, 1)}
	c.waiting = append(c.waiting, w)
	c.serve()
	return w
}

// end removes w from the queue and serves it with err, unless it has been served already.
func (c *Controller) end(w *waiter, err error) {
	if i := slices.Index(c.waiting, w); i >= 0 {
		c.waiting = slices.Delete(c.waiting, i, i+1)
		w.served <- err
	}
}

// serve assigns a free slot and free bytes to waiters. The slot goes to the client with the fewest
// slots, and among its calls to the longest-waiting one. Bytes are assigned in order of arrival,
// except to clients that have used up their quota. If too few bytes are free for a waiter, all
// later waiters are delayed too, so that none of them starves. While stuck calls use more than half
// of the slots, calls that wait for one are refused.
func (c *Controller) serve() {
	var next *waiter
	full := false
	for _, w := range slices.Clone(c.waiting) {
		own := w.account.client
		others := own.bytes - w.account.bytes
		switch {
		case w.account.calls == 0: // the call has returned
			c.end(w, context.Canceled)
		case w.bytes == 0 && c.stuck*2 > c.maxCalls:
			c.end(w, ErrBusy)
		case w.bytes == 0:
			if c.admits(own) && (next == nil || own.calls < next.account.client.calls) {
				next = w
			}
		case full || others > 0 && own.bytes+w.bytes > c.maxBytes/2:
		case c.bytes+w.bytes > c.maxBytes:
			full = true
		default:
			w.account.add(w.bytes)
			c.end(w, nil)
		}
	}
	if next != nil {
		c.calls++
		next.account.client.calls++
		c.end(next, nil)
	}
}

// admits reports whether a client can use another slot.
func (c *Controller) admits(own *client) bool {
	quarter := c.maxCalls / 4
	return c.calls < c.maxCalls &&
		(own.calls == 0 || own.calls < quarter && c.calls < c.maxCalls-quarter)
}
