// Package meter counts what a call reads. It knows no call and no file: whoever makes the call puts a meter into its
// context, and whoever reads counts there.
package meter

import (
	"context"
	"sync/atomic"
)

// A Meter counts what has been read. It is safe for concurrent use; a nil Meter counts nothing.
type Meter struct {
	watch          *Meter // counts as well what this one counts
	root           atomic.Pointer[string]
	entries, bytes atomic.Int64
}

type (
	key      struct{}
	watchKey struct{}
)

// Watch returns a context, and a meter that counts what every meter counts that is made with it.
func Watch(ctx context.Context) (context.Context, *Meter) {
	m := new(Meter)
	return context.WithValue(ctx, watchKey{}, m), m
}

// New returns a context that carries a new meter.
func New(ctx context.Context) (context.Context, *Meter) {
	m := new(Meter)
	m.watch, _ = ctx.Value(watchKey{}).(*Meter)
	return context.WithValue(ctx, key{}, m), m
}

// From returns the meter that ctx carries, nil where it carries none.
func From(ctx context.Context) *Meter {
	m, _ := ctx.Value(key{}).(*Meter)
	return m
}

// Add counts entries of directories and bytes of files.
func (m *Meter) Add(entries int, bytes int64) {
	if m == nil {
		return
	}
	if entries != 0 {
		m.entries.Add(int64(entries))
	}
	if bytes != 0 {
		m.bytes.Add(bytes)
	}
	m.watch.Add(entries, bytes)
}

// In notes the root directory that is read in; the last one noted counts. What root points to must not change.
func (m *Meter) In(root *string) {
	if m != nil {
		m.root.Store(root)
	}
}

// Read returns the root noted last, "" where none was, and what has been counted so far.
func (m *Meter) Read() (root string, entries int, bytes int64) {
	if at := m.root.Load(); at != nil {
		root = *at
	}
	return root, int(m.entries.Load()), m.bytes.Load()
}
