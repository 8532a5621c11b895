package text

import (
	"strings"

	"golang.org/x/text/unicode/norm"
)

// Plain returns the same text for all names that differ only in what a keyboard does not show: how
// their accents are composed, and which kind of space, quotation mark or apostrophe they have.
func Plain(name string) string {
	if ASCII(name) {
		return name
	}
	return plainer.Replace(norm.NFC.String(name))
}

// Alike returns the same text for all names that a person reads as the same: those of [Plain], in
// any letter case.
func Alike(name string) string { return Fold(Plain(name)) }

var plainer = strings.NewReplacer(
	"\u00a0", " ", "\u202f", " ", "\u2007", " ", "\u2009", " ",
	"‘", "'", "’", "'", "‚", "'", "‛", "'", "“", `"`, "”", `"`, "„", `"`, "‟", `"`,
)
