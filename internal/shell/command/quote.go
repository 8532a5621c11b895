package command

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Quote quotes a name as GNU programs do in errors, for a shell. Unless always, it does only what a
// shell would need.
func Quote(s string, always bool) string {
	hasQuote := strings.Contains(s, "'")
	switch {
	case !isPrintable(s):
		return "'" + strings.Trim(strconv.Quote(s), `"`) + "'" // not exactly as GNU programs do
	case hasQuote && strings.ContainsAny(s, "\"$`\\!"):
		return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
	case hasQuote:
		return `"` + s + `"`
	case always, needsQuotes(s):
		return "'" + s + "'"
	}
	return s
}

func needsQuotes(s string) bool {
	return s == "" || s == "{" || s == "}" || strings.ContainsAny(s[:1], "#~") ||
		strings.ContainsAny(s, " !\"$&()*:;<=>?[\\^`|")
}

func isPrintable(s string) bool {
	isControl := func(r rune) bool { return !unicode.IsPrint(r) }
	return utf8.ValidString(s) && !strings.ContainsFunc(s, isControl)
}
