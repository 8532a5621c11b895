package walk

import (
	"context"
	"iter"

	"gander/internal/files/workspace"
)

// Newest is [Entries] in the order [NewestFirst], with another number of entries that are kept.
func Newest(ctx context.Context, start *workspace.Dir, o Options, most int) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) { newestFirst(ctx, start, o, most, yield) }
}
