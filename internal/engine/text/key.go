package text

import "unicode/utf8"

// LossyKey returns bytes that compare as the lossy forms of names do: name itself where it is well-formed, otherwise
// [Lossy] of it, appended to scratch.
func LossyKey(scratch, name []byte) []byte {
	if IsPrintableASCII(name) || utf8.Valid(name) { // the first is three times as fast, and most are
		return name
	}
	return AppendLossy(scratch, name)
}

// UTF16Key returns bytes that compare as JavaScript's < compares the lossy forms of names: by UTF-16 code units. It
// returns name itself where that does, and otherwise appends to scratch.
//
// The order is that of the bytes but for U+E000 to U+FFFF, whose lead bytes are 0xEE and 0xEF: they come after the
// characters beyond them, lead bytes 0xF0 to 0xF4, which UTF-16 writes with the surrogates 0xD800 to 0xDFFF.
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
