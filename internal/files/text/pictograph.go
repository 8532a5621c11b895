package text

import "unicode/utf8"

// modernize respells s so that the collation tables of Unicode 6.2 order it as today's tables order
// s. It covers the differences that are common in names: emoji, most of which are newer, and
// U+FFFD, which now comes after every other character.
func modernize(s string) string {
	return replace(s, func(_ int, r rune) string { return modernSpelling(r) })
}

// modernSpelling returns the spelling of r, or "" for r itself. The spelling is a known character
// that r comes after, and one of private use, because the tables put these after all others, in
// order.
func modernSpelling(r rune) string {
	const (
		privateUse = 0x100000
		hourglass  = 0x23f3
		cyclone    = 0x1f300
	)
	if r < hourglass {
		return ""
	}
	if r == utf8.RuneError {
		return string(utf8.MaxRune)
	}
	for i, block := range [...]struct{ first, last, after rune }{
		{0x23f4, 0x23ff, hourglass},
		{0x1fa00, 0x1fa6f, cyclone}, // this and the following blocks in today's order
		{0x1f300, 0x1f5ff, cyclone},
		{0x1f900, 0x1f9ff, cyclone},
		{0x1fa70, 0x1faff, cyclone},
		{0x1f600, 0x1f8ff, cyclone},
	} {
		if block.first <= r && r <= block.last {
			return string([]rune{block.after, privateUse + rune(i)<<12 + r - block.first})
		}
	}
	return ""
}
