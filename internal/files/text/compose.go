package text

import "golang.org/x/text/unicode/norm"

// Compose returns the NFC form of s, which all canonically equivalent texts share.
func Compose(s string) string { return norm.NFC.String(s) }
