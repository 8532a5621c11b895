package admission

import (
	"context"
	"slices"
)

// A waiter represents a call that waits for a slot or for bytes.
type waiter struct {
	account *account
	bytes   int64      // 0 for a slot
	served  chan error // receives one value, without blocking
}

// enqueue adds a waiter and serves it immediately if possible. The caller holds the mutex.
func (c *Controller) enqueue(a *account, bytes int64) *waiter {
	w := &waiter{a, bytes, make(chan error, 1)}
	c.waiting = append(c.waiting, w)
	c.serve()
	return w
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

// end removes w from the queue and serves it with err, unless it has been served already. The
// caller holds the mutex.
func (c *Controller) end(w *waiter, err error) {
	if i := slices.Index(c.waiting, w); i >= 0 {
		c.waiting = slices.Delete(c.waiting, i, i+1)
		w.served <- err
	}
}

// serve assigns a free slot and free bytes to waiters. The slot goes to the client with the fewest
// slots, and among its calls to the longest-waiting one. Bytes are assigned in order of arrival,
// except to clients that have used up their quota. If too few bytes are free for a waiter, all
// later waiters are delayed too, so that none of them starves. The caller holds the mutex.
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

// admits reports whether a client can use another slot. The caller holds the mutex.
func (c *Controller) admits(own *client) bool {
	quarter := c.maxCalls / 4
	return c.calls < c.maxCalls &&
		(own.calls == 0 || own.calls < quarter && c.calls < c.maxCalls-quarter)
}

// stalled reports whether stuck calls use more than half of the slots. In this state new and
// waiting calls fail with [ErrBusy]. The caller holds the mutex.
func (c *Controller) stalled() bool { return c.stuck*2 > c.maxCalls }

// markStuck marks the call as stuck unless it has returned.
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
