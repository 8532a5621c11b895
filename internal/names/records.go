package names

import "gander/internal/workspace"

// records are names with their kinds, packed: for a million of them this is a fifth of what strings would take. Each is
// found again by its place. Nothing is moved once added.
type records struct {
	chunks [][]byte // each at most chunkSize; a record lies in one
	count  int
	size   int // in bytes
}

// chunkSize bounds a chunk, so that growing never copies more than this; its bits address a byte in it.
const (
	chunkBits = 20
	chunkSize = 1 << chunkBits
)

// A record is one byte for the kind and whether the name is its own key, two for the name's length, and the name.
const (
	recordHead = 3
	ownKey     = 0x80
)

func (r *records) add(kind workspace.Kind, plain bool, name []byte) {
	last := len(r.chunks) - 1
	if last < 0 || len(r.chunks[last])+recordHead+len(name) > chunkSize {
		r.chunks = append(r.chunks, r.chunk())
		last++
	}
	head := byte(kind)
	if plain {
		head |= ownKey
	}
	c := append(r.chunks[last], head, byte(len(name)), byte(len(name)>>8))
	r.chunks[last] = append(c, name...)
	r.count++
	r.size += recordHead + len(name)
}

// chunk is the room for the next records. The first starts small, since most directories are.
func (r *records) chunk() []byte {
	if n := len(r.chunks); n < cap(r.chunks) {
		if spare := r.chunks[:n+1][n]; spare != nil {
			return spare[:0]
		}
	}
	if len(r.chunks) == 0 {
		return make([]byte, 0, 1<<10)
	}
	return make([]byte, 0, chunkSize)
}

// reset empties r and keeps its memory.
func (r *records) reset() { *r = records{chunks: r.chunks[:0]} }

// get returns the record at a place.
func (r *records) get(place uint32) (kind workspace.Kind, plain bool, name []byte) {
	c := r.chunks[place>>chunkBits][place&(chunkSize-1):]
	n := int(c[1]) | int(c[2])<<8
	return workspace.Kind(c[0] &^ ownKey), c[0]&ownKey != 0, c[recordHead : recordHead+n : recordHead+n]
}

// all yields the places of all records in the order they were added.
func (r *records) all(yield func(place uint32) bool) {
	for i, c := range r.chunks {
		for pos := 0; pos < len(c); pos += recordHead + (int(c[pos+1]) | int(c[pos+2])<<8) {
			if !yield(uint32(i)<<chunkBits | uint32(pos)) {
				return
			}
		}
	}
}
