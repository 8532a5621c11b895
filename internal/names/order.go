// Package names keeps names of a directory: packed, in the order a dialect wants, and no more of them than can still be
// asked for. It knows no directory and no path; names and kinds are put into it.
package names

import (
	"bytes"

	"gander/internal/text"
	"gander/internal/workspace"
)

// An Order compares the entries of one directory: by class, then by the bytes of the key, then by those of the name.
type Order struct {
	// Class puts kinds before one another; nil makes one class of all.
	Class func(workspace.Kind) uint8
	// Key returns what a name is ordered by: the name itself where nothing changes, otherwise bytes appended to scratch.
	// Nil orders by the name.
	Key func(scratch, name []byte) []byte
	// Most is how many bytes of a key count; 0 counts all, a negative number none.
	Most int
}

// KeyOf returns what a name is ordered by, and whether that is the name. It may use scratch for it.
func (o *Order) KeyOf(scratch *[]byte, name []byte) (key []byte, plain bool) {
	key, plain = name, true
	if o.Key != nil && len(name) > 0 {
		key = o.Key((*scratch)[:0], name)
		if plain = len(key) == len(name) && &key[0] == &name[0]; !plain {
			*scratch = key
		}
	}
	if o.Most != 0 && len(key) > max(o.Most, 0) {
		return text.Cut(key, max(o.Most, 0)), false
	}
	return key, plain
}

func (o *Order) class(kind workspace.Kind) uint8 {
	if o.Class == nil {
		return 0
	}
	return o.Class(kind)
}

// A Bar is a name to compare others with.
type Bar struct {
	class uint8
	key   []byte
	name  []byte
}

// Bar returns a copy of a name to compare others with.
func (o *Order) Bar(name []byte, kind workspace.Kind) *Bar {
	key, _ := o.KeyOf(new([]byte), name)
	return &Bar{o.class(kind), bytes.Clone(key), bytes.Clone(name)}
}

// compare orders a name and the bar.
func (b *Bar) compare(class uint8, key, name []byte) int {
	if class != b.class {
		return int(class) - int(b.class)
	}
	if n := bytes.Compare(key, b.key); n != 0 {
		return n
	}
	return bytes.Compare(name, b.name)
}
