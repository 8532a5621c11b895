package admission

import (
	"context"
	"fmt"
	"slices"
)

// A client stores the totals for the accounts of one client.
type client struct {
	name     string // if empty, the client has one account
	accounts int    // of calls that run, wait, or have a result that has not been written
	calls    int    // slots
	bytes    int64  // bytes of the budget
}

// An account stores the slot and the bytes of one call.
//
// A call waits for bytes only while it holds none. More is granted immediately or refused with
// [ErrFull]. A call that holds something therefore never waits, and cannot deadlock.
type account struct {
	controller *Controller
	client     *client
	response   context.Context // see WithResponse; nil if not set
	calls      int             // the call and those nested in it that have not returned
	stuck      bool

	bytes   int64 // bytes reserved
	results int64 // bytes reserved for the result
}

// accountOf returns the account of the call of ctx, or nil outside of calls.
func accountOf(ctx context.Context) *account {
	a, _ := ctx.Value(accountKey{}).(*account)
	return a
}

// enter waits for a slot and returns the account of the call. A call nested in a call that has not
// returned gets the account of that call.
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
	if c.stalled() {
		c.mu.Unlock()
		return nil, ErrBusy
	}
	a := c.newAccount(ctx)
	w := c.enqueue(a, 0)
	c.mu.Unlock()
	if err := c.wait(ctx, w); err != nil {
		c.mu.Lock()
		defer c.mu.Unlock()
		a.close()
		return nil, err
	}
	return a, nil
}

// newAccount returns the account of another call. The caller holds the mutex.
func (c *Controller) newAccount(ctx context.Context) *account {
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
	return a
}

// leave ends the use of the account by a call. The last one releases everything except the bytes of
// a result that has not been written.
func (a *account) leave() {
	c := a.controller
	c.mu.Lock()
	defer c.mu.Unlock()
	if a.calls--; a.calls > 0 {
		return
	}
	c.calls--
	a.client.calls--
	if a.stuck {
		c.stuck--
	}
	if a.response == nil || a.results == 0 {
		a.close()
		return
	}
	a.add(min(a.results, a.bytes) - a.bytes)
	c.serve()
	context.AfterFunc(a.response, func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		a.close()
	})
}

// close releases all bytes and removes the account. The caller holds the mutex.
func (a *account) close() {
	a.add(-a.bytes)
	if a.client.accounts--; a.client.accounts == 0 {
		delete(a.controller.clients, a.client.name)
	}
	a.controller.serve()
}

// add adds n bytes, which can be negative. The caller holds the mutex.
func (a *account) add(n int64) {
	a.bytes += n
	a.client.bytes += n
	a.controller.bytes += n
}

// Reserve adds n bytes to what the call of ctx holds, before they are allocated. All is released
// when the call has returned; [Release] releases it earlier. Outside of calls Reserve does nothing.
//
// The first reservation waits until the client of the call and all calls together have room, or ctx
// ends. A later one does not wait: if there is no room now, it fails with [ErrFull]. A call that
// can need much should therefore reserve it in one step. A reservation that can never be granted is
// an [Error] that names the limit.
func Reserve(ctx context.Context, n int64) error {
	a := accountOf(ctx)
	if a == nil || n <= 0 {
		return nil
	}
	c := a.controller
	c.mu.Lock()
	if n > c.maxBytes-a.bytes {
		c.mu.Unlock()
		return Error(fmt.Sprintf("the call needs %d bytes of memory, and the limit is %d; "+
			"ask for less", n, c.maxBytes))
	}
	if slices.ContainsFunc(c.waiting, func(w *waiter) bool { return w.account == a }) {
		c.mu.Unlock()
		return ErrFull
	}
	holds := a.bytes > 0
	w := c.enqueue(a, n)
	if holds {
		c.end(w, ErrFull)
	}
	c.mu.Unlock()
	return c.wait(ctx, w)
}

// ReserveResult is [Reserve] for bytes that the result of the call contains. They are released when
// the response has been written; see [WithResponse].
func ReserveResult(ctx context.Context, n int64) error {
	err := Reserve(ctx, n)
	if a := accountOf(ctx); a != nil && err == nil {
		a.controller.mu.Lock()
		defer a.controller.mu.Unlock()
		a.results += n
	}
	return err
}

// Release releases n reserved bytes of the call of ctx that are no longer in use.
func Release(ctx context.Context, n int64) {
	if a := accountOf(ctx); a != nil {
		a.controller.mu.Lock()
		defer a.controller.mu.Unlock()
		a.add(-min(n, a.bytes))
		a.controller.serve()
	}
}
