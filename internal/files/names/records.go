package names

import "gander/internal/files/workspace"

// records stores names with their kinds and keys in chunks, in a fifth of the memory of strings. A
// record is addressed by its place and is never moved.
type records struct {
	chunks   [][]byte // a record is within one chunk
	count    int
	size     int         // of all records, in bytes
	nameSize int         // of all names, in bytes, plus one byte for each
	ranks    *[256]uint8 // of the order
}

// A place is the index of a chunk and, in chunkBits, an offset in it. Chunks start small, because most
// directories are. Each is four times as large as the one before, up to smallChunk, then up to
// chunkSize. They do not grow, so nothing is copied.
const (
	chunkBits  = 20
	chunkSize  = 1 << chunkBits
	smallChunk = 1 << 16
	firstChunk = 1 << 10
)

// A record is one byte for the kind, the form of the key and the mark, two for the length of the
// name, two for the length of a stored key, the name, and the stored key. A slice of it extends to
// the end of its chunk.
type record []byte

const (
	recordHead = 5
	markBit    = 0x20
	kindBits   = markBit - 1
	// maxStoredKey is the maximum size of a stored key.
	maxStoredKey = 1<<16 - 1
)

// add adds a record that starts with the byte head.
func (r *records) add(head byte, name []byte, k key) {
	var stored []byte
	if keyForm(head)&keyForms == keyStored {
		stored = k.bytes
	}
	size := recordHead + len(name) + len(stored)
	last := len(r.chunks) - 1
	if last < 0 || len(r.chunks[last])+size > cap(r.chunks[last]) {
		r.chunks = append(r.chunks, r.newChunk(size))
		last++
	}
	c := append(r.chunks[last], head,
		byte(len(name)), byte(len(name)>>8), byte(len(stored)), byte(len(stored)>>8))
	r.chunks[last] = append(append(c, name...), stored...)
	r.count++
	r.size += size
	r.nameSize += len(name) + 1
}

// newChunk returns an empty chunk for at least size bytes. It reuses the chunk from before the last
// reset if that is large enough.
func (r *records) newChunk(size int) []byte {
	n := len(r.chunks)
	if n < cap(r.chunks) {
		if spare := r.chunks[:n+1][n]; cap(spare) >= size {
			return spare[:0]
		}
	}
	previous := 0
	if n > 0 {
		previous = cap(r.chunks[n-1])
	}
	most := smallChunk
	if r.size >= chunkSize {
		most = chunkSize
	}
	return make([]byte, 0, max(size, firstChunk, min(4*previous, most)))
}

// reset removes all records and keeps the memory for records in the given order.
func (r *records) reset(o *Order) {
	*r = records{chunks: r.chunks[:0], ranks: o.Ranks}
}

// at returns the record at a place.
func (r *records) at(place uint32) record {
	return r.chunks[place>>chunkBits][place&(chunkSize-1):]
}

// key returns the key of a record. Its capacity includes the memory that follows it.
func (r *records) key(of record) key {
	name := of[recordHead:of.nameEnd()]
	switch of.keyForm() {
	case keyIsName:
		return key{bytes: name}
	case keyMapped:
		return key{name, r.ranks}
	default:
		return key{bytes: of[of.nameEnd():of.end()]}
	}
}

func (r record) kind() workspace.EntryKind { return workspace.EntryKind(r[0] & kindBits) }

func (r record) keyForm() keyForm { return keyForm(r[0]) & keyForms }

func (r record) marked() bool { return r[0]&markBit != 0 }

func (r record) nameEnd() int { return recordHead + (int(r[1]) | int(r[2])<<8) }

func (r record) end() int { return r.nameEnd() + (int(r[3]) | int(r[4])<<8) }

func (r record) name() []byte {
	end := r.nameEnd()
	return r[recordHead:end:end]
}
