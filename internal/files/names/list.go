// Package names selects and sorts the names of one directory, or the paths of a tree: [Memory.Sort]
// keeps the smallest that satisfy a [Query], packed and within a fixed amount of memory, and yields
// them as a [Sorted]. The package reads no directory; its callers add the names and their kinds.
package names

import (
	"bytes"
	"cmp"

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
	limit := min(max(cmp.Or(o.MaxKey, maxStoredKey), 0), maxStoredKey)
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
	n := placeSize * cap(l.places)
	for _, c := range l.records.chunks[:cap(l.records.chunks)] {
		n += cap(c)
	}
	return n
}

// records stores names with their kinds and keys in chunks, in a fifth of the memory of strings. A
// record is addressed by its place and is never moved.
type records struct {
	chunks   [][]byte // a record is within one chunk
	count    int
	size     int // the size of all records in bytes
	nameSize int // the size of all names in bytes, and one byte more for each
}

// A place is the index of a chunk and, in chunkBits, an offset in it. Chunks start small, because
// most directories are. They do not grow, so nothing is copied.
const (
	chunkBits  = 20
	chunkSize  = 1 << chunkBits
	firstChunk = 1 << 10
)

// A record is one byte for the kind and the flags, two for the length of the name, two for the
// length of a stored key, the name, and the stored key. A slice of it extends to the end of its
// chunk.
type record []byte

const (
	recordHead = 5
	// keyIsName is the flag of records without a stored key, whose name is the key.
	keyIsName = 0x80
	// removedBit is the flag of records that compact removes.
	removedBit = 0x40
	markBit    = 0x20
	kindBits   = markBit - 1
	// maxStoredKey is the maximum size of a stored key.
	maxStoredKey = 1<<16 - 1
)

// add adds a record that starts with the byte head.
func (r *records) add(head byte, name, key []byte) {
	if head&keyIsName != 0 {
		key = nil
	}
	size := recordHead + len(name) + len(key)
	last := len(r.chunks) - 1
	if last < 0 || len(r.chunks[last])+size > cap(r.chunks[last]) {
		r.chunks = append(r.chunks, r.newChunk(size))
		last++
	}
	c := append(r.chunks[last], head,
		byte(len(name)), byte(len(name)>>8), byte(len(key)), byte(len(key)>>8))
	r.chunks[last] = append(append(c, name...), key...)
	r.count++
	r.size += size
	r.nameSize += len(name) + 1
}

// newChunk returns an empty chunk for at least size bytes. It reuses the chunk from before compact
// if that is large enough.
func (r *records) newChunk(size int) []byte {
	n := len(r.chunks)
	if n < cap(r.chunks) {
		if spare := r.chunks[:n+1][n]; cap(spare) >= size {
			return spare[:0]
		}
	}
	return make([]byte, 0, max(size, firstChunk, min(r.size, chunkSize)))
}

// compact removes records with removedBit. The others move toward the first chunk in the same
// memory: none moves beyond its old place, since a chunk is replaced only by a larger one.
func (r *records) compact() {
	chunks := r.chunks
	*r = records{chunks: r.chunks[:0]}
	for _, c := range chunks {
		for at := 0; at < len(c); {
			next := record(c[at:])
			at += next.end()
			if next[0]&removedBit == 0 {
				r.add(next[0], next.name(), next.key())
			}
		}
	}
}

// at returns the record at a place.
func (r *records) at(place uint32) record {
	return r.chunks[place>>chunkBits][place&(chunkSize-1):]
}

func (r record) item() Item { return Item{r.name(), r.key(), r.kind(), r[0]&markBit != 0} }

func (r record) kind() workspace.EntryKind { return workspace.EntryKind(r[0] & kindBits) }

func (r record) nameEnd() int { return recordHead + (int(r[1]) | int(r[2])<<8) }

func (r record) end() int { return r.nameEnd() + (int(r[3]) | int(r[4])<<8) }

func (r record) name() []byte { return r[recordHead:r.nameEnd():r.nameEnd()] }

func (r record) key() []byte {
	if r[0]&keyIsName != 0 {
		return r.name()
	}
	return r[r.nameEnd():r.end()]
}
