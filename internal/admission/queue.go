package admission

import (
	"context"
	"slices"
)

// A waiter waits for a slot, or for bytes if it names a number of them.
type waiter struct {
	account *account
	bytes   int64
	served  chan error // has capacity for the only value
}

// enqueue adds a waiter, which it serves immediately if possible. The caller holds the mutex.
func (c *Controller) enqueue(a *account, bytes int64) *waiter {
	w := &waiter{a, bytes, make(chan error, 1)}
	c.waiting = append(c.waiting, w)
	c.serve()
	return w
}

// wait waits until w is served or ctx ends.
func (c *Controller) wait(ctx context.Context, w *waiter) error {
	select {
	case err := <-w.served:
		return err
	case <-ctx.Done():
	}
	c.mu.Lock()
	c.end(w, ctx.Err())
	c.serve() // the waiters behind w
	c.mu.Unlock()
	return <-w.served
}

// end removes w from the queue, if it has not been served. The caller holds the mutex.
func (c *Controller) end(w *waiter, err error) {
	if i := slices.Index(c.waiting, w); i >= 0 {
		c.waiting = slices.Delete(c.waiting, i, i+1)
		w.served <- err
	}
}

// serve gives a free slot and free bytes to waiters. The slot goes to the client that has the
// fewest, and of its calls to the one that has waited longest. Bytes are given in order of arrival,
// without the waiters whose clients have their share. A waiter that has to wait for the bytes of
// other clients delays all later ones, so that none waits forever. The caller holds the mutex.
func (c *Controller) serve() {
	var next *waiter
	full := false
	for _, w := range slices.Clone(c.waiting) {
		own := w.account.client
		others := own.bytes - w.account.bytes
		switch {
		case w.account.calls == 0: // the call has returned
			c.end(w, context.Canceled)
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

// admits reports whether a client can have a slot now. The caller holds the mutex.
func (c *Controller) admits(own *client) bool {
	quarter := c.maxCalls / 4
	return c.calls < c.maxCalls &&
		(own.calls == 0 || own.calls < quarter && c.calls < c.maxCalls-quarter)
}

// stalled reports whether stuck calls have more than half of the slots. All other calls then fail
// with [ErrBusy] instead of waiting. The caller holds the mutex.
func (c *Controller) stalled() bool { return c.stuck*2 > c.maxCalls }

// markStuck counts the call as stuck if it has not returned.
func (a *account) markStuck() {
	c := a.controller
	c.mu.Lock()
	defer c.mu.Unlock()
	if a.calls == 0 || a.stuck {
		return
	}
	a.stuck = true
	c.stuck++
	if !c.stalled() {
		return
	}
	for _, w := range slices.Clone(c.waiting) {
		if w.bytes == 0 {
			c.end(w, ErrBusy)
		}
	}
}
