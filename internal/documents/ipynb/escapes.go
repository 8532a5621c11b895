package ipynb

// An escapes removes the sequences that control a terminal from text that comes in pieces.
type escapes struct {
	state escapeState
	buf   []byte
}

type escapeState byte

const (
	plainText escapeState = iota
	escaped               // after ESC
	control               // in ESC [, which ends with a letter
	command               // in ESC ], which ends with BEL or ESC \
)

// remove returns b without the sequences. It is valid until the next call.
func (e *escapes) remove(b []byte) []byte {
	e.buf = e.buf[:0]
	for _, c := range b {
		switch {
		case c == 0x1b:
			e.state = escaped
		case e.state == plainText:
			e.buf = append(e.buf, c)
		case e.state == escaped && c == '[':
			e.state = control
		case e.state == escaped && c == ']':
			e.state = command
		case e.state == control && (c < '@' || c > '~') && c >= ' ':
		case e.state == command && c != '\a' && c != '\n':
		default:
			e.state = plainText
			if c == '\n' {
				e.buf = append(e.buf, c)
			}
		}
	}
	return e.buf
}
