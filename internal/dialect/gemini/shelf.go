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

// A shelf holds entries in the order of the answer: directories first, then as in en-US, then by raw bytes. It keeps no
// more than an answer can hold, and of an answer without a limit no more than a [names.TopK] does at once: for the rest
// the directory is read again. ASCII names, which are nearly all, and the others are rows of their own, for their keys do
// not compare.
type shelf struct {
	ctx            context.Context
	collator       *text.Collator
	read           reader
	ascii, foreign row
}

// A reader shows add the entries of a directory, as what they are shown, until it has enough.
type reader func(add func(name []byte, shown workspace.EntryKind) bool) error

type row struct {
	pick   names.Query
	picker names.TopK
	list   names.List
	at     int // which of the list is next
}

// newShelf returns a shelf with what a directory has for an answer of so many bytes; 0 is no limit.
func newShelf(ctx context.Context, limit int, read reader) (*shelf, error) {
	s := &shelf{ctx: ctx, collator: text.NewCollator(), read: read}
	for _, r := range s.rows() {
		r.pick = names.Query{MaxBytes: limit, Order: names.Order{
			Class: rank,
			Ranks: s.collator.Ranks(),
			Key:   s.collator.AppendKey,
		}}
		r.picker.Reset(ctx, r.pick, names.List{})
	}
	return s, read(func(name []byte, kind workspace.EntryKind) bool { return s.row(name).picker.Add(name, kind) })
}

func (s *shelf) rows() [2]*row { return [...]*row{&s.ascii, &s.foreign} }

// rank puts directories first.
func rank(kind workspace.EntryKind) uint8 {
	if kind == workspace.Directory {
		return 0
	}
	return 1
}

// row is where a name belongs.
func (s *shelf) row(name []byte) *row {
	if text.ASCII(name) {
		return &s.ascii
	}
	return &s.foreign
}

// size is what the entries come to, in bytes, a line each.
func (s *shelf) size() int { return s.ascii.picker.TextBytes() + s.foreign.picker.TextBytes() }

// each yields the entries in order, both rows merged. It is asked once.
func (s *shelf) each(yield func(name []byte, directory bool) bool) error {
	for _, r := range s.rows() {
		if err := r.next(); err != nil {
			return err
		}
	}
	for {
		for _, r := range s.rows() {
			if err := s.refill(r); err != nil {
				return err
			}
		}
		end, foreign := s.ascii.list.Len(), s.foreign.at < s.foreign.list.Len()
		if foreign {
			end = s.ascii.until(s.precedes)
		}
		goOn, err := s.yield(&s.ascii, end, yield)
		if goOn && !s.ascii.usedUp() {
			if !foreign {
				return nil
			}
			goOn, err = s.yield(&s.foreign, s.foreign.at+1, yield)
		}
		if !goOn {
			return err
		}
	}
}

// yield yields what a row has up to a place, and reports whether to go on. After an error it is not.
func (s *shelf) yield(r *row, end int, yield func(name []byte, directory bool) bool) (goOn bool, err error) {
	for ; r.at < end; r.at++ {
		if r.at%names.Batch == 0 {
			if s.ctx.Err() != nil {
				return false, s.ctx.Err()
			}
			r.list.Prefetch(r.at)
		}
		e := r.list.At(r.at)
		if !yield(e.Name, e.Kind == workspace.Directory) {
			return false, nil
		}
	}
	return true, nil
}

// precedes reports whether the next foreign entry comes before an ASCII one.
func (s *shelf) precedes(i int) bool {
	a, b := s.foreign.list.At(s.foreign.at), s.ascii.list.At(i)
	return cmp.Or(
		cmp.Compare(rank(a.Kind), rank(b.Kind)),
		s.collator.Compare(string(a.Name), string(b.Name)),
		bytes.Compare(a.Name, b.Name),
	) < 0
}

// next takes the list that the picker has made.
func (r *row) next() (err error) {
	r.list, err = r.picker.List()
	r.at = 0
	return err
}

// usedUp reports whether the list is, and others follow it.
func (r *row) usedUp() bool { return r.at == r.list.Len() && r.list.More() }

// refill reads the directory again for what follows the list of a row that is used up.
func (s *shelf) refill(r *row) error {
	if !r.usedUp() {
		return nil
	}
	last := r.list.At(r.at - 1)
	r.pick.After = r.pick.Order.Bound(last.Name, last.Kind)
	r.picker.Reset(s.ctx, r.pick, r.list)
	err := s.read(func(name []byte, kind workspace.EntryKind) bool { return s.row(name) != r || r.picker.Add(name, kind) })
	if err != nil {
		return err
	}
	return r.next()
}

// until is the first place from the next on for which past holds, and for all after it. It is looked for near by first:
// where both rows are long they take turns.
func (r *row) until(past func(i int) bool) int {
	step := 1
	for r.at+step <= r.list.Len() && !past(r.at+step-1) {
		step *= 2
	}
	from := r.at + step/2
	return from + sort.Search(min(r.at+step-1, r.list.Len())-from, func(i int) bool { return past(from + i) })
}
