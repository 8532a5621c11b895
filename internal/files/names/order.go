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
	// Class returns the class of a kind. Entries of a smaller class come first. If nil, all entries
	// have the same class.
	Class func(workspace.EntryKind) uint8
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
	key, _ := o.key(scratch, name)
	return key
}

// key returns the key of a name and whether that is the name. The key may share memory with name
// or with scratch.
func (o *Order) key(scratch *[]byte, name []byte) (key []byte, isName bool) {
	key, isName = name, true
	if o.Key != nil && len(name) > 0 {
		key = o.Key((*scratch)[:0], name)
		if len(key) != len(name) || &key[0] != &name[0] {
			*scratch, isName = key, false
		}
	}
	limit := maxStoredKey
	if o.MaxKey != 0 {
		limit = max(o.MaxKey, 0)
	}
	if len(key) > limit {
		return text.Cut(key, limit), false
	}
	return key, isName
}

func (o *Order) class(kind workspace.EntryKind) uint8 {
	if o.Class == nil {
		return 0
	}
	return o.Class(kind)
}

// A Bound is the position of an entry in an [Order].
type Bound struct {
	class     uint8
	key, name []byte
}

// Bound returns the position of an entry. It does not retain name.
func (o *Order) Bound(name []byte, kind workspace.EntryKind) *Bound {
	key, _ := o.key(new([]byte), name)
	return &Bound{o.class(kind), bytes.Clone(key), bytes.Clone(name)}
}

// bound returns the position of a stored entry. It does not call Key, which may depend on what the
// caller knows of the entry that it adds.
func (o *Order) bound(r record) *Bound {
	return &Bound{o.class(r.kind()), bytes.Clone(r.key()), bytes.Clone(r.name())}
}

// compare returns a negative number if the entry sorts before b, a positive number if it sorts
// after b, and 0 for the entry of b.
func (b *Bound) compare(class uint8, key, name []byte) int {
	if class != b.class {
		return int(class) - int(b.class)
	}
	if n := bytes.Compare(key, b.key); n != 0 {
		return n
	}
	return bytes.Compare(name, b.name)
}
