package documents

import (
	"bytes"
	"cmp"
	"slices"
)

// A Position is where something is on a page, in any unit.
type Position struct{ Top, Left, Height int }

// A block is a part of a page.
type block struct {
	at    Position
	lines []byte // each with its line feed
}

// maxBlockBytes is the maximum size of the blocks of a page in memory.
const maxBlockBytes = 1 << 20

// StartBlocks begins a page whose blocks are written in reading order: from the top, and those
// beside each other from the left. Lines before the first block come first.
func (w *Writer) StartBlocks() {
	w.blocks = []block{{}}
	w.blockBytes = 0
}

// Block begins a block.
func (w *Writer) Block(at Position) {
	w.End()
	if w.blocks != nil {
		w.blocks = append(w.blocks, block{at: at})
		w.countBlock(64) // the size of a block without lines
	}
}

// countBlock counts bytes of the current block. Once there are too many, the order is that of the
// file.
func (w *Writer) countBlock(n int) {
	w.blockBytes += n
	if w.blockBytes > maxBlockBytes {
		w.EndBlocks()
		w.write(Line{Text: []byte("(from here on, the order of the texts is that of the file)")})
	}
}

// EndBlocks ends the page.
func (w *Writer) EndBlocks() {
	blocks := w.blocks
	w.blocks = nil
	for _, b := range inReadingOrder(blocks) {
		for line := range bytes.Lines(b.lines) {
			w.write(Line{Text: bytes.TrimSuffix(line, []byte{'\n'})})
		}
	}
}

// inReadingOrder returns blocks in reading order. Blocks are beside each other if one begins in the
// upper half of the other.
func inReadingOrder(blocks []block) []block {
	if len(blocks) == 0 {
		return nil
	}
	sorted := blocks[1:] // after what has no place
	slices.SortStableFunc(sorted, func(a, b block) int { return cmp.Compare(a.at.Top, b.at.Top) })
	for from := 0; from < len(sorted); {
		middle := sorted[from].at.Top + sorted[from].at.Height/2
		to := from + 1
		for to < len(sorted) && sorted[to].at.Top <= middle {
			to++
		}
		slices.SortStableFunc(sorted[from:to], func(a, b block) int {
			return cmp.Compare(a.at.Left, b.at.Left)
		})
		from = to
	}
	return blocks
}
