package ipynb

import "unicode/utf8"

// An escapeFilter removes the sequences that control a terminal from text that comes in pieces.
type escapeFilter struct {
	state escapeState
	kept  []byte
}

type escapeState byte

const (
	plainText escapeState = iota
	escaped               // after ESC: what follows begins a sequence, or is one of a few characters
	control               // after ESC [, up to a letter
	command               // after ESC ] and the like, up to BEL or ESC \
)

// remove returns b without the sequences. It is valid until the next call.
func (f *escapeFilter) remove(b []byte) []byte {
	f.kept = f.kept[:0]
	for _, c := range b {
		if f.isText(c) {
			f.kept = append(f.kept, c)
		}
	}
	return f.kept
}

// isText reports whether the next byte is text. What a sequence cannot contain ends it.
func (f *escapeFilter) isText(c byte) bool {
	before := f.state
	isParameter := ' ' <= c && c <= '?' || c == 0x7f
	switch {
	case c == 0x1b:
		f.state = escaped
	case c == '\n', c >= utf8.RuneSelf && before != command:
		f.state = plainText
		return true
	case before == escaped && c > '/', before == escaped && c < ' ':
		f.state = afterEscape[c]
	case before == control && !isParameter, before == command && c == '\a':
		f.state = plainText
	}
	return before == plainText && f.state == plainText
}

// afterEscape are the states after ESC and a byte. Bytes such as "(" are followed by others.
var afterEscape = map[byte]escapeState{
	'[': control, ']': command, 'P': command, 'X': command, '^': command, '_': command,
}
