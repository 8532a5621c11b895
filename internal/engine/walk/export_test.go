package walk

import (
	"context"
	"iter"

	"gander/internal/engine/workspace"
)

// Newest is [Entries] in the order [NewestFirst], with another number of entries that are kept.
func Newest(ctx context.Context, start *workspace.Dir, o Options, most int) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) { newestFirst(ctx, start, o, most, yield) }
}

// ReadAhead is [Entries] in the order [PreOrder], reading ahead from the beginning.
func ReadAhead(ctx context.Context, start *workspace.Dir, o Options) iter.Seq2[Entry, error] {
	o.ReadAhead = true
	return func(yield func(Entry, error) bool) { preOrder(ctx, start, o, 0, yield) }
}
