package admission

import (
	"context"
	"errors"
	"slices"
)

// A Hold is what a caller has of a Pool. Only one goroutine can wait for more at a time.
type Hold struct {
	pool       *Pool
	from       Caller
	client     *client
	connection *share
	amount     int64
	kept       int64  // how much of the amount is of the part that is kept
	drop       func() // see SetDrop
	ended      bool
}

var errEnded = errors.New("the hold has ended")

// Wait adds an amount to the hold, once it is its turn. Only a hold of nothing waits: nobody waits
// who has what others wait for. Other holds can be dropped for it; see [Hold.SetDrop]. The error is
// that of ctx, [ErrFull], or the reason of [Pool.Refuse].
func (h *Hold) Wait(ctx context.Context, amount int64) error {
	w := h.ask(amount, true)
	select {
	case err := <-w.served:
		return err
	case <-ctx.Done():
	}
	p := h.pool
	p.mu.Lock()
	p.dismissLocked(w, ctx.Err())
	p.serveLocked() // w may have delayed others
	p.mu.Unlock()
	return <-w.served
}

// Try is like Wait without waiting, and reports whether the hold has got the amount.
func (h *Hold) Try(amount int64) bool { return <-h.ask(amount, false).served == nil }

// ask returns a waiter, which has been served unless it can wait.
func (h *Hold) ask(amount int64, canWait bool) *waiter {
	p := h.pool
	p.mu.Lock()
	defer p.mu.Unlock()
	canWait = canWait && h.amount == 0
	w := &waiter{h, amount, make(chan error, 1)}
	if err := h.enqueueLocked(w); err != nil {
		w.served <- err
	} else if !canWait {
		p.dismissLocked(w, ErrFull)
		p.serveLocked()
	}
	return w
}

// SetDrop lets the pool end the hold when a client with less needs it. It then calls drop, with its
// mutex held. The hold that has been droppable for longest is the first. Nil means that the hold
// cannot be dropped. SetDrop reports whether the hold has not ended.
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

// Release gives back a part of the hold.
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

// End gives back all of the hold. A second time it does nothing.
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

// addLocked adds an amount, which can be negative, to all totals.
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

// enqueueLocked adds a waiter, and serves it if it is its turn. It can drop other holds for it.
func (h *Hold) enqueueLocked(w *waiter) error {
	p := h.pool
	isTwice := slices.ContainsFunc(p.waiting, func(w *waiter) bool { return w.hold == h })
	switch {
	case h.ended:
		return errEnded
	case p.refusal != nil:
		return p.refusal
	case isTwice, h.amount+w.amount > p.size:
		return ErrFull
	}
	p.waiting = append(p.waiting, w)
	p.serveLocked()
	for len(w.served) == 0 {
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
