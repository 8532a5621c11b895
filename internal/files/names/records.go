package names

import "gander/internal/files/workspace"

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
