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
	switch {
	case c == 0x1b:
		f.state = escaped
	case c == '\n', c >= utf8.RuneSelf && before != command:
		f.state = plainText
		return true
	case before == escaped:
		f.state = afterEscape(c)
	case before == control && !isParameter(c):
		f.state = plainText
	case before == command && c == '\a':
		f.state = plainText
	}
	return before == plainText && f.state == plainText
}

// isParameter reports whether a byte can be in a control sequence before its end.
func isParameter(c byte) bool { return ' ' <= c && c <= '?' || c == 0x7f }

// afterEscape returns the state after ESC and c. Bytes such as "(" are followed by others.
func afterEscape(c byte) escapeState {
	switch {
	case c == '[':
		return control
	case c == ']', c == 'P', c == 'X', c == '^', c == '_':
		return command
	case ' ' <= c && c <= '/':
		return escaped
	}
	return plainText
}
