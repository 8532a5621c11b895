package names

import "gander/internal/engine/workspace"

// records are names with their kinds, packed: for a million of them this is a fifth of what strings would take. Each is
// found again by its place. Nothing is moved once added.
type records struct {
	chunks [][]byte // each at most chunkSize; a record lies in one
	count  int
	size   int         // in bytes
	text   int         // bytes of the names, each with an end
	ranks  *[256]uint8 // of the order
	first  key
	shared int // how many bytes all keys begin with, the first of which is first
}

// chunkSize bounds a chunk; its bits address a byte in it. The first chunk is small, since most directories are, and each
// one after it four times as large: none ever grows, which would copy it.
const (
	chunkBits  = 20
	chunkSize  = 1 << chunkBits
	firstChunk = 1 << 10
)

// Each is one byte for the kind and the form of the key, two for the length of the name and two for that of a key beside it,
// the name, and that key.
const recordHead = 5

// mostKey is the longest key that has a record. A name of four thousand bytes, which FUSE allows, can have a longer one.
const mostKey = 1<<16 - 1

func (r *records) add(head byte, name []byte, k key) {
	r.share(k)
	var beside []byte
	if form(head)&forms == apart {
		beside = k.bytes
	}
	size := recordHead + len(name) + len(beside)
	last := len(r.chunks) - 1
	if last < 0 || len(r.chunks[last])+size > cap(r.chunks[last]) {
		r.chunks = append(r.chunks, r.chunk(size))
		last++
	}
	c := append(r.chunks[last], head, byte(len(name)), byte(len(name)>>8), byte(len(beside)), byte(len(beside)>>8))
	r.chunks[last] = append(append(c, name...), beside...)
	r.count++
	r.size += size
	r.text += len(name) + 1
}

// share shortens what all keys begin with to what this one does too.
func (r *records) share(k key) {
	if r.count == 0 {
		r.first, r.shared = key{append(r.first.bytes[:0], k.bytes...), k.ranks}, len(k.bytes)
		return
	}
	r.shared = common(k, r.first.first(r.shared))
}

// chunk is the room for the next records, the first of which has so many bytes.
func (r *records) chunk(size int) []byte {
	n := len(r.chunks)
	if n < cap(r.chunks) {
		if spare := r.chunks[:n+1][n]; cap(spare) >= size {
			return spare[:0]
		}
	}
	last := 0
	if n > 0 {
		last = cap(r.chunks[n-1])
	}
	return make([]byte, 0, max(size, firstChunk, min(4*last, chunkSize)))
}

// reset empties r for names of an order, and keeps its memory.
func (r *records) reset(o *Order) { *r = records{chunks: r.chunks[:0], first: r.first, ranks: o.Ranks} }

// key returns what a record is ordered by. Its bytes can be extended to what follows them.
func (r *records) key(of record) key {
	name := of[recordHead:of.nameEnd()]
	switch of.form() {
	case own:
		return key{bytes: name}
	case ranked:
		return key{name, r.ranks}
	default:
		return key{bytes: of[of.nameEnd():of.end()]}
	}
}

// at returns the record at a place.
func (r *records) at(place uint32) record {
	return r.chunks[place>>chunkBits][place&(chunkSize-1):]
}

// A record is a name as it was added, and whatever memory follows it.
type record []byte

func (r record) kind() workspace.EntryKind {
	return workspace.EntryKind(r[0] &^ (byte(forms) | marked))
}

func (r record) marked() bool { return r[0]&marked != 0 }

// form is where its key is found.
func (r record) form() form { return form(r[0]) & forms }

// nameEnd is where the name ends.
func (r record) nameEnd() int { return recordHead + (int(r[1]) | int(r[2])<<8) }

// end is where the record does.
func (r record) end() int { return r.nameEnd() + (int(r[3]) | int(r[4])<<8) }

func (r record) name() []byte {
	end := r.nameEnd()
	return r[recordHead:end:end]
}
