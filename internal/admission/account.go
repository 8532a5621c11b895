package admission

import (
	"context"
	"fmt"
	"slices"
)

// An account stores the slot and the bytes of one call.
//
// A call waits for bytes only while it holds none of the budget. More is granted immediately or
// refused with [ErrFull]. A call that holds something therefore never waits, and cannot deadlock.
type account struct {
	controller *Controller
	client     *client
	response   context.Context // see WithResponse; nil if not set
	calls      int             // the call and those nested in it that have not returned
	stuck      bool

	held    int64 // bytes reserved
	granted int64 // bytes of the budget
	pending int64 // bytes of the budget that a goroutine of the call waits for
	results int64 // bytes of held that belong to the result
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

// removeAccount removes an account that holds nothing. The caller holds the mutex.
func (c *Controller) removeAccount(a *account) {
	if a.client.accounts--; a.client.accounts == 0 {
		delete(c.clients, a.client.name)
	}
}

// accountOf returns the account of the call of ctx, or nil outside of calls.
func accountOf(ctx context.Context) *account {
	a, _ := ctx.Value(accountKey{}).(*account)
	return a
}

// joinAccount returns the account of the running call whose context ctx is, if it is one of c.
func joinAccount(ctx context.Context, c *Controller) (a *account, ok bool) {
	a = accountOf(ctx)
	if a == nil || a.controller != c {
		return nil, false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if a.calls == 0 {
		return nil, false
	}
	a.calls++
	return a, true
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
	c.leaveSlot(a)
	if a.response == nil || a.results == 0 || a.granted == 0 {
		a.releaseBytes(a.granted)
		c.removeAccount(a)
		return
	}
	a.releaseBytes(a.granted - min(a.results, a.granted))
	context.AfterFunc(a.response, func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		a.releaseBytes(a.granted)
		c.removeAccount(a)
	})
}

// Reserve adds n bytes to what the call of ctx holds, before they are allocated. All is released
// when the call has returned; [Release] releases it earlier. Outside of calls Reserve does nothing.
//
// The first [FreeBytes] of each call are free. The first reservation that exceeds them waits until
// the client of the call and all calls together have room, or ctx ends. A later one does not wait:
// if there is no room now, it fails with [ErrFull]. A call that can need much should therefore
// reserve it in one step. A reservation that can never be granted is an [Error] that names the limit.
func Reserve(ctx context.Context, n int64) error { return reserve(ctx, n, false) }

// ReserveResult is [Reserve] for bytes that the result of the call contains. They are released when
// the response has been written; see [WithResponse].
func ReserveResult(ctx context.Context, n int64) error { return reserve(ctx, n, true) }

func reserve(ctx context.Context, n int64, result bool) error {
	a := accountOf(ctx)
	if a == nil || n <= 0 {
		return nil
	}
	c := a.controller
	c.mu.Lock()
	defer c.mu.Unlock()
	if limit := c.maxBytes + FreeBytes; n > limit || a.held > limit-n {
		return Error(fmt.Sprintf("the call needs %d bytes of memory, and the limit is %d; "+
			"ask for less", n, limit))
	}
	a.held += n
	if err := a.acquireBytes(ctx, a.held-FreeBytes-a.granted-a.pending); err != nil {
		a.held -= n
		return err
	}
	if result {
		a.results += n
	}
	return nil
}

// acquireBytes acquires n bytes of the budget. The caller holds the mutex.
func (a *account) acquireBytes(ctx context.Context, n int64) error {
	if n <= 0 {
		return nil
	}
	c := a.controller
	first := a.granted == 0 && a.pending == 0
	w := &waiter{account: a, bytes: n, served: make(chan struct{})}
	a.pending += n
	c.forBytes = append(c.forBytes, w)
	c.serveBytes()
	if !first && slices.Contains(c.forBytes, w) {
		c.serve(&c.forBytes, w, ErrFull)
	}
	if err := c.wait(ctx, &c.forBytes, w); err != nil {
		return err
	}
	if a.calls == 0 { // the call has returned
		a.releaseBytes(n)
		return context.Canceled
	}
	return nil
}

// serveBytes serves waiters in order of arrival. A waiter that does not fit delays all later ones,
// and a waiter that exceeds the share of its client delays later ones of the same client.
// The caller holds the mutex.
func (c *Controller) serveBytes() {
	var exceeded []*client
	for _, w := range slices.Clone(c.forBytes) {
		own := w.account.client
		share := c.share(own, w.account.granted+w.bytes) - c.share(own, w.account.granted)
		switch {
		case slices.Contains(exceeded, own):
		case own.bytes+share > c.maxBytes/2:
			exceeded = append(exceeded, own)
		case c.bytes+w.bytes > c.maxBytes:
			return
		default:
			own.bytes += share
			c.bytes += w.bytes
			w.account.granted += w.bytes
			c.serve(&c.forBytes, w, nil)
		}
	}
}

// share returns how many of n bytes of one call count for the share of its client, which is half of
// the budget. A call can have more.
func (c *Controller) share(own *client, n int64) int64 {
	if own.name == "" {
		return 0
	}
	return min(n, c.maxBytes/2)
}

// Release releases n reserved bytes of the call of ctx that are no longer in use.
func Release(ctx context.Context, n int64) {
	a := accountOf(ctx)
	if a == nil || n <= 0 {
		return
	}
	a.controller.mu.Lock()
	defer a.controller.mu.Unlock()
	a.held -= min(n, a.held)
	a.releaseBytes(a.granted - max(a.held-FreeBytes-a.pending, 0))
}

// releaseBytes returns n bytes to the budget. The caller holds the mutex.
func (a *account) releaseBytes(n int64) {
	if n <= 0 {
		return
	}
	c := a.controller
	a.client.bytes -= c.share(a.client, a.granted) - c.share(a.client, a.granted-n)
	a.granted -= n
	c.bytes -= n
	c.serveBytes()
}
