package admission

import (
	"cmp"
	"context"
	"slices"
	"sync"
)

// A Caller is the name of a client, and of one of its connections. If Client is empty, each [Hold]
// counts as a client of its own.
type Caller struct{ Client, Connection string }

type callerKey struct{}

// WithCaller returns a context for calls by a caller, which [CallerOf] returns.
func WithCaller(ctx context.Context, c Caller) context.Context {
	return context.WithValue(ctx, callerKey{}, c)
}

// CallerOf returns the caller in a context, or one without a name.
func CallerOf(ctx context.Context) Caller {
	c, _ := ctx.Value(callerKey{}).(Caller)
	return c
}

// A Pool divides an amount of something scarce between clients. It is safe for concurrent use.
//
// The client with the least is served first, and of its connections the one with the least; of
// equals, the one that was not served for longest. While whoever is first cannot be served, the
// others wait. One part, called kept, is for clients with little. Of the rest, half as much is left
// to connections that have nothing.
type Pool struct {
	size   int64 // without the part that is kept
	kept   int64
	little int64 // how much a client can have and still use the part that is kept

	// mu guards the fields below, clients and holds. Functions named Locked need it.
	mu        sync.Mutex
	used      int64              // of size
	keptUsed  int64              // of kept
	clients   map[string]*client // by name; those without one are missing
	waiting   []*waiter          // in order of arrival
	droppable []*Hold            // in the order in which they became droppable
	served    int                // how many waiters have been served
	refusal   error              // why nobody is served, if not nil
}

// NewPool returns a Pool of the given size. In addition it has a part that is kept for clients that
// have at most little.
func NewPool(size, kept, little int64) *Pool {
	return &Pool{size: size, kept: kept, little: little, clients: make(map[string]*client)}
}

// A client stores what one client has of a Pool.
type client struct {
	total       share
	connections map[string]*share // by name
}

// A share is what a client has, or one of its connections.
type share struct {
	holds      int
	used       int64
	lastServed int // the value of Pool.served when it was served, or 0
}

// A waiter asks for an amount for its hold.
type waiter struct {
	hold    *Hold
	amount  int64
	outcome chan error // receives one value, without blocking
}

// Open returns an empty hold, which the caller must end.
func (p *Pool) Open(from Caller) *Hold {
	p.mu.Lock()
	defer p.mu.Unlock()
	own := p.clients[from.Client]
	if own == nil {
		own = &client{connections: make(map[string]*share)}
		if from.Client != "" {
			p.clients[from.Client] = own
		}
	}
	connection := own.connections[from.Connection]
	if connection == nil {
		connection = new(share)
		own.connections[from.Connection] = connection
	}
	own.total.holds++
	connection.holds++
	return &Hold{pool: p, from: from, client: own, connection: connection}
}

// Refuse refuses everybody who waits, now and later, until it is called with nil.
func (p *Pool) Refuse(reason error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.refusal = reason
	if reason == nil {
		p.serveLocked()
		return
	}
	for _, w := range slices.Clone(p.waiting) {
		p.dismissLocked(w, reason)
	}
}

// dismissLocked removes w from the queue with err as its outcome, unless it already has one.
func (p *Pool) dismissLocked(w *waiter, err error) {
	if i := slices.Index(p.waiting, w); i >= 0 {
		p.waiting = slices.Delete(p.waiting, i, i+1)
		w.outcome <- err
	}
}

// serveLocked serves whoever waits, in turn, until the next one cannot be served.
func (p *Pool) serveLocked() {
	for len(p.waiting) > 0 {
		next := slices.MinFunc(p.waiting, compare)
		isKept := !p.fitsLocked(next)
		if isKept {
			next = p.nextOfKeptLocked()
		}
		if next == nil {
			return
		}
		p.served++
		next.hold.client.total.lastServed, next.hold.connection.lastServed = p.served, p.served
		next.hold.addLocked(next.amount)
		if isKept {
			next.hold.keepLocked(next.hold.kept + next.amount)
		}
		p.dismissLocked(next, nil)
	}
}

// compare returns a negative number if v is served before w, and 0 if the first to arrive is.
func compare(v, w *waiter) int {
	return cmp.Or(
		v.hold.client.total.compare(w.hold.client.total),
		v.hold.connection.compare(*w.hold.connection),
	)
}

func (s share) compare(other share) int {
	return cmp.Or(cmp.Compare(s.used, other.used), cmp.Compare(s.lastServed, other.lastServed))
}

// fitsLocked reports whether enough is free for w, apart from the part that is kept.
func (p *Pool) fitsLocked(w *waiter) bool {
	size := p.size
	if w.hold.connection.used > w.hold.amount { // The connection has other holds.
		size -= p.kept / 2
	}
	return p.used+w.amount <= size
}

// nextOfKeptLocked returns who is served from the part that is kept, or nil.
func (p *Pool) nextOfKeptLocked() *waiter {
	var little []*waiter
	for _, w := range p.waiting {
		if w.hold.client.total.used+w.amount <= p.little {
			little = append(little, w)
		}
	}
	if len(little) == 0 {
		return nil
	}
	next := slices.MinFunc(little, compare)
	if p.keptUsed+next.amount > p.kept {
		return nil
	}
	return next
}

// victimLocked returns the hold to drop for w, or nil: of those that can be dropped, the first one
// of the client with the most.
func (p *Pool) victimLocked(w *waiter) *Hold {
	var victim *Hold
	for _, h := range p.droppable {
		isMore := victim == nil || h.client.total.used > victim.client.total.used
		if isMore && w.canDrop(h) {
			victim = h
		}
	}
	return victim
}

// canDrop reports whether h can be dropped for w. Holds of the same connection always can. Of
// another connection or client, they can if that has at least as much as the one of w will have.
func (w *waiter) canDrop(h *Hold) bool {
	own, other := w.hold.client, h.client
	switch {
	case h == w.hold:
		return false
	case other != own:
		return other.total.used >= own.total.used+w.amount
	case h.connection != w.hold.connection:
		return h.connection.used >= w.hold.connection.used+w.amount
	default:
		return true
	}
}
