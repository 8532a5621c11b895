package literal

import "math"

// A frequency estimates the number of occurrences of one to four bytes per byte of text.
type frequency func(text string) float64

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

// usual estimates frequencies in source code and logs. Neighboring bytes often occur together, so a
// text is more frequent than the product of the frequencies of its bytes.
func usual(text string) float64 {
	sum := 0
	for i := range len(text) {
		sum += rarity(text[i])
	}
	if len(text) > 1 {
		sum = sum * 4 / 5
	}
	return math.Exp2(-float64(sum))
}

// minSample and maxSample limit the size of a sample.
const minSample, maxSample = 4 << 10, math.MaxUint16

// learn estimates frequencies from the pairs of bytes in a sample of at most maxSample bytes. With
// fold, it counts letters regardless of case.
func learn(sample []byte, fold bool) frequency {
	var single [256]uint16
	pairs := make([]uint16, 1<<16)
	last := byte('\n')
	for _, b := range sample {
		if fold && 'A' <= b && b <= 'Z' {
			b += 'a' - 'A'
		}
		single[b]++
		pairs[int(last)<<8|int(b)]++
		last = b
	}
	return func(text string) float64 {
		f := (float64(single[text[0]]) + 0.5) / float64(len(sample))
		for i := 1; i < len(text); i++ {
			pair := pairs[int(text[i-1])<<8|int(text[i])]
			f *= (float64(pair) + 0.5) / (float64(single[text[i-1]]) + 0.5)
		}
		return f
	}
}
