package read

import (
	"cmp"
	"context"
	"fmt"

	"gander/internal/native/block"
	"gander/internal/native/wording"
)

// blockAround returns a block around a line, or some lines if there is none. The error is io.EOF if
// the file has no such line.
func (x *requestedFile) blockAround(ctx context.Context, line int) (p passage, err error) {
	if line < 0 {
		line, err = x.fromStart(ctx, line)
		if err != nil {
			return p, err
		}
	}
	limit := min(cmp.Or(x.selected.limit, block.MaxLines), block.LargestLines,
		max(x.budget.Minimum()/2, 1))
	p.first = max(1, line-limit/4)
	p.last = p.first + limit - 1
	if x.blocks.IsMarkdown() && x.outline == nil && x.size > countedBytes {
		p.noBlock = fmt.Sprintf("blocks are not looked for in Markdown of more than %s bytes",
			wording.Grouped(countedBytes))
		return p, x.cursor.Seek(ctx, line)
	}
	around, ok, err := block.Source{Cursor: x.cursor, Language: x.blocks}.Around(ctx, line, limit)
	if err != nil {
		return p, err
	}
	if !ok {
		p.noBlock = fmt.Sprintf("no block of at most %s is around line %s",
			wording.Counted(limit, "line"), wording.Grouped(line))
		return p, nil
	}
	p.block = line
	if around.Lines() <= limit {
		p.lineRange = lineRange{first: around.First, last: around.Last}
		return p, nil
	}
	p.whole, p.noun = around, "function"
	if x.blocks.IsMarkdown() {
		p.noun = "section"
	}
	p.first = max(around.First, p.first)
	p.last = min(around.Last, p.first+limit-1)
	p.first = max(around.First, p.last-limit+1)
	return p, nil
}
