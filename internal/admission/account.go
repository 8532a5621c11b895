package admission

import (
	"context"
	"fmt"
	"slices"
)

// A client stores the totals of the accounts of one client.
type client struct {
	name     string // empty for a client with a single account
	accounts int    // including accounts of unwritten results
	calls    int    // slots in use
	bytes    int64  // bytes in use
}

// An account stores the slot and the bytes of one call.
//
// A call waits for bytes only while it holds none. Further requests succeed immediately or fail
// with [ErrFull]. Calls therefore cannot deadlock.
type account struct {
	controller *Controller
	client     *client
	response   context.Context // see WithResponse; nil if not set
	calls      int             // running calls: the call itself and nested calls
	stuck      bool

	bytes   int64 // bytes reserved
	results int64 // bytes reserved for the result
}

// accountOf returns the account of the call with context ctx, or nil if ctx is not of a call.
func accountOf(ctx context.Context) *account {
	a, _ := ctx.Value(accountKey{}).(*account)
	return a
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

// newAccount returns a new account for a call. The caller holds the mutex.
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

// leave ends the use of the account by a call. The last call releases everything except the bytes
// of an unwritten result.
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

// add adds n bytes, which can be negative, to all totals. The caller holds the mutex.
func (a *account) add(n int64) {
	a.bytes += n
	a.client.bytes += n
	a.controller.bytes += n
}

// Reserve reserves n bytes for the call with context ctx, before they are allocated. They are
// released when the call returns, or earlier by [Release]. Outside of calls Reserve does nothing.
//
// The first reservation of a call waits until enough bytes are free or ctx is done. Further
// reservations do not wait. If too few bytes are free, they fail with [ErrFull]. A call that needs
// much memory should therefore reserve it in one step. A reservation above the limit of a call
// fails with an [Error] that contains the limit.
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

// ReserveResult is like [Reserve], but for the bytes of the result. They are released after the
// response is written; see [WithResponse].
func ReserveResult(ctx context.Context, n int64) error {
	err := Reserve(ctx, n)
	if a := accountOf(ctx); a != nil && err == nil {
		a.controller.mu.Lock()
		defer a.controller.mu.Unlock()
		a.results += n
	}
	return err
}

// Release releases n bytes reserved by the call with context ctx.
func Release(ctx context.Context, n int64) {
	if a := accountOf(ctx); a != nil {
		a.controller.mu.Lock()
		defer a.controller.mu.Unlock()
		a.add(-min(n, a.bytes))
		a.controller.serve()
	}
}
