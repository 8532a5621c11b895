// Package names keeps names of a directory: packed, in the order a dialect wants, and no more of them than can still be
// asked for. It knows no directory and no path; names and kinds are put into it.
package names

import (
	"bytes"

	"gander/internal/engine/text"
	"gander/internal/engine/workspace"
)

// An Order compares the entries of one directory: by class, then by the bytes of the key, then by those of the name.
type Order struct {
	// Class puts kinds before one another; nil makes one class of all.
	Class func(workspace.EntryKind) uint8
	// Ranks, unless nil, order a name by the ranks of its bytes, and no key is kept for it. They are different for different
	// bytes. A name with a byte of rank 0 is ordered by Key.
	Ranks *[256]uint8
	// Key returns what a name is ordered by: the name itself where nothing changes, otherwise bytes appended to scratch.
	// Nil orders by the name.
	Key func(scratch, name []byte) []byte
	// MaxKey is how many bytes of a key count; 0 counts as many as are kept of any, 65,535, a negative number none.
	MaxKey int
}

// DirectoriesFirst is a Class of an [Order] that puts directories before all other entries.
func DirectoriesFirst(kind workspace.EntryKind) uint8 {
	if kind == workspace.Directory {
		return 0
	}
	return 1
}

// KeyOf returns what a name is ordered by. It may use scratch for it.
func (o *Order) KeyOf(scratch *[]byte, name []byte) []byte {
	k, _ := o.key(scratch, name)
	return k.plain(scratch)
}

// key returns what a name is ordered by, and where it is found. It may use scratch for it.
func (o *Order) key(scratch *[]byte, name []byte) (key, form) {
	k, f := o.whole(scratch, name)
	most := mostKey
	if o.MaxKey != 0 {
		most = max(o.MaxKey, 0)
	}
	if len(k.bytes) > most {
		return key{bytes: text.Cut(k.plain(scratch), most)}, apart
	}
	return k, f
}

// whole is key, whatever its length.
func (o *Order) whole(scratch *[]byte, name []byte) (key, form) {
	if o.Ranks != nil && o.ranked(name) {
		return key{name, o.Ranks}, ranked
	}
	if o.Key != nil && len(name) > 0 {
		k := o.Key((*scratch)[:0], name)
		if len(k) != len(name) || &k[0] != &name[0] {
			*scratch = k
			return key{bytes: k}, apart
		}
	}
	return key{bytes: name}, own
}

// ranked reports whether all bytes of a name have a rank.
func (o *Order) ranked(name []byte) bool {
	for _, b := range name {
		if o.Ranks[b] == 0 {
			return false
		}
	}
	return true
}

func (o *Order) class(kind workspace.EntryKind) uint8 {
	if o.Class == nil {
		return 0
	}
	return o.Class(kind)
}

// A Bound is a name to compare others with.
type Bound struct {
	class uint8
	key   key
	name  []byte
}

// Bound returns a copy of a name to compare others with.
func (o *Order) Bound(name []byte, kind workspace.EntryKind) *Bound {
	k, _ := o.key(new([]byte), name)
	return &Bound{o.class(kind), k.clone(), bytes.Clone(name)}
}

// compare orders a name and the bar.
func (b *Bound) compare(class uint8, k key, name []byte) int {
	if class != b.class {
		return int(class) - int(b.class)
	}
	if n := compare(k, b.key); n != 0 {
		return n
	}
	return bytes.Compare(name, b.name)
}
