package match

import (
	"math/rand/v2"
	"strconv"
	"strings"
)

// A generator generates random patterns and texts.
type generator struct {
	*rand.Rand
	// portable restricts patterns to those that mean the same to Go's regexp, and text to ASCII.
	portable bool
}

func (g *generator) pick(options ...string) string { return options[g.IntN(len(options))] }

// pattern returns a pattern whose groups nest at most depth levels.
func (g *generator) pattern(depth int) string {
	n := 1 + g.IntN(3)
	if depth == 0 {
		n = 1
	}
	alternatives := make([]string, 0, n)
	for range 1 + max(0, g.IntN(5)-2) {
		var b strings.Builder
		for range n {
			b.WriteString(g.repeated(depth))
		}
		alternatives = append(alternatives, b.String())
	}
	return strings.Join(alternatives, "|")
}

func (g *generator) repeated(depth int) string {
	item := g.item(depth)
	switch g.IntN(12) {
	case 0:
		return item + "*" + g.pick("", "", "?")
	case 1:
		return item + "+" + g.pick("", "", "?")
	case 2:
		return item + "?" + g.pick("", "", "?")
	case 3:
		low := g.IntN(4)
		return item + g.pick("{"+strconv.Itoa(low)+"}", "{"+strconv.Itoa(low)+",}", "{"+strconv.Itoa(low)+","+strconv.Itoa(low+g.IntN(3))+"}") + g.pick("", "", "?")
	}
	return item
}

func (g *generator) item(depth int) string {
	if depth > 0 && g.IntN(3) == 0 {
		return g.group(depth - 1)
	}
	if g.portable {
		return g.pick("a", "b", "c", "ab", "1", "_", "-", " ", `\.`, ".", "^", "$", `\b`, `\B`, `\d`, `\w`, `\s`, `\W`, `\S`, `\D`, "[ab]", "[^ab]", "[a-c1]",
			"[[:alpha:]]", "[^[:space:]]", `[\w-]`, `[^\d]`, "(?s:.)", `\x61`, "(?i:A)", "(?i:Ab)", `[\x20-\x7e]`, "(?:)", `\t`)
	}
	switch g.IntN(8) {
	case 0:
		return g.class(2)
	case 1:
		return g.pick("^", "$", `\b`, `\B`, `\<`, `\>`, `\b{start}`, `\b{end}`, `\b{start-half}`, `\b{end-half}`, `(?-u:\b)`, `(?-u:\B)`, `(?-u:\<)`, `(?-u:\b{end-half})`,
			`(?-u:\b{start-half})`, `(?R:$)`, `(?R:^)`)
	case 2:
		return g.pick(`\d`, `\w`, `\s`, `\D`, `\W`, `\S`, `\pL`, `\PL`, `\p{Greek}`, `\p{Lu}`, `\p{Ll}`, `\P{Lu}`, `\p{^Greek}`, `\p{sc=Latin}`, `\p{gc!=Lu}`, `\p{Alphabetic}`, `\p{ASCII}`,
			`(?-u:\w)`, `(?-u:\W)`, `(?-u:\d)`, `(?-u:\S)`, `(?-u:[^a])`, `(?-u:\xff)`, `(?-u:\xc3)`, `(?-u:[\x80-\xff])`, `(?-u:.)`, `(?s-u:.)`, `(?R:.)`, `(?i-u:K)`)
	case 3:
		return g.pick(`\x61`, `\x{e9}`, `\u00e9`, `\u{3c3}`, `\U000003a3`, `\t`, `\r`, `\.`, `\-`, `\/`, `\"`, `\_`, `\ `, `\%`, `\x{212a}`, `\n?`, `\v`)
	}
	return g.pick("a", "b", "c", "ab", "1", "_", "-", " ", "é", "k", "K", "s", "σ", "Σ", "中", "𝒳", "ß", "ǅ", ".", ".", "(?s:.)", "foo", "if", "(?:)")
}

func (g *generator) group(depth int) string {
	inner := g.pattern(depth)
	if g.portable {
		return g.pick("(", "(?:", "(?i:", "(?s:", "(?U:", "(?P<n"+strconv.Itoa(g.IntN(1<<30))+">") + inner + ")"
	}
	open := g.pick("(", "(?:", "(?i:", "(?i:", "(?s:", "(?U:", "(?x: ", "(?x:#c\n", "(?-u:", "(?i-u:", "((?i)", "((?-u)", "(?<n"+strconv.Itoa(g.IntN(1<<30))+">", "(?R:")
	return open + inner + ")"
}

func (g *generator) class(depth int) string {
	var b strings.Builder
	b.WriteString(g.pick("[", "[", "[^"))
	for range 1 + g.IntN(3) {
		if depth > 0 && g.IntN(4) == 0 {
			b.WriteString(g.class(depth - 1))
			continue
		}
		b.WriteString(g.pick("a", "b", "a-c", "A-Z", "é", "α-ω", "k", "ſ", "1", " ", `\d`, `\w`, `\W`, `\pL`, `\P{Greek}`, `\-`, `\]`, `\x62`, `\x{e9}`, "[:alpha:]", "[:^alpha:]", "[:word:]",
			"&&", "--", "~~", "中", `\r`, "-", "&", "^", `\n`, `\x00-\x7f`, `ß-ÿ`))
	}
	b.WriteString("]")
	return b.String()
}

// text returns lines.
func (g *generator) text(lines int) string {
	var b strings.Builder
	b.WriteByte('\n') // ripgrep may treat the beginning of a file in a special way
	for range lines {
		for n := range g.IntN(12) {
			if g.portable {
				b.WriteString(g.pick("a", "b", "c", "A", "B", "1", "_", "-", " ", ".", "ab", "\t", "~"))
			} else {
				if n == 0 {
					// A line does not begin with a continuation byte, because what ripgrep sees
					// before that depends on its buffer.
					b.WriteString(g.pick("a", " ", "é", "\xff", "\t"))
				}
				b.WriteString(g.pick("a", "b", "c", "A", "1", "_", "-", " ", ".", "ab", "foo", "if", "é", "É", "k", "K", "\u212a", "s", "ſ", "σ", "ς", "Σ", "λ", "中", "𝒳", "ß", "ẞ", "ǅ", "ǆ",
					"\r", "\t", "\xff", "\xc3", "\x80", "\xa9", "\xe2\x82", "\xf0\x9d", "٣", "\u0300", "\u200d", "\x00", "/", "\""))
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}
