// Package names selects and sorts the names of one directory: [TopK] keeps the smallest names that
// satisfy a [Query], packed and within a fixed amount of memory, and returns them as a [List]. The
// package reads no directory; its callers add the names and their kinds.
package names

import (
	"bytes"

	"gander/internal/files/text"
	"gander/internal/files/workspace"
)

// An Order compares entries of one directory: by class, then by key, then by name.
type Order struct {
	// Class returns the class of a kind. Entries of a smaller class come first. If nil, all entries have
	// the same class.
	Class func(workspace.EntryKind) uint8
	// Ranks, if not nil, maps each byte of a name to a byte of its key, which then takes no memory.
	// Ranks other than 0 are distinct. A name with a byte of rank 0 has the key that Key returns.
	Ranks *[256]uint8
	// Key returns the key of a name: name itself, or bytes appended to scratch. If nil, the name is
	// the key.
	Key func(scratch, name []byte) []byte
	// MaxKey is the maximum size of a key in bytes. Longer keys are cut at a character boundary. Zero
	// means 65,535, the maximum for stored keys; a negative number makes all keys empty.
	MaxKey int
}

// DirectoriesFirst is a Class of an [Order] that puts directories before all other entries.
func DirectoriesFirst(kind workspace.EntryKind) uint8 {
	if kind == workspace.Directory {
		return 0
	}
	return 1
}

// KeyOf returns the key of a name, which may share memory with name or with scratch.
func (o *Order) KeyOf(scratch *[]byte, name []byte) []byte {
	k, _ := o.key(scratch, name)
	return k.mapped(scratch)
}

// key returns the key of a name and its form. The key may share memory with name or with scratch.
func (o *Order) key(scratch *[]byte, name []byte) (key, keyForm) {
	k, form := o.uncutKey(scratch, name)
	limit := maxStoredKey
	if o.MaxKey != 0 {
		limit = max(o.MaxKey, 0)
	}
	if len(k.bytes) > limit {
		return key{bytes: text.Cut(k.mapped(scratch), limit)}, keyStored
	}
	return k, form
}

func (o *Order) uncutKey(scratch *[]byte, name []byte) (key, keyForm) {
	if o.Ranks != nil && o.hasRanks(name) {
		return key{name, o.Ranks}, keyMapped
	}
	if o.Key != nil && len(name) > 0 {
		k := o.Key((*scratch)[:0], name)
		if len(k) != len(name) || &k[0] != &name[0] {
			*scratch = k
			return key{bytes: k}, keyStored
		}
	}
	return key{bytes: name}, keyIsName
}

// hasRanks reports whether every byte of name has a rank.
func (o *Order) hasRanks(name []byte) bool {
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

// A Bound is the position of an entry in an [Order].
type Bound struct {
	class uint8
	key   key
	name  []byte
}

// Bound returns the position of an entry. It does not retain name.
func (o *Order) Bound(name []byte, kind workspace.EntryKind) *Bound {
	k, _ := o.key(new([]byte), name)
	return &Bound{o.class(kind), k.clone(), bytes.Clone(name)}
}

// compare returns a negative number if the entry sorts before b, a positive number if it sorts after b,
// and 0 for the entry of b.
func (b *Bound) compare(class uint8, k key, name []byte) int {
	if class != b.class {
		return int(class) - int(b.class)
	}
	if n := compareKeys(k, b.key); n != 0 {
		return n
	}
	return bytes.Compare(name, b.name)
}
