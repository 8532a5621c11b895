package names

import (
	"context"

	"gander/internal/files/text"
	"gander/internal/files/workspace"
)

// Sorted yields the entries of a directory in order. It keeps at most as many as a [TopK], and
// reads the directory again for the rest.
type Sorted struct {
	ctx   context.Context
	read  ReadFunc
	query Query
	top   TopK
}

// A ReadFunc passes the entries of a directory to add until add returns false.
type ReadFunc func(add func(name []byte, kind workspace.EntryKind) bool) error

// Sort reads the entries of a directory that satisfy a query.
func Sort(ctx context.Context, q Query, read ReadFunc) (*Sorted, error) {
	s := &Sorted{ctx: ctx, read: read, query: q}
	s.top.Reset(ctx, q, List{})
	return s, read(s.top.Add)
}

// Collation returns the order by class, then by the en-US collation of the names.
func Collation(class func(workspace.EntryKind) uint8) Order {
	collator := text.NewCollator()
	return Order{Class: class, Key: func(dst, name []byte) []byte {
		return collator.AppendKey(dst, text.LossyKey(nil, name))
	}}
}

// Each yields the entries in order until yield returns false. It can be called once.
func (s *Sorted) Each(yield func(Item) bool) error {
	for {
		list, err := s.top.List()
		if err != nil {
			return err
		}
		var last Item
		for i := range list.Len() {
			if i%256 == 0 && s.ctx.Err() != nil {
				return s.ctx.Err()
			}
			if last = list.At(i); !yield(last) {
				return nil
			}
		}
		if !list.More() {
			return nil
		}
		s.query.After = s.query.Order.bound(last)
		s.top.Reset(s.ctx, s.query, list)
		if err := s.read(s.top.Add); err != nil {
			return err
		}
	}
}
