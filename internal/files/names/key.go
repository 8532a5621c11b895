package names

import (
	"bytes"
	"cmp"
	"encoding/binary"
)

// A key is the byte string that a name is ordered by. With ranks set, each byte of the key is the
// rank of the byte stored.
type key struct {
	bytes []byte
	ranks *[256]uint8 // nil if bytes is the key itself
}

// A keyForm is the location of the key of a recorded name, in two bits of the first byte of a record.
type keyForm uint8

const (
	keyStored keyForm = 0    // after the name, in the same record
	keyIsName keyForm = 0x80 // the name is the key
	keyMapped keyForm = 0x40 // the ranks of the name's bytes are the key

	keyForms = keyIsName | keyMapped
)

// at returns the byte at index i of the key.
func (k key) at(i int) byte {
	if k.ranks != nil {
		return k.ranks[k.bytes[i]]
	}
	return k.bytes[i]
}

func (k key) clone() key { return key{bytes.Clone(k.bytes), k.ranks} }

// first returns the first n bytes of the key.
func (k key) first(n int) key { return key{k.bytes[:n], k.ranks} }

// mapped returns the bytes of the key, in scratch if they have to be looked up.
func (k key) mapped(scratch *[]byte) []byte {
	if k.ranks == nil {
		return k.bytes
	}
	*scratch = (*scratch)[:0]
	for i := range k.bytes {
		*scratch = append(*scratch, k.at(i))
	}
	return *scratch
}

// compareKeys returns a negative number if a sorts before b, a positive one if it sorts after b,
// and 0 if they are equal.
func compareKeys(a, b key) int {
	if a.ranks == nil && b.ranks == nil {
		return bytes.Compare(a.bytes, b.bytes)
	}
	n := commonPrefix(a, b)
	if n == len(a.bytes) || n == len(b.bytes) {
		return cmp.Compare(len(a.bytes), len(b.bytes))
	}
	return cmp.Compare(a.at(n), b.at(n))
}

// commonPrefix returns the number of leading bytes that a and b share.
func commonPrefix(a, b key) int {
	n := min(len(a.bytes), len(b.bytes))
	if a.ranks == b.ranks { // ranks are distinct, so equal ranks are equal bytes
		if bytes.Equal(a.bytes[:n], b.bytes[:n]) {
			return n
		}
		for i := range n {
			if a.bytes[i] != b.bytes[i] {
				return i
			}
		}
	}
	for i := range n {
		if a.at(i) != b.at(i) {
			return i
		}
	}
	return n
}

// prefix returns the 8 bytes of the key that start at index from as a big-endian number, padded
// with zeros. If the memory allows, it loads 8 bytes at once, whatever follows the key, and clears
// what does not belong to it.
func (k key) prefix(from int) uint64 {
	b := k.bytes[from:]
	if k.ranks == nil && cap(b) >= 8 {
		padding := 8 * max(0, 8-len(b))
		return binary.BigEndian.Uint64(b[:8]) >> padding << padding
	}
	var n uint64
	for i := range min(8, len(b)) {
		n |= uint64(k.at(from+i)) << (56 - 8*i)
	}
	return n
}
