package text

import "golang.org/x/text/unicode/norm"

// Compose returns the NFC form of s, which is equal for canonically equivalent strings.
func Compose(s string) string { return norm.NFC.String(s) }
