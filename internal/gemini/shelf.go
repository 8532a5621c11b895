package gemini

import (
	"bytes"
	"context"
	"slices"

	"gander/internal/names"
	"gander/internal/text"
	"gander/internal/workspace"
)

// A shelf holds entries in the order of the answer: directories first, then as in en-US, then by raw bytes. It keeps no
// more than an answer can hold. ASCII names, which are nearly all, are ordered by keys; the others are compared.
type shelf struct {
	ctx      context.Context
	room     int // what the names of an answer can come to, in bytes; 0: anything
	collator *text.Collator
	ascii    names.Picker
	foreign  []item
	text     int // what the foreign names come to
}

type item struct {
	name      string
	directory bool
}

// newShelf returns a shelf for an answer of so many bytes; 0 is no limit.
func newShelf(ctx context.Context, limit int) *shelf {
	s := &shelf{ctx: ctx, room: limit, collator: text.NewCollator()}
	s.ascii.Begin(ctx, names.Pick{Room: limit, Order: names.Order{
		Class: func(kind workspace.Kind) uint8 { return rank(kind == workspace.Directory) },
		Key:   s.collator.AppendKey,
	}}, names.List{})
	return s
}

// rank puts directories first.
func rank(directory bool) uint8 {
	if directory {
		return 0
	}
	return 1
}

// add puts an entry on the shelf and reports whether to go on.
func (s *shelf) add(name []byte, kind workspace.Kind) bool {
	if text.ASCII(name) {
		return s.ascii.Add(name, kind)
	}
	s.foreign = append(s.foreign, item{string(name), kind == workspace.Directory})
	if s.text += len(name) + 1; s.room > 0 && s.text > 2*s.room {
		s.drop()
	}
	return s.ctx.Err() == nil
}

// drop drops the foreign names that no answer can hold.
func (s *shelf) drop() {
	s.sort()
	s.text = 0
	for i, f := range s.foreign {
		if s.text += len(f.name) + 1; s.text > s.room {
			s.foreign = s.foreign[:i+1]
			return
		}
	}
}

func (s *shelf) sort() { slices.SortFunc(s.foreign, s.compare) }

func (s *shelf) compare(a, b item) int {
	if a.directory != b.directory {
		return int(rank(a.directory)) - int(rank(b.directory))
	}
	if n := s.collator.Compare(a.name, b.name); n != 0 {
		return n
	}
	return bytes.Compare([]byte(a.name), []byte(b.name))
}

// size is what the entries come to, in bytes, a line each.
func (s *shelf) size() int { return s.ascii.Text() + s.text }

// each yields the entries in order, the ASCII ones and the others merged.
func (s *shelf) each(yield func(name []byte, directory bool) bool) error {
	ascii, err := s.ascii.List()
	if err != nil {
		return err
	}
	s.sort()
	foreign := s.foreign
	for i := range ascii.Len() {
		if i%names.Batch == 0 {
			ascii.Fetch(i)
		}
		name, kind, _ := ascii.At(i)
		directory := kind == workspace.Directory
		for len(foreign) > 0 && s.compare(foreign[0], item{string(name), directory}) < 0 {
			if !yield([]byte(foreign[0].name), foreign[0].directory) {
				return nil
			}
			foreign = foreign[1:]
		}
		if !yield(name, directory) {
			return nil
		}
	}
	for _, f := range foreign {
		if !yield([]byte(f.name), f.directory) {
			return nil
		}
	}
	return nil
}
