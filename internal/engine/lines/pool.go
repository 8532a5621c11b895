package lines

import "sync"

// A Pool holds memory for cursors, which take it when they first read and return it when they are closed. The zero value is
// an empty Pool. A Pool is safe for concurrent use.
type Pool struct{ blocks sync.Pool }

// get returns a block with arbitrary content.
func (p *Pool) get() *[fullBlock]byte {
	if block, ok := p.blocks.Get().(*[fullBlock]byte); ok {
		return block
	}
	return new([fullBlock]byte)
}

// put returns a block to the pool.
func (p *Pool) put(block *[fullBlock]byte) { p.blocks.Put(block) }
