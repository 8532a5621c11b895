package read

import (
	"cmp"
	"fmt"

	"gander/internal/native/block"
	"gander/internal/native/wording"
)

// blockAround returns a block around a line, or some lines if there is none. The error is io.EOF if
// the file has no such line.
func (x *requestedFile) blockAround(line int) (p passage, err error) {
	if line < 0 {
		line, err = x.fromStart(line)
		if err != nil {
			return p, err
		}
	}
	limit := min(cmp.Or(x.selected.limit, block.MaxLines), block.LargestLines,
		max(x.budget.Minimum()/2, 1))
	p.first = max(1, line-limit/4)
	p.last = p.first + limit - 1
	if x.blocks == block.ByHeading && x.size > countedBytes {
		p.noBlock = fmt.Sprintf("blocks are not looked for in Markdown of more than %s bytes",
			wording.Grouped(countedBytes))
		return p, x.cursor.Seek(x.ctx, line)
	}
	first, last, ok, err := block.Source{Cursor: x.cursor, Form: x.blocks}.Around(x.ctx, line, limit)
	if err != nil {
		return p, err
	}
	if !ok {
		p.noBlock = fmt.Sprintf("no block of at most %s is around line %s",
			wording.Counted(limit, "line"), wording.Grouped(line))
		return p, nil
	}
	p.lineRange = lineRange{first: first, last: last}
	p.block = line
	return p, nil
}
