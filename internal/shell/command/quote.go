package command

import (
	"fmt"
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
		return quoteControls(s)
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

// quoteControls writes what cannot be printed as $'\n'.
func quoteControls(s string) string {
	var b strings.Builder
	b.WriteByte('\'')
	inside := false // in $' '
	for s != "" {
		_, n := utf8.DecodeRuneInString(s)
		text := s[:n]
		s = s[n:]
		if isControl := !isPrintable(text); isControl != inside {
			b.WriteString(map[bool]string{true: "'$'", false: "''"}[isControl])
			inside = isControl
		}
		switch {
		case inside:
			b.WriteString(escapeControl(text))
		case text == "'":
			b.WriteString(`'\''`)
		default:
			b.WriteString(text)
		}
	}
	return b.String() + "'"
}

func escapeControl(s string) string {
	if i := strings.IndexByte("\a\b\t\n\v\f\r", s[0]); i >= 0 {
		return `\` + "abtnvfr"[i:i+1]
	}
	escaped := ""
	for i := range len(s) {
		escaped += fmt.Sprintf(`\%03o`, s[i])
	}
	return escaped
}
