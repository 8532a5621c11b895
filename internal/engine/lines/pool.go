package lines

import "sync"

// A Pool lends cursors the memory for their blocks and takes it back when they are closed. The zero Pool is ready. Any
// number of goroutines may use it.
type Pool struct{ blocks sync.Pool }

// take returns memory of one block, whatever it holds.
func (p *Pool) take() *[fullBlock]byte {
	if block, ok := p.blocks.Get().(*[fullBlock]byte); ok {
		return block
	}
	return new([fullBlock]byte)
}

// give takes back what take has returned.
func (p *Pool) give(block *[fullBlock]byte) { p.blocks.Put(block) }
