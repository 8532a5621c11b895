package admission

import (
	"context"
	"fmt"
	"sync"

	"golang.org/x/sync/semaphore"
)

// A budget limits the bytes that all calls hold together.
//
// A call waits only while it holds nothing of the budget. More is granted immediately or refused
// with [ErrFull]. Calls that hold something therefore never wait, and cannot deadlock.
//
// Before a call waits for the budget, which is first come, first served, it waits for the share of
// its client. The calls of one client thus hold or queue for at most half of the budget, and delay
// those of another client at most by that.
type budget struct {
	size  int64
	bytes *semaphore.Weighted

	mu     sync.Mutex
	shares map[string]*share // of the clients that have running calls
}

// A share is the part of the budget that the calls of one client can hold.
type share struct {
	size  int64
	bytes *semaphore.Weighted
	calls int // that use it; the mutex of the budget guards it
}

func newBudget(size int64) *budget {
	return &budget{size: size, bytes: semaphore.NewWeighted(size), shares: make(map[string]*share)}
}

// join returns the share of a client for another call, nil if the client has no name.
func (b *budget) join(client string) *share {
	if client == "" {
		return nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	s := b.shares[client]
	if s == nil {
		size := max(b.size/2, 1)
		s = &share{size: size, bytes: semaphore.NewWeighted(size)}
		b.shares[client] = s
	}
	s.calls++
	return s
}

// leave ends the use of a share by a call.
func (b *budget) leave(client string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if s := b.shares[client]; s != nil {
		if s.calls--; s.calls == 0 {
			delete(b.shares, client)
		}
	}
}

type (
	accountKey  struct{}
	responseKey struct{}
)

// An account is what one call holds: its slot and its bytes.
type account struct {
	controller *Controller
	client     string
	share      *share          // nil without a client
	response   context.Context // see WithResponse; nil if there is none
	release    func()          // releases the slot
	reserving  chan struct{}   // holds a value while a goroutine of the call reserves

	mu      sync.Mutex
	calls   int   // the call and those nested in it that have not returned
	held    int64 // bytes reserved
	granted int64 // bytes of the budget, at least held - FreeBytes
	shared  int64 // bytes of the share
	results int64 // bytes of held that belong to the result
}

func newAccount(ctx context.Context, c *Controller, release func()) *account {
	client := clientOf(ctx)
	a := &account{
		controller: c, client: client, share: c.budget.join(client), release: release, calls: 1,
		reserving: make(chan struct{}, 1),
	}
	a.response, _ = ctx.Value(responseKey{}).(context.Context)
	return a
}

// joinAccount returns the account of the running call whose context ctx is, if it is one of c.
func joinAccount(ctx context.Context, c *Controller) (_ *account, ok bool) {
	a, _ := ctx.Value(accountKey{}).(*account)
	if a == nil || a.controller != c {
		return nil, false
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.calls == 0 {
		return nil, false
	}
	a.calls++
	return a, true
}

// leave ends the use of the account by a call. The last one releases everything except the bytes of
// a result that has not been written.
func (a *account) leave() {
	a.mu.Lock()
	if a.calls--; a.calls > 0 {
		a.mu.Unlock()
		return
	}
	rest := int64(0)
	if a.response != nil {
		rest = min(a.results, a.granted)
	}
	a.giveBack(a.granted - rest)
	a.mu.Unlock()
	a.release()
	if rest == 0 {
		a.controller.budget.leave(a.client)
		return
	}
	context.AfterFunc(a.response, func() {
		a.mu.Lock()
		defer a.mu.Unlock()
		a.giveBack(a.granted)
		a.controller.budget.leave(a.client)
	})
}

// WithResponse returns a context for calls whose results stay in memory until the context written
// ends, and not only until the call returns. It has no effect if ctx already has such a context.
func WithResponse(ctx, written context.Context) context.Context {
	if ctx.Value(responseKey{}) != nil {
		return ctx
	}
	return context.WithValue(ctx, responseKey{}, written)
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
	a, _ := ctx.Value(accountKey{}).(*account)
	if a == nil || n <= 0 {
		return nil
	}
	select {
	case a.reserving <- struct{}{}:
		defer func() { <-a.reserving }()
	case <-ctx.Done():
		return ctx.Err()
	}
	a.mu.Lock()
	limit := a.controller.budget.size + FreeBytes
	if n > limit || a.held > limit-n {
		a.mu.Unlock()
		return Error(fmt.Sprintf("the call needs %d bytes of memory, and the limit is %d; "+
			"ask for less", n, limit))
	}
	need := max(a.held+n-FreeBytes-a.granted, 0)
	ofShare := max(a.ofShare(a.granted+need)-a.shared, 0)
	first := a.granted == 0
	a.mu.Unlock()
	if err := a.acquire(ctx, need, ofShare, first); err != nil {
		return err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.granted += need
	a.shared += ofShare
	if a.calls == 0 { // the call has ended meanwhile
		a.giveBack(need)
		return context.Canceled
	}
	a.held += n
	if result {
		a.results += n
	}
	return nil
}

// acquire acquires n bytes of the budget, and ofShare bytes of the client's share before them.
func (a *account) acquire(ctx context.Context, n, ofShare int64, wait bool) error {
	from := func(s *semaphore.Weighted, n int64) error {
		if wait {
			return s.Acquire(ctx, n)
		}
		if !s.TryAcquire(n) {
			return ErrFull
		}
		return nil
	}
	if n == 0 {
		return nil
	}
	if ofShare > 0 {
		if err := from(a.share.bytes, ofShare); err != nil {
			return err
		}
	}
	err := from(a.controller.budget.bytes, n)
	if err != nil && ofShare > 0 {
		a.share.bytes.Release(ofShare)
	}
	return err
}

// ofShare returns how much of the client's share an account with n bytes of the budget takes: all
// of the share if n is more.
func (a *account) ofShare(n int64) int64 {
	if a.share == nil {
		return 0
	}
	return min(n, a.share.size)
}

// Release releases n reserved bytes of the call of ctx that are no longer in use.
func Release(ctx context.Context, n int64) {
	a, _ := ctx.Value(accountKey{}).(*account)
	if a == nil || n <= 0 {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.held -= min(n, a.held)
	a.giveBack(a.granted - min(a.granted, max(a.held-FreeBytes, 0)))
}

// giveBack returns n bytes to the budget. The caller holds the mutex.
func (a *account) giveBack(n int64) {
	if n <= 0 {
		return
	}
	a.granted -= n
	a.controller.budget.bytes.Release(n)
	if ofShare := a.shared - a.ofShare(a.granted); ofShare > 0 {
		a.shared -= ofShare
		a.share.bytes.Release(ofShare)
	}
}
