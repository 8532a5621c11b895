package walk

import (
	"context"
	"iter"

	"gander/internal/files/workspace"
)

// Newest is like [Entries] in the order [NewestFirst], but keeps at most most entries.
func Newest(
	ctx context.Context, start *workspace.Dir, o Options, most int,
) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) { newestFirst(ctx, start, o, most, yield) }
}
