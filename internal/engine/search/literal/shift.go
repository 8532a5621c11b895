package literal

// A shiftTable looks for many literals at once, as Wu and Manber's algorithm does: it looks at two bytes at a time, and goes on by
// as much as they are from where they could end the first bytes of a literal.
type shiftTable struct {
	literals []Literal
	// window is how many bytes of each literal count, from its beginning.
	window int
	// shifts holds, for two bytes, how far to go on; 0 for a possible end of a window. Many pairs may share an entry.
	shifts [tableSize]uint8
	// ends holds the literals whose window ends with two bytes, by their entry in shifts.
	ends map[uint16][]uint16
}

const (
	tableSize = 1 << 13
	block     = 2
)

// entry returns the entry of two bytes.
func entry(a, b byte) uint16 { return (uint16(a)<<5 ^ uint16(b)) & (tableSize - 1) }

func newShiftTable(literals []Literal, window int) *shiftTable {
	t := &shiftTable{literals: literals, window: window, ends: map[uint16][]uint16{}}
	for i := range t.shifts {
		t.shifts[i] = uint8(window - block + 1)
	}
	for i := range literals {
		l := &literals[i]
		for end := block; end <= window; end++ {
			for _, v := range l.variants(l.Text[end-block : end]) {
				e := entry(v[0], v[1])
				t.shifts[e] = min(t.shifts[e], uint8(window-end))
				if end == window {
					t.ends[e] = append(t.ends[e], uint16(i))
				}
			}
		}
	}
	return t
}

// find returns the start and the end of the first literal at or after at, or -1. Of several at the same place it may be any.
func (t *shiftTable) find(buf []byte, at int) (start, end int) {
	for i := at + t.window - 1; i < len(buf); {
		e := (uint16(buf[i-1])<<5 ^ uint16(buf[i])) & (tableSize - 1)
		if shift := t.shifts[e]; shift > 0 {
			i += int(shift)
			continue
		}
		start := i + 1 - t.window
		for _, n := range t.ends[e] {
			if l := &t.literals[n]; l.matches(buf[start:]) {
				return start, start + len(l.Text)
			}
		}
		i++
	}
	return -1, -1
}

// variants returns a block of the literal's text as it is, and with Fold in all mixtures of case.
func (l *Literal) variants(text string) []string {
	out := []string{""}
	for i := range len(text) {
		n := len(out)
		for j := range n {
			if l.Fold && isLetter(text[i]) {
				out = append(out, out[j]+string([]byte{text[i] ^ 0x20}))
			}
			out[j] += text[i : i+1]
		}
	}
	return out
}
