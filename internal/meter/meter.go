// Package meter counts what a call reads. The call's context carries a [Meter]; the code that reads entries and bytes
// adds to it.
package meter

import (
	"context"
	"sync/atomic"
)

// A Meter counts directory entries and bytes that have been read. It is safe for concurrent use. A nil Meter counts
// nothing.
type Meter struct {
	parent         *Meter // also counts what this one counts; nil for none
	root           atomic.Pointer[string]
	entries, bytes atomic.Int64
}

type (
	key      struct{}
	watchKey struct{}
)

// Watch returns a context and a meter that counts what all meters count that are made from that context.
func Watch(ctx context.Context) (context.Context, *Meter) {
	m := new(Meter)
	return context.WithValue(ctx, watchKey{}, m), m
}

// New returns a context that carries a new meter.
func New(ctx context.Context) (context.Context, *Meter) {
	m := new(Meter)
	m.parent, _ = ctx.Value(watchKey{}).(*Meter)
	return context.WithValue(ctx, key{}, m), m
}

// From returns the meter that ctx carries, or nil if it carries none.
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
	m.parent.Add(entries, bytes)
}

// SetRoot records the root directory that is being read; the last one recorded counts. The string must not change
// afterwards.
func (m *Meter) SetRoot(root *string) {
	if m != nil {
		m.root.Store(root)
	}
}

// Totals returns the root recorded last, "" if there is none, and the counts so far.
func (m *Meter) Totals() (root string, entries int, bytes int64) {
	if r := m.root.Load(); r != nil {
		root = *r
	}
	return root, int(m.entries.Load()), m.bytes.Load()
}
