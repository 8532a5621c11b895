package admission

import (
	"context"
	"slices"
	"time"
)

// A caller is the name of a client, which is empty for a client with a single account, and the name
// of one of its connections.
type caller struct{ client, connection string }

// A client stores the totals of the accounts of one client.
type client struct {
	name        string
	accounts    int
	slots       int            // slots in use
	connections map[string]int // slots in use by connection
	bytes       int64          // bytes in use
}

// An account stores the slot and the bytes of one call.
type account struct {
	controller *Controller
	client     *client
	connection string
	response   context.Context // see WithResponse; nil if not set
	calls      int             // calls that share the account: one, also while it waits, and nested ones
	stuck      int             // how many of them are stuck
	bytes      int64
}

// A waiter represents a call that waits for a slot or for bytes.
type waiter struct {
	account *account
	bytes   int64      // 0 for a slot
	served  chan error // receives one value, without blocking
}

// enter waits for a slot, and returns the account of a call. A nested call shares the account of the
// outer call if the outer call is still running.
func (c *Controller) enter(ctx context.Context) (*account, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	outer := accountOf(ctx)
	isNested := outer != nil && outer.controller == c
	if isNested && outer.join() {
		return outer, nil
	}
	a, w := c.open(ctx)
	if err := c.wait(ctx, w); err != nil {
		a.close()
		return nil, err
	}
	return a, nil
}

// join adds a nested call. It reports false if all others have returned.
func (a *account) join() bool {
	a.controller.mu.Lock()
	defer a.controller.mu.Unlock()
	if a.calls == 0 {
		return false
	}
	a.calls++
	return true
}

// open returns an account for a call that waits for a slot.
func (c *Controller) open(ctx context.Context) (*account, *waiter) {
	from, _ := ctx.Value(callerKey{}).(caller)
	response, _ := ctx.Value(responseKey{}).(context.Context)
	c.mu.Lock()
	defer c.mu.Unlock()
	own := c.clients[from.client]
	if own == nil {
		own = &client{name: from.client, connections: make(map[string]int)}
		if own.name != "" {
			c.clients[own.name] = own
		}
	}
	own.accounts++
	a := &account{controller: c, client: own, connection: from.connection, response: response, calls: 1}
	return a, c.enqueue(a, 0)
}

// wait blocks until w is served or ctx is done.
func (c *Controller) wait(ctx context.Context, w *waiter) error {
	select {
	case err := <-w.served:
		return err
	case <-ctx.Done():
	}
	c.mu.Lock()
	c.dismiss(w, ctx.Err())
	c.serve() // w may have delayed others
	c.mu.Unlock()
	return <-w.served
}

// leave ends a call. The last one releases the slot, and the bytes when its response is written.
func (a *account) leave() {
	c := a.controller
	c.mu.Lock()
	a.calls--
	isLast := a.calls == 0
	if isLast {
		a.addSlots(-1)
	}
	c.serve()
	c.mu.Unlock()
	switch {
	case !isLast:
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
	a.client.accounts--
	if a.client.accounts == 0 {
		delete(c.clients, a.client.name)
	}
	c.serve()
}

// countStuck counts an abandoned call as stuck from stuckAfter on, until it is done.
func (a *account) countStuck(done <-chan struct{}) {
	select {
	case <-done:
	case <-time.After(stuckAfter):
		a.addStuck(1)
		<-done
		a.addStuck(-1)
	}
}

// addStuck adds n stuck calls, which can be negative. The slot of the account is stuck while any of
// its calls is.
func (a *account) addStuck(n int) {
	c := a.controller
	c.mu.Lock()
	defer c.mu.Unlock()
	if a.stuck > 0 {
		c.stuck--
	}
	a.stuck += n
	if a.stuck > 0 {
		c.stuck++
	}
	c.serve()
}

// The caller of the following functions holds the mutex.

// addSlots adds n used slots, which can be negative, to all totals.
func (a *account) addSlots(n int) {
	a.controller.slots += n
	a.client.slots += n
	a.client.connections[a.connection] += n
	if a.client.connections[a.connection] == 0 {
		delete(a.client.connections, a.connection)
	}
}

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

// dismiss removes w from the queue and serves it with err, unless it has been served already.
func (c *Controller) dismiss(w *waiter, err error) {
	if i := slices.Index(c.waiting, w); i >= 0 {
		c.waiting = slices.Delete(c.waiting, i, i+1)
		w.served <- err
	}
}

// serve assigns a free slot and free bytes to waiters. The slot goes to the client with the fewest
// slots, to its connection with the fewest, and there to the longest-waiting call. Bytes are
// assigned in order of arrival, except to clients that have used up their quota. If too few bytes
// are free for a waiter, all later waiters are delayed too, so that none of them starves. While
// stuck calls use more than half of the slots, calls that wait for one are refused.
func (c *Controller) serve() {
	var next *waiter
	full := false
	for _, w := range slices.Clone(c.waiting) {
		own := w.account.client
		isShared := own.bytes > w.account.bytes // with other calls
		exceedsShare := isShared && own.bytes+w.bytes > c.maxBytes/2
		switch {
		case w.account.calls == 0: // the call has returned
			c.dismiss(w, context.Canceled)
		case w.bytes == 0 && c.stuck*2 > c.maxCalls:
			c.dismiss(w, ErrBusy)
		case w.bytes == 0:
			isNext := next == nil || w.account.usesFewer(next.account)
			if isNext && c.admits(w.account) {
				next = w
			}
		case full, exceedsShare: // it keeps waiting
		case c.bytes+w.bytes > c.maxBytes:
			full = true
		default:
			w.account.add(w.bytes)
			c.dismiss(w, nil)
		}
	}
	if next != nil {
		next.account.addSlots(1)
		c.dismiss(next, nil)
	}
}

// usesFewer reports whether the client of a uses fewer slots than that of b, or the connection of a
// if they use as many.
func (a *account) usesFewer(b *account) bool {
	if a.client.slots != b.client.slots {
		return a.client.slots < b.client.slots
	}
	return a.client.connections[a.connection] < b.client.connections[b.connection]
}

// admits reports whether a call can use another slot.
func (c *Controller) admits(a *account) bool {
	quarter, half := c.maxCalls/4, c.maxCalls/2
	ofClient, ofConnection := a.client.slots, a.client.connections[a.connection]
	switch {
	case ofClient == 0:
		return c.slots < c.maxCalls
	case c.slots >= c.maxCalls-quarter:
		return false
	case ofConnection == 0:
		return ofClient < half+quarter/2
	default:
		return ofConnection < quarter && ofClient < half
	}
}
