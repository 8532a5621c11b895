package literal

import "math"

// rarity returns how rare a byte is in program text and logs: about one byte in 2 to the power of rarity(b) is b.
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

// frequency estimates how often text occurs, per byte. Neighbours in text often occur together, so it is more than the product of
// the frequencies of its bytes.
func frequency(text string) float64 {
	sum := 0
	for i := range len(text) {
		sum += rarity(text[i])
	}
	if len(text) > 1 {
		sum = sum * 4 / 5
	}
	return math.Exp2(-float64(sum))
}
