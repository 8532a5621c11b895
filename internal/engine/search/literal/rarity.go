package literal

// Rarity returns how rare a byte is in program text and logs, from 0 for the most common to 12.
func Rarity(b byte) int {
	switch {
	case b == ' ' || b == 'e' || b == 't':
		return 0
	case b == 0 || b >= 0xF5 || b == 0xC0 || b == 0xC1:
		return 12
	case b >= 0x80:
		return 9
	case 'a' <= b && b <= 'z':
		return int("15330455197241149110366769"[b-'a'] - '0')
	case '0' <= b && b <= '2':
		return 2
	case '0' <= b && b <= '9':
		return 4
	case 'A' <= b && b <= 'Z':
		return int("57565678598676669655788889"[b-'A'] - '0')
	case b == '\t' || b == '.' || b == ',' || b == '(' || b == ')' || b == '_' || b == '/' || b == '"' || b == '-':
		return 3
	case b < ' ':
		return 11
	}
	return 6
}
