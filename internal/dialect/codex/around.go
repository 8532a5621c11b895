package codex

import (
	"context"
	"io"

	"gander/internal/engine/lines"
)

// Around returns the numbers of the first and the last line of the block around a line that indentation mode finds without
// siblings and headers. It takes at most limit lines, and levels is max_levels. The error is io.EOF if the file has no such
// line.
func Around(ctx context.Context, file io.ReaderAt, line, levels, limit int) (first, last int, err error) {
	r := &blockRequest{anchor: line, levels: levels, limit: limit}
	b := newBlock(r, file, lines.Options{Keep: keptBytes})
	defer b.close()
	taken, err := b.grow(ctx, limit)
	if err != nil {
		return 0, 0, err
	}
	if len(taken) == 0 { // blank lines alone
		return line, line, nil
	}
	return taken[0].number, taken[len(taken)-1].number, nil
}
