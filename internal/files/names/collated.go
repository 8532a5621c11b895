package names

import (
	"bytes"
	"cmp"
	"context"
	"sort"

	"gander/internal/files/text"
	"gander/internal/files/workspace"
)

// Collated yields the entries of a directory: directories first, then by the en-US collation of their
// names, then by the bytes of their names. It keeps at most as many entries as a result can hold.
// Without a limit, it keeps as many as a [TopK] and reads the directory again for the rest.
//
// ASCII names are sorted separately, because their keys are not comparable with others.
type Collated struct {
	ctx             context.Context
	collator        *text.Collator
	read            ReadFunc
	ascii, nonASCII partition
}

// A ReadFunc passes the entries of a directory to add until add returns false.
type ReadFunc func(add func(name []byte, kind workspace.EntryKind) bool) error

// A partition is the entries whose names are ASCII, or those whose names are not.
type partition struct {
	query Query
	top   TopK
	list  List
	next  int // index of the next entry in list
}

// Collate reads the entries of a directory. See [Order] about class and [Query] about maxBytes and
// memory.
func Collate(
	ctx context.Context, class func(workspace.EntryKind) uint8, maxBytes int, memory *Memory, read ReadFunc,
) (*Collated, error) {
	s := &Collated{ctx: ctx, collator: text.NewCollator(), read: read}
	for _, p := range s.partitions() {
		order := Order{Class: class, Ranks: s.collator.Ranks(), Key: s.appendKey}
		p.query = Query{MaxBytes: maxBytes, Memory: memory, Order: order}
		p.top.Reset(ctx, p.query, List{})
	}
	return s, read(func(name []byte, kind workspace.EntryKind) bool {
		return s.partition(name).top.Add(name, kind)
	})
}

// appendKey appends the key of a name to dst.
func (s *Collated) appendKey(dst, name []byte) []byte {
	return s.collator.AppendKey(dst, text.LossyKey(nil, name))
}

func (s *Collated) partitions() [2]*partition { return [...]*partition{&s.ascii, &s.nonASCII} }

// partition returns the partition that a name belongs to.
func (s *Collated) partition(name []byte) *partition {
	if text.ASCII(name) {
		return &s.ascii
	}
	return &s.nonASCII
}

// NameBytes returns the total size of the kept names in bytes, plus one byte each.
func (s *Collated) NameBytes() int { return s.ascii.top.NameBytes() + s.nonASCII.top.NameBytes() }

// Each yields the entries in order until yield returns false. It can be called once.
func (s *Collated) Each(yield func(Item) bool) error {
	for _, p := range s.partitions() {
		if err := p.takeList(); err != nil {
			return err
		}
	}
	for {
		for _, p := range s.partitions() {
			if err := s.refill(p); err != nil {
				return err
			}
		}
		end, others := s.ascii.list.Len(), s.nonASCII.next < s.nonASCII.list.Len()
		if others {
			end = s.ascii.search(s.nonASCIIPrecedes)
		}
		more, err := s.yield(&s.ascii, end, yield)
		if more && !s.ascii.needsRefill() {
			if !others {
				return nil
			}
			more, err = s.yield(&s.nonASCII, s.nonASCII.next+1, yield)
		}
		if !more {
			return err
		}
	}
}

// yield yields the entries of a partition up to index end. It reports whether the caller wants
// more.
func (s *Collated) yield(p *partition, end int, yield func(Item) bool) (more bool, err error) {
	for ; p.next < end; p.next++ {
		if p.next%256 == 0 && s.ctx.Err() != nil {
			return false, s.ctx.Err()
		}
		if !yield(p.list.At(p.next)) {
			return false, nil
		}
	}
	return true, nil
}

// nonASCIIPrecedes reports whether the next entry whose name is not ASCII precedes the ASCII entry
// with index i.
func (s *Collated) nonASCIIPrecedes(i int) bool {
	a, b := s.nonASCII.list.At(s.nonASCII.next), s.ascii.list.At(i)
	return cmp.Or(
		cmp.Compare(s.ascii.query.Order.class(a.Kind), s.ascii.query.Order.class(b.Kind)),
		s.collator.Compare(text.LossyKey(nil, a.Name), text.LossyKey(nil, b.Name)),
		bytes.Compare(a.Name, b.Name),
	) < 0
}

// takeList takes the list of the entries that were added.
func (p *partition) takeList() (err error) {
	p.list, err = p.top.List()
	p.next = 0
	return err
}

// needsRefill reports whether all entries of the list were yielded and the directory has more.
func (p *partition) needsRefill() bool { return p.next == p.list.Len() && p.list.More() }

// refill reads the directory again if the partition needs it, for the entries that follow its list.
func (s *Collated) refill(p *partition) error {
	if !p.needsRefill() {
		return nil
	}
	last := p.list.At(p.next - 1)
	p.query.After = p.query.Order.Bound(last.Name, last.Kind)
	p.top.Reset(s.ctx, p.query, p.list)
	err := s.read(func(name []byte, kind workspace.EntryKind) bool {
		return s.partition(name) != p || p.top.Add(name, kind)
	})
	if err != nil {
		return err
	}
	return p.takeList()
}

// search returns the first index from next on for which follows reports true; it must then do so for
// all later ones. It searches nearby first, because large partitions alternate.
func (p *partition) search(follows func(i int) bool) int {
	step := 1
	for p.next+step <= p.list.Len() && !follows(p.next+step-1) {
		step *= 2
	}
	from := p.next + step/2
	return from + sort.Search(min(p.next+step-1, p.list.Len())-from, func(i int) bool { return follows(from + i) })
}
