package names

import (
	"context"

	"gander/internal/files/text"
	"gander/internal/files/workspace"
)

// Collated yields the entries of a directory by class, then by the en-US collation of their names,
// then by the bytes of their names. It keeps at most as many entries as a result can hold. Without
// a limit, it keeps as many as a [TopK], and reads the directory again for the rest.
type Collated struct {
	ctx   context.Context
	read  ReadFunc
	query Query
	top   TopK
}

// A ReadFunc passes the entries of a directory to add until add returns false.
type ReadFunc func(add func(name []byte, kind workspace.EntryKind) bool) error

// Collate reads the entries of a directory. See [Order] about class and [Query] about maxBytes and
// memory.
func Collate(
	ctx context.Context, class func(workspace.EntryKind) uint8, maxBytes int, memory *Memory,
	read ReadFunc,
) (*Collated, error) {
	collator := text.NewCollator()
	key := func(dst, name []byte) []byte { return collator.AppendKey(dst, text.LossyKey(nil, name)) }
	c := &Collated{ctx: ctx, read: read, query: Query{
		Order: Order{Class: class, Key: key}, MaxBytes: maxBytes, Memory: memory,
	}}
	c.top.Reset(ctx, c.query, List{})
	return c, read(c.top.Add)
}

// NameBytes returns the total size of the kept names in bytes, plus one byte each.
func (c *Collated) NameBytes() int { return c.top.NameBytes() }

// Each yields the entries in order until yield returns false. It can be called once.
func (c *Collated) Each(yield func(Item) bool) error {
	for {
		list, err := c.top.List()
		if err != nil {
			return err
		}
		for i := range list.Len() {
			if i%256 == 0 && c.ctx.Err() != nil {
				return c.ctx.Err()
			}
			if !yield(list.At(i)) {
				return nil
			}
		}
		if !list.More() {
			return nil
		}
		last := list.At(list.Len() - 1)
		c.query.After = c.query.Order.Bound(last.Name, last.Kind)
		c.top.Reset(c.ctx, c.query, list)
		if err := c.read(c.top.Add); err != nil {
			return err
		}
	}
}
