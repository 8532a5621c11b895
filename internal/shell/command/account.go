package command

import (
	"context"
	"fmt"
	"sync"
	"unsafe"

	"gander/internal/admission"
)

// step is the number of bytes that a Budget reserves at a time.
const step = 1 << 20

// A Budget limits the memory that all parts of one script hold together. It is safe for concurrent
// use.
type Budget struct {
	limit int64

	mu             sync.Mutex
	used, reserved int64
}

// NewBudget returns a Budget of limit bytes.
func NewBudget(limit int64) *Budget { return &Budget{limit: limit} }

// An Abort is the panic value that ends a whole script, because a budget is exhausted, the call has
// ended, or something is refused while it runs.
type Abort struct{ Err error }

// An Account counts the memory that one owner holds, before it is allocated. It is not safe for
// concurrent use.
type Account struct {
	ctx    context.Context // of the script: every loop asks whether it has ended
	budget *Budget
	owner  string // names the owner in errors
	held   int64
	ticks  uint
}

// NewAccount returns an Account of an owner, such as "sort", in a budget.
func NewAccount(ctx context.Context, b *Budget, owner string) *Account {
	return &Account{ctx: ctx, budget: b, owner: owner}
}

// Part returns another Account of the same owner, which can be released on its own.
func (a *Account) Part() *Account {
	return &Account{ctx: a.ctx, budget: a.budget, owner: a.owner}
}

// Grab counts n more bytes. It must be called before they are allocated. If the budget is
// exhausted, the script ends.
func (a *Account) Grab(n int) {
	if err := a.budget.grab(a.ctx, int64(n)); err != nil {
		panic(Abort{fmt.Errorf("%s: %w", a.owner, err)})
	}
	a.held += int64(n)
}

// Drop counts n bytes less.
func (a *Account) Drop(n int) {
	a.budget.drop(int64(n))
	a.held -= int64(n)
}

// Release drops all that is held.
func (a *Account) Release() { a.Drop(int(a.held)) }

// Held returns the number of bytes that a holds.
func (a *Account) Held() int64 { return a.held }

// Tick ends the script if its call has ended. It must be called in every loop whose length depends
// on the input.
func (a *Account) Tick() {
	a.ticks++
	if a.ticks%1024 == 0 {
		a.Check()
	}
}

// Check is like Tick, for loops in which each turn takes long.
func (a *Account) Check() {
	if a.ctx.Err() != nil {
		panic(Abort{context.Cause(a.ctx)})
	}
}

// Grow returns s with room for n more values, and counts its memory, that of both slices while it
// grows.
func Grow[T any](a *Account, s []T, n int) []T {
	if n <= cap(s)-len(s) {
		return s
	}
	var value T
	size := int(unsafe.Sizeof(value))
	room := max(16, cap(s)+cap(s)/2, len(s)+n)
	a.Grab(room * size)
	grown := make([]T, len(s), room)
	copy(grown, s)
	a.Drop(cap(s) * size)
	return grown
}

// Append appends values to s, which it lets grow.
func Append[T any](a *Account, s []T, values ...T) []T {
	return append(Grow(a, s, len(values)), values...)
}

func (b *Budget) grab(ctx context.Context, n int64) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if n < 0 || n > b.limit-b.used {
		return fmt.Errorf("needs more than the %d MiB of memory that a script has; "+
			"narrow its input, or do it in parts", b.limit>>20)
	}
	for b.used+n > b.reserved {
		more := max(step, b.used+n-b.reserved)
		if err := admission.Reserve(ctx, more); err != nil {
			return err
		}
		b.reserved += more
	}
	b.used += n
	return nil
}

func (b *Budget) drop(n int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.used -= n
}
