package literal

import "bytes"

// A needle looks for one literal by its rarest byte, with the vector instructions of the bytes
// package.
type needle struct {
	literal string
	offset  int // of the byte in the literal
}

const (
	// needleCost is the cost of looking for a byte, needleMissCost the cost of a miss.
	needleCost     = 0.04
	needleMissCost = 20
)

// newNeedle returns the needle for a literal whose case matters.
func newNeedle(literal string, f frequency) *method {
	n, cost := &needle{literal: literal}, needleCost+needleMissCost
	for offset := range len(literal) {
		if c := needleCost + needleMissCost*f(literal[offset:offset+1]); c < cost {
			n.offset, cost = offset, c
		}
	}
	return &method{n.find, cost, needleMissCost}
}

func (n *needle) find(buf []byte, at int, misses *int) (start, end, next int) {
	b, size := n.literal[n.offset], len(n.literal)
	for *misses < enoughMisses {
		if len(buf)-at < size {
			return -1, -1, len(buf)
		}
		i := bytes.IndexByte(buf[at+n.offset:], b)
		if i < 0 {
			return -1, -1, len(buf)
		}
		if at += i; begins(buf[at:], n.literal, false) {
			return at, at + size, 0
		}
		*misses++
		at++
	}
	return -1, -1, min(at, len(buf))
}
