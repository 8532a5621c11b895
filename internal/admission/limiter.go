package admission

import (
	"container/list"
	"context"
	"sync"
)

// A limiter limits the number of concurrent calls. Calls above the limit wait. The next free slot
// goes to the client that has the fewest, and among its calls to the one that has waited longest.
//
// A call that does not return from the operating system keeps its slot until it does. While such
// calls have more than half of the slots, all others fail with [ErrBusy] instead of waiting.
type limiter struct {
	slots int

	mu       sync.Mutex
	used     int
	byClient map[string]int // used slots of each client
	stuck    int
	waiting  *list.List // of *waiter, in order of arrival
}

// A waiter waits for a slot.
type waiter struct {
	client string
	result chan error // receives nil with the slot, or the reason why there is none
}

func newLimiter(slots int) *limiter {
	return &limiter{slots: slots, byClient: make(map[string]int), waiting: list.New()}
}

// acquire waits for a slot and returns a function that releases it.
func (l *limiter) acquire(ctx context.Context) (release func(), err error) {
	client := clientOf(ctx)
	release = func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.leave(client)
	}
	l.mu.Lock()
	switch {
	case l.stalled():
		l.mu.Unlock()
		return nil, ErrBusy
	case ctx.Err() != nil:
		l.mu.Unlock()
		return nil, ctx.Err()
	case l.admits(client):
		l.enter(client)
		l.mu.Unlock()
		return release, nil
	}
	w := &waiter{client, make(chan error, 1)}
	e := l.waiting.PushBack(w)
	l.mu.Unlock()
	select {
	case err = <-w.result:
	case <-ctx.Done():
		l.mu.Lock()
		defer l.mu.Unlock()
		l.waiting.Remove(e) // no effect if already removed
		select {
		case err = <-w.result:
			if err == nil {
				l.leave(client)
			}
		default:
		}
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, err
	}
	return release, nil
}

// admits reports whether a client can have a slot now. The caller holds the mutex.
func (l *limiter) admits(client string) bool {
	quarter := l.slots / 4
	own := l.byClient[client]
	return l.used < l.slots &&
		(client == "" || own == 0 || own < quarter && l.used < l.slots-quarter)
}

// enter gives a client a slot. The caller holds the mutex.
func (l *limiter) enter(client string) {
	l.used++
	if client != "" {
		l.byClient[client]++
	}
}

// leave releases a slot of a client and serves the waiters. The caller holds the mutex.
func (l *limiter) leave(client string) {
	l.used--
	if l.byClient[client]--; l.byClient[client] <= 0 {
		delete(l.byClient, client)
	}
	for e := l.next(); e != nil; e = l.next() {
		w := l.waiting.Remove(e).(*waiter)
		l.enter(w.client)
		w.result <- nil
	}
}

// next returns the element of the waiter that gets the next slot, or nil if none can have one now.
// The caller holds the mutex.
func (l *limiter) next() *list.Element {
	var next *list.Element
	fewest := l.slots
	for e := l.waiting.Front(); e != nil && l.used < l.slots && fewest > 0; e = e.Next() {
		client := e.Value.(*waiter).client
		if own := l.byClient[client]; own < fewest && l.admits(client) {
			next, fewest = e, own
		}
	}
	return next
}

// stalled reports whether too many calls are stuck for others to wait. The caller holds the mutex.
func (l *limiter) stalled() bool { return l.stuck*2 > l.slots }

// addStuck adds n to the number of stuck calls. The caller holds the mutex.
func (l *limiter) addStuck(n int) {
	if l.stuck += n; !l.stalled() {
		return
	}
	for e := l.waiting.Front(); e != nil; e = l.waiting.Front() {
		l.waiting.Remove(e).(*waiter).result <- ErrBusy
	}
}
