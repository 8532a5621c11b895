package gemini

import (
	"bytes"
	"cmp"
	"context"
	"sort"

	"gander/internal/engine/names"
	"gander/internal/engine/text"
	"gander/internal/engine/workspace"
)

// sortedEntries yields the entries of a directory in the order of the answer: directories first, then as en-US collates
// their names, then by the bytes of their names. It keeps no more entries than an answer can hold. If the answer has no
// limit, it keeps no more than a [names.TopK] does and reads the directory again for the rest.
//
// ASCII names, which are nearly all, are sorted apart from the others, because their sort keys do not compare.
type sortedEntries struct {
	ctx             context.Context
	collator        *text.Collator
	read            readFunc
	ascii, nonASCII partition
}

// A readFunc passes the entries of a directory to add until add returns false. The kind is the one to show.
type readFunc func(add func(name []byte, kind workspace.EntryKind) bool) error

// A partition is the entries whose names are ASCII, or those whose names are not.
type partition struct {
	query names.Query
	top   names.TopK
	list  names.List
	next  int // index of the next entry in list
}

// sortEntries reads entries for an answer of at most limit bytes; 0 means no limit. The memory may be nil.
func sortEntries(ctx context.Context, limit int, memory *names.Memory, read readFunc) (*sortedEntries, error) {
	s := &sortedEntries{ctx: ctx, collator: text.NewCollator(), read: read}
	for _, p := range s.partitions() {
		p.query = names.Query{MaxBytes: limit, Memory: memory, Order: names.Order{
			Class: names.DirectoriesFirst,
			Ranks: s.collator.Ranks(),
			Key:   s.collator.AppendKey,
		}}
		p.top.Reset(ctx, p.query, names.List{})
	}
	return s, read(func(name []byte, kind workspace.EntryKind) bool { return s.partition(name).top.Add(name, kind) })
}

func (s *sortedEntries) partitions() [2]*partition { return [...]*partition{&s.ascii, &s.nonASCII} }

// partition returns the partition that a name belongs to.
func (s *sortedEntries) partition(name []byte) *partition {
	if text.ASCII(name) {
		return &s.ascii
	}
	return &s.nonASCII
}

// textBytes returns the size of the names, with a line feed for each.
func (s *sortedEntries) textBytes() int { return s.ascii.top.NameBytes() + s.nonASCII.top.NameBytes() }

// each yields the entries in order until yield returns false. It can be called once.
func (s *sortedEntries) each(yield func(name []byte, directory bool) bool) error {
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

// yield yields the entries of a partition up to index end. It reports whether the caller wants more.
func (s *sortedEntries) yield(p *partition, end int, yield func(name []byte, directory bool) bool) (more bool, err error) {
	for ; p.next < end; p.next++ {
		if p.next%256 == 0 && s.ctx.Err() != nil {
			return false, s.ctx.Err()
		}
		e := p.list.At(p.next)
		if !yield(e.Name, e.Kind == workspace.Directory) {
			return false, nil
		}
	}
	return true, nil
}

// nonASCIIPrecedes reports whether the next entry whose name is not ASCII precedes the ASCII entry with index i.
func (s *sortedEntries) nonASCIIPrecedes(i int) bool {
	a, b := s.nonASCII.list.At(s.nonASCII.next), s.ascii.list.At(i)
	return cmp.Or(
		cmp.Compare(names.DirectoriesFirst(a.Kind), names.DirectoriesFirst(b.Kind)),
		s.collator.Compare(a.Name, b.Name),
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
func (s *sortedEntries) refill(p *partition) error {
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

// search returns the first index from next on for which follows holds, which must then hold for all later ones. It searches
// nearby first, because entries of the two partitions alternate if both are large.
func (p *partition) search(follows func(i int) bool) int {
	step := 1
	for p.next+step <= p.list.Len() && !follows(p.next+step-1) {
		step *= 2
	}
	from := p.next + step/2
	return from + sort.Search(min(p.next+step-1, p.list.Len())-from, func(i int) bool { return follows(from + i) })
}
