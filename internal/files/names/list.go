// Package names selects and sorts the names of one directory, or the paths of a tree: [Memory.Sort]
// keeps the smallest that satisfy a [Query], packed and within a fixed amount of memory, and yields
// them as a [Sorted]. The package reads no directory; its callers add the names and their kinds.
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
	// Key returns the key of a name: name itself, or bytes that may use the capacity of scratch, which
	// is empty. If nil, the name is the key. It is called once for each name, while that is added.
	Key func(scratch, name []byte) []byte
	// MaxKey is the maximum size of a key in bytes, at most 65,535, which zero means too, or [NoKeys].
	// Longer keys are cut at a character boundary.
	MaxKey int
}

// NoKeys is a MaxKey of an [Order] that makes all keys empty.
const NoKeys = -1

// DirectoriesFirst is a Class of an [Order] that puts directories before all other entries.
func DirectoriesFirst(kind workspace.EntryKind) uint8 {
	if kind == workspace.Directory {
		return 0
	}
	return 1
}

// KeyOf returns the key of a name and whether that is the name. The key may share memory with name
// or with scratch.
func (o *Order) KeyOf(scratch *[]byte, name []byte) (key []byte, isName bool) {
	key, isName = name, true
	if o.Key != nil && len(name) > 0 {
		key = o.Key((*scratch)[:0], name)
		if len(key) != len(name) || &key[0] != &name[0] {
			*scratch, isName = key, false
		}
	}
	if limit := o.maxKey(); len(key) > limit {
		return text.Cut(key, limit), false
	}
	return key, isName
}

// maxKey returns the maximum size of a key.
func (o *Order) maxKey() int {
	if o.MaxKey == 0 {
		return maxStoredKey
	}
	return min(max(o.MaxKey, 0), maxStoredKey)
}

func (o *Order) class(kind workspace.EntryKind) uint8 {
	if o.Class == nil {
		return 0
	}
	return o.Class(kind)
}

// A bound is the position of an entry in an [Order].
type bound struct {
	class     uint8
	key, name []byte
}

// boundOf returns the position of an item. It does not call Key, which may depend on other
// properties of the entry that the caller adds.
func (o *Order) boundOf(e Item) *bound {
	return &bound{o.class(e.Kind), bytes.Clone(e.Key), bytes.Clone(e.Name)}
}

// compare returns a negative number if the entry sorts before b, a positive number if it sorts
// after b, and 0 for the entry of b.
func (b *bound) compare(class uint8, key, name []byte) int {
	if class != b.class {
		return int(class) - int(b.class)
	}
	if n := bytes.Compare(key, b.key); n != 0 {
		return n
	}
	return bytes.Compare(name, b.name)
}

// A list is a sorted list of names.
type list struct {
	records records
	places  []uint32 // where the records are, in order
	more    bool     // the directory contains larger names
}

// An Item is an entry of a directory, as a [Sorted] yields it.
type Item struct {
	Name, Key []byte // must not be changed
	Kind      workspace.EntryKind
	Marked    bool // as [Query.Keep] reported
}

// at returns the item at index i.
func (l *list) at(i int) Item { return l.records.at(l.places[i]).item() }

// size returns the size of the memory that the list holds, including unused capacity.
func (l *list) size() int {
	n := 4 * cap(l.places)
	for _, c := range l.records.chunks[:cap(l.records.chunks)] {
		n += cap(c)
	}
	return n
}
