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

// wait blocks until w is served or ctx is done.
func (c *Controller) wait(ctx context.Context, w *waiter) error {
	select {
	case err := <-w.served:
		return err
	case <-ctx.Done():
	}
	c.mu.Lock()
	c.dismissLocked(w, ctx.Err())
	c.serveLocked() // w may have delayed others
	c.mu.Unlock()
	return <-w.served
}

// enqueueLocked adds a waiter and serves it immediately if possible.
func (c *Controller) enqueueLocked(a *account, bytes int64) *waiter {
	w := &waiter{a, bytes, make(chan error, 1)}
	c.waiting = append(c.waiting, w)
	c.serveLocked()
	return w
}

// dismissLocked removes w from the queue and serves it with err, unless it has been served already.
func (c *Controller) dismissLocked(w *waiter, err error) {
	if i := slices.Index(c.waiting, w); i >= 0 {
		c.waiting = slices.Delete(c.waiting, i, i+1)
		w.served <- err
	}
}

// serveLocked assigns a free slot and free bytes to waiters. The slot goes to the client with the
// fewest slots, to its connection with the fewest, and there to the longest-waiting call. Bytes are
// assigned in order of arrival, except to clients that have used up their quota. If too few bytes
// are free for a waiter, all later waiters are delayed too, so that none of them starves. While
// stuck calls use more than half of the slots, calls that wait for one are refused.
func (c *Controller) serveLocked() {
	var next *waiter
	full := false
	for _, w := range slices.Clone(c.waiting) {
		own := w.account.client
		isShared := own.bytes > w.account.bytes // with other calls
		exceedsShare := isShared && own.bytes+w.bytes > c.maxBytes/2
		switch {
		case w.account.calls == 0: // The call has returned.
			c.dismissLocked(w, context.Canceled)
		case w.bytes == 0 && c.stuck*2 > c.maxCalls:
			c.dismissLocked(w, ErrBusy)
		case w.bytes == 0:
			isNext := next == nil || w.account.usesFewerLocked(next.account)
			if isNext && c.admitsLocked(w.account) {
				next = w
			}
		case full, exceedsShare: // It keeps waiting.
		case c.bytes+w.bytes > c.maxBytes:
			full = true
		default:
			w.account.addBytesLocked(w.bytes)
			c.dismissLocked(w, nil)
		}
	}
	if next != nil {
		next.account.addSlotsLocked(1)
		c.dismissLocked(next, nil)
	}
}

// usesFewerLocked reports whether the client of a uses fewer slots than that of b, or the connection
// of a if they use as many.
func (a *account) usesFewerLocked(b *account) bool {
	if a.client.slots != b.client.slots {
		return a.client.slots < b.client.slots
	}
	return a.client.connections[a.connection] < b.client.connections[b.connection]
}

// admitsLocked reports whether a call can use another slot.
func (c *Controller) admitsLocked(a *account) bool {
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
