package text

import (
	"strings"

	"golang.org/x/text/unicode/norm"
)

// SameFolded reports whether two names read alike to a person: they differ at most in case, in how characters are composed
// (é as one or as two), and in compatibility forms, such as a space that does not break lines for one that does.
func SameFolded(a, b string) bool {
	return a == b || strings.EqualFold(norm.NFKC.String(a), norm.NFKC.String(b))
}
