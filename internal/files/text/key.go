package text

import "unicode/utf8"

// LossyKey returns a key for name: the bytes of [Lossy]. It returns name itself if that is
// well-formed, and otherwise appends to scratch.
func LossyKey(scratch, name []byte) []byte {
	// For most names the first check suffices, and it is three times as fast.
	if isPrintableASCII(name) || utf8.Valid(name) {
		return name
	}
	return AppendLossy(scratch, name)
}

// UTF16Key returns a key for name. Keys compare, bytewise, as JavaScript's < compares the names
// decoded by [Lossy], which is by UTF-16 code units. It returns name itself if that is its key, and
// otherwise appends to scratch.
//
// This is the order of the UTF-8 bytes, except that the characters U+E000 to U+FFFF, with the lead
// bytes 0xEE and 0xEF, come after those from U+10000, with the lead bytes 0xF0 to 0xF4, which
// UTF-16 writes as surrogates 0xD800 to 0xDFFF.
func UTF16Key(scratch, name []byte) []byte {
	key := LossyKey(scratch, name)
	for i, b := range key {
		if b == 0xEE || b == 0xEF {
			if &key[0] == &name[0] {
				key = append(scratch, name...)
			}
			key[i] = b + 0x10
		}
	}
	return key
}
