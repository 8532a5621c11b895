package literal

import "math"

// frequencies estimate the number of occurrences of one to four bytes per byte of text.
type frequencies interface {
	of(text string) float64
}

// rarities holds '0' plus the rarity of the characters of ASCII from the space on.
const rarities = `3:7::::8778:666766677777776::7:::898989::8<;9999` +
	`8;8889::;;<::::6:5765466659856556:55467877:8:8:`

// rarity returns the rarity of a byte in source code and logs. About one byte in 2 to the power of
// rarity(b) is b.
func rarity(b byte) int {
	switch i := int(b) - ' '; {
	case b == '\n':
		return 5
	case b == '\t':
		return 6
	case i >= 0 && i < len(rarities):
		return int(rarities[i] - '0')
	case 0x80 <= b && b < 0xC0: // common where text is not English
		return 8
	case 0xC2 <= b && b <= 0xF4:
		return 9
	}
	return 15
}

// usual has the frequencies in source code and logs.
type usual struct{}

// of multiplies the frequencies of the bytes. Neighboring bytes often occur together, so the text
// is more frequent than the product.
func (usual) of(text string) float64 {
	sum := 0
	for _, b := range []byte(text) {
		sum += rarity(b)
	}
	if len(text) > 1 {
		sum = sum * 4 / 5
	}
	return math.Exp2(-float64(sum))
}

const minSample, maxSample = 4 << 10, math.MaxUint16

// A sample has the frequencies in a text, by its pairs of bytes.
type sample struct {
	size   int
	single [256]uint16
	pairs  [1 << 16]uint16
}

// newSample takes a sample from the beginning of a text, regardless of case if fold is set.
func newSample(text []byte, fold bool) *sample {
	text = text[:min(len(text), maxSample)]
	s := &sample{size: len(text)}
	last := byte('\n')
	for _, b := range text {
		if fold {
			b = lower(b)
		}
		s.single[b]++
		s.pairs[int(last)<<8|int(b)]++
		last = b
	}
	return s
}

func (s *sample) of(text string) float64 {
	f := (float64(s.single[text[0]]) + 0.5) / float64(s.size)
	for i := 1; i < len(text); i++ {
		pair := s.pairs[int(text[i-1])<<8|int(text[i])]
		f *= (float64(pair) + 0.5) / (float64(s.single[text[i-1]]) + 0.5)
	}
	return f
}
