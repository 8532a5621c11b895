package tool

import (
	"context"
	"slices"
	"sync"
)

// maxData is how many bytes of data the answers of a registry hold at once, or one answer if it may have more.
const maxData = 32 << 20

type (
	roomKey     struct{}
	answeredKey struct{}
)

// AnsweredBy returns a context for calls whose answers are in memory until the context answered ends, rather than until the
// call returns. If ctx says so of another context already, that one holds. A server that writes answers after calls uses it,
// so that [HoldData] knows how much data waits to be written.
func AnsweredBy(ctx, answered context.Context) context.Context {
	if ctx.Value(answeredKey{}) != nil {
		return ctx
	}
	return context.WithValue(ctx, answeredKey{}, answered)
}

// HoldData waits until there is room in memory for n bytes of data. A tool calls it before it reads data for a part that is
// not text, so that many large answers at once take a bounded amount of memory. The room is given back when the call has
// been answered. HoldData fails if ctx ends. It does not check the budget.
func HoldData(ctx context.Context, n int) error {
	call, ok := ctx.Value(roomKey{}).(callRoom)
	if !ok || n <= 0 {
		return nil
	}
	n = min(n, call.room.size)
	if err := call.room.acquire(ctx, n); err != nil {
		return err
	}
	context.AfterFunc(call.answered, func() { call.room.release(n) })
	return nil
}

// callRoom is the room for the data of a call.
type callRoom struct {
	room     *dataRoom
	answered context.Context
}

// within returns the context of a call whose data takes part of the room. The caller calls done when the call has returned.
func (r *dataRoom) within(ctx context.Context) (_ context.Context, done context.CancelFunc) {
	answered, ok := ctx.Value(answeredKey{}).(context.Context)
	done = func() {}
	if !ok {
		answered, done = context.WithCancel(context.Background())
	}
	return context.WithValue(ctx, roomKey{}, callRoom{r, answered}), done
}

// A dataRoom bounds the bytes of data in memory. Those who wait are served in the order in which they came.
type dataRoom struct {
	size int

	mu      sync.Mutex
	used    int
	waiting []dataWaiter
}

type dataWaiter struct {
	n     int
	ready chan struct{} // closed when the room is the waiter's
}

func newDataRoom(size int) *dataRoom { return &dataRoom{size: size} }

func (r *dataRoom) acquire(ctx context.Context, n int) error {
	w := dataWaiter{n, make(chan struct{})}
	r.mu.Lock()
	r.waiting = append(r.waiting, w)
	r.serve()
	r.mu.Unlock()
	select {
	case <-w.ready:
		return nil
	case <-ctx.Done():
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if i := slices.Index(r.waiting, w); i >= 0 {
		r.waiting = slices.Delete(r.waiting, i, i+1)
	} else {
		r.used -= n
	}
	r.serve() // A smaller one may have waited behind this one.
	return ctx.Err()
}

func (r *dataRoom) release(n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.used -= n
	r.serve()
}

// serve gives the free room to those who wait. The caller holds the mutex.
func (r *dataRoom) serve() {
	for len(r.waiting) > 0 && r.used+r.waiting[0].n <= r.size {
		r.used += r.waiting[0].n
		close(r.waiting[0].ready)
		r.waiting = slices.Delete(r.waiting, 0, 1)
	}
}
