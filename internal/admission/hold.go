package admission

import (
	"context"
	"errors"
	"slices"
)

// A Hold is what a caller has of a Pool, at first nothing. It is safe for concurrent use, but only
// one goroutine can wait for more at a time; for others, Wait fails with [ErrFull].
type Hold struct {
	pool       *Pool
	from       Caller
	client     *client
	connection *share
	amount     int64
	kept       int64  // how much of the amount is in the part of the pool that is kept
	drop       func() // see SetDrop
	ended      bool
}

var errEnded = errors.New("the hold has ended")

// Wait adds an amount to the hold, once it is its turn. Only an empty hold waits: one that has
// something, and cannot have more at once, fails with [ErrFull]. So nobody who waits has what
// others wait for. Other holds can be dropped for it; see [Hold.SetDrop]. Other errors are that of
// ctx, the reason of [Pool.Refuse], and one for a hold that has ended.
func (h *Hold) Wait(ctx context.Context, amount int64) error {
	w := h.ask(amount, true)
	select {
	case err := <-w.outcome:
		return err
	case <-ctx.Done():
	}
	p := h.pool
	p.mu.Lock()
	p.dismissLocked(w, ctx.Err())
	p.serveLocked() // w may have delayed others
	p.mu.Unlock()
	return <-w.outcome
}

// Try is like Wait without waiting, and reports whether the hold has got the amount. It can drop
// other holds, too.
func (h *Hold) Try(amount int64) bool { return <-h.ask(amount, false).outcome == nil }

// ask returns a waiter for the amount. Unless it can wait, it already has its outcome.
func (h *Hold) ask(amount int64, canWait bool) *waiter {
	p := h.pool
	p.mu.Lock()
	defer p.mu.Unlock()
	canWait = canWait && h.amount == 0
	w := &waiter{h, amount, make(chan error, 1)}
	if err := h.enqueueLocked(w); err != nil {
		w.outcome <- err
	} else if !canWait {
		p.dismissLocked(w, ErrFull)
		p.serveLocked()
	}
	return w
}

// SetDrop lets the pool end the hold when its own connection, or a connection or client with less,
// needs what it has. The pool then calls drop with its mutex held, so drop must not use the pool.
// Of the holds of a client, the one that has been droppable for longest is dropped first. Nil means
// that the hold cannot be dropped. SetDrop reports false if the hold has already ended.
func (h *Hold) SetDrop(drop func()) bool {
	p := h.pool
	p.mu.Lock()
	defer p.mu.Unlock()
	h.undropLocked()
	h.drop = drop
	if drop != nil && !h.ended {
		p.droppable = append(p.droppable, h)
	}
	return !h.ended
}

// Release gives back an amount, or all if the hold has less. It can then get more again.
func (h *Hold) Release(amount int64) {
	h.pool.mu.Lock()
	defer h.pool.mu.Unlock()
	h.addLocked(-min(amount, h.amount))
	h.pool.serveLocked()
}

// Amount returns how much the hold has.
func (h *Hold) Amount() int64 {
	h.pool.mu.Lock()
	defer h.pool.mu.Unlock()
	return h.amount
}

// End gives back all of the hold, and whoever waits with it fails. A second time it does nothing.
func (h *Hold) End() {
	h.pool.mu.Lock()
	defer h.pool.mu.Unlock()
	h.endLocked()
	h.pool.serveLocked()
}

func (h *Hold) endLocked() {
	if h.ended {
		return
	}
	h.ended = true
	h.undropLocked()
	h.addLocked(-h.amount)
	h.client.total.holds--
	if h.client.total.holds == 0 {
		delete(h.pool.clients, h.from.Client)
	}
	h.connection.holds--
	if h.connection.holds == 0 {
		delete(h.client.connections, h.from.Connection)
	}
	for _, w := range slices.Clone(h.pool.waiting) {
		if w.hold == h {
			h.pool.dismissLocked(w, errEnded)
		}
	}
}

func (h *Hold) undropLocked() {
	p := h.pool
	p.droppable = slices.DeleteFunc(p.droppable, func(d *Hold) bool { return d == h })
}

// addLocked adds an amount, which can be negative, to all totals. What is given back is first taken
// from the part that is kept.
func (h *Hold) addLocked(amount int64) {
	h.amount += amount
	h.client.total.used += amount
	h.connection.used += amount
	h.pool.used += amount
	h.keepLocked(max(h.kept+min(amount, 0), 0))
}

// keepLocked sets how much of the hold is of the part that is kept.
func (h *Hold) keepLocked(kept int64) {
	h.pool.keptUsed += kept - h.kept
	h.pool.used -= kept - h.kept
	h.kept = kept
}

// enqueueLocked adds a waiter, and serves it if it is its turn. If that needs other holds dropped,
// it drops them one by one.
func (h *Hold) enqueueLocked(w *waiter) error {
	p := h.pool
	isWaiting := slices.ContainsFunc(p.waiting, func(v *waiter) bool { return v.hold == h })
	switch {
	case h.ended:
		return errEnded
	case p.refusal != nil:
		return p.refusal
	case isWaiting, h.amount+w.amount > p.size:
		return ErrFull
	}
	p.waiting = append(p.waiting, w)
	p.serveLocked()
	for len(w.outcome) == 0 {
		victim := p.victimLocked(w)
		if victim == nil {
			break
		}
		victim.endLocked()
		victim.drop()
		p.serveLocked()
	}
	return nil
}
