package names

import (
	"bytes"
	"cmp"
	"encoding/binary"
)

// A key is what a name is ordered by: bytes, or the ranks of bytes.
type key struct {
	bytes []byte
	ranks *[256]uint8 // nil: the bytes as they are
}

// A form is where the key of a name is found. It has two bits of a record's head.
type form uint8

const (
	apart  form = 0    // it is kept beside the name
	own    form = 0x80 // it is the name
	ranked form = 0x40 // it is the ranks of the name's bytes
	forms       = own | ranked

	marked byte = 0x20
)

func (k key) at(i int) byte {
	if k.ranks != nil {
		return k.ranks[k.bytes[i]]
	}
	return k.bytes[i]
}

func (k key) clone() key { return key{bytes.Clone(k.bytes), k.ranks} }

// first is what the first n bytes of the key are.
func (k key) first(n int) key { return key{k.bytes[:n], k.ranks} }

// plain returns the bytes that the key stands for, in scratch where they are ranks.
func (k key) plain(scratch *[]byte) []byte {
	if k.ranks == nil {
		return k.bytes
	}
	*scratch = (*scratch)[:0]
	for i := range k.bytes {
		*scratch = append(*scratch, k.at(i))
	}
	return *scratch
}

// compare orders keys.
func compare(a, b key) int {
	if a.ranks == nil && b.ranks == nil {
		return bytes.Compare(a.bytes, b.bytes)
	}
	n := common(a, b)
	if n == len(a.bytes) || n == len(b.bytes) {
		return cmp.Compare(len(a.bytes), len(b.bytes))
	}
	return cmp.Compare(a.at(n), b.at(n))
}

// common is how many bytes both keys begin with.
func common(a, b key) int {
	n := min(len(a.bytes), len(b.bytes))
	if a.ranks == b.ranks { // so that the same bytes mean the same, and others something else
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

// prefix returns the first bytes from a place on as a number, in which missing ones are 0. Whatever follows the bytes in
// memory is read with them and taken off again, which is faster than byte by byte.
func (k key) prefix(from int) uint64 {
	b := k.bytes[from:]
	if k.ranks == nil && cap(b) >= 8 {
		missing := 8 * max(0, 8-len(b))
		return binary.BigEndian.Uint64(b[:8]) >> missing << missing
	}
	var n uint64
	for i := range min(8, len(b)) {
		n |= uint64(k.at(from+i)) << (56 - 8*i)
	}
	return n
}
