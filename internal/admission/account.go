package admission

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"
)

// A client stores the totals of the accounts of one client.
type client struct {
	name        string // empty for a client with a single account
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
	from, _ := ctx.Value(callerKey{}).(Caller)
	response, _ := ctx.Value(responseKey{}).(context.Context)
	c.mu.Lock()
	defer c.mu.Unlock()
	own := c.clients[from.Client]
	if own == nil {
		own = &client{name: from.Client, connections: make(map[string]int)}
		if own.name != "" {
			c.clients[own.name] = own
		}
	}
	own.accounts++
	a := &account{controller: c, client: own, connection: from.Connection, response: response, calls: 1}
	return a, c.enqueueLocked(a, 0)
}

// request returns a waiter for n bytes. It is served already if the account holds bytes.
func (a *account) request(n int64) (*waiter, error) {
	c := a.controller
	c.mu.Lock()
	defer c.mu.Unlock()
	if n > c.maxBytes-a.bytes {
		needed := a.bytes + min(n, math.MaxInt64-a.bytes)
		return nil, Error(fmt.Sprintf("the call needs %d bytes of memory, and the limit is %d; "+
			"ask for less", needed, c.maxBytes))
	}
	if slices.ContainsFunc(c.waiting, func(w *waiter) bool { return w.account == a }) {
		return nil, ErrFull
	}
	holdsBytes := a.bytes > 0
	w := c.enqueueLocked(a, n)
	if holdsBytes {
		c.dismissLocked(w, ErrFull)
	}
	return w, nil
}

// leave ends a call. The last one releases the slot, and the bytes when its response is written.
func (a *account) leave() {
	c := a.controller
	c.mu.Lock()
	a.calls--
	isLast := a.calls == 0
	if isLast {
		a.addSlotsLocked(-1)
	}
	c.serveLocked()
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
	a.addBytesLocked(-a.bytes)
	a.client.accounts--
	if a.client.accounts == 0 {
		delete(c.clients, a.client.name)
	}
	c.serveLocked()
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
	c.serveLocked()
}

// addSlotsLocked adds n used slots, which can be negative, to all totals.
func (a *account) addSlotsLocked(n int) {
	a.controller.slots += n
	a.client.slots += n
	a.client.connections[a.connection] += n
	if a.client.connections[a.connection] == 0 {
		delete(a.client.connections, a.connection)
	}
}

// addBytesLocked adds n bytes, which can be negative, to all totals.
func (a *account) addBytesLocked(n int64) {
	a.bytes += n
	a.client.bytes += n
	a.controller.bytes += n
}
