package literal

import "math"

// A frequency estimates the number of occurrences of one to four bytes per byte of text.
type frequency func(text string) float64

// rarity returns the rarity of a byte in source code and logs. About one byte in 2 to the power of
// rarity(b) is b.
func rarity(b byte) int {
	switch {
	case 'a' <= b && b <= 'z':
		return int("5765466659856556:55467877:"[b-'a'] - '0')
	case 'A' <= b && b <= 'Z':
		return int("898989::8<;99998;8889::;;<"[b-'A'] - '0')
	case '0' <= b && b <= '9':
		return int("6667777777"[b-'0'] - '0')
	case b == ' ':
		return 3
	case b == '\n':
		return 5
	case b == '\t' || b == '.' || b == ',' || b == '-' || b == ':' || b == '_':
		return 6
	case b == '(' || b == ')' || b == '/' || b == '"' || b == '=':
		return 7
	case b == '\'' || b == '*' || b == '{' || b == '}':
		return 8
	case ' ' < b && b < 0x7F:
		return 10
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
