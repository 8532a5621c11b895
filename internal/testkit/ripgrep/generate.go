package ripgrep

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// Parts of patterns and texts, separated by spaces. ␠ is a space: the parts of "a ␠ b" are "a", " "
// and "b".
const (
	literals = `a b c ab 1 _ - ␠ é k K s σ Σ 中 𝒳 ß ǅ . . (?s:.) foo if (?:)`
	looks    = `^ $ \b \B \< \> \b{start} \b{end} \b{start-half} \b{end-half}`
	classes  = `\d \w \s \D \W \S \pL \PL \p{Greek} \p{Lu} \p{Ll} \P{Lu} \p{^Greek} \p{sc=Latin} ` +
		`\p{Alphabetic} \p{Lowercase} \p{uppercase} \p{White_Space} ` +
		`\p{gc=Lu} \p{ASCII}`
	escapes = `\x61 \x{e9} \u00e9 \u{3c3} \U000003a3 \t \r \. \- \/ \" \_ \␠ \% \x{212a} \n? \v`
	groups  = `( (?: (?i: (?i: (?s: (?U: ((?i)`

	classParts = `a b a-c A-Z é α-ω k ſ 1 ␠ \d \w \W \pL \P{Greek} \- \] \x62 \x{e9} [:alpha:] ` +
		`[:^alpha:] [:word:] && -- 中 \r - & ^ \n \x00-\x7f ß-ÿ`
	textParts = "a b c A 1 _ - ␠ . ab foo if é É k K \u212a s ſ σ ς Σ λ 中 𝒳 ß ẞ ǅ ǆ \r \t \xff " +
		"\xc3 \xe2\x82 \xf0\x9d ٣ \u0300 \u200d \x00 / \""
)

// A Generator produces random patterns and texts.
type Generator struct{ *rand.Rand }

// NewGenerator returns a generator whose results depend only on the seeds.
func NewGenerator(seed1, seed2 uint64) Generator {
	return Generator{rand.New(rand.NewPCG(seed1, seed2))}
}

// Pick returns one of parts, which are separated by spaces. ␠ is a space.
func (g Generator) Pick(parts string) string {
	all := strings.Split(parts, " ")
	return strings.ReplaceAll(all[g.IntN(len(all))], "␠", " ")
}

// Pattern returns a pattern whose groups nest at most depth levels.
func (g Generator) Pattern(depth int) string {
	n := 1
	if depth > 0 {
		n += g.IntN(3)
	}
	var alternatives []string
	for range 1 + max(0, g.IntN(5)-2) {
		var b strings.Builder
		for range n {
			b.WriteString(g.repeated(depth))
		}
		alternatives = append(alternatives, b.String())
	}
	return strings.Join(alternatives, "|")
}

func (g Generator) repeated(depth int) string {
	operator := ""
	switch g.IntN(12) {
	case 0:
		operator = "*"
	case 1:
		operator = "+"
	case 2:
		operator = "?"
	case 3:
		low := g.IntN(4)
		forms := fmt.Sprintf("{%d} {%d,} {%d,%d}", low, low, low, low+g.IntN(3))
		operator = g.Pick(forms)
	default:
		return g.item(depth)
	}
	return g.item(depth) + operator + []string{"", "", "?"}[g.IntN(3)]
}

func (g Generator) item(depth int) string {
	if depth > 0 && g.IntN(3) == 0 {
		return g.Pick(groups) + g.Pattern(depth-1) + ")"
	}
	if n := g.IntN(8); n == 0 {
		return g.class(2)
	} else if n < 4 {
		return g.Pick([]string{looks, classes, escapes}[n-1])
	}
	return g.Pick(literals)
}

func (g Generator) class(depth int) string {
	var b strings.Builder
	b.WriteString(g.Pick("[ [ [^"))
	for range 1 + g.IntN(3) {
		if depth > 0 && g.IntN(4) == 0 {
			b.WriteString(g.class(depth - 1))
		} else {
			b.WriteString(g.Pick(classParts))
		}
	}
	b.WriteString("]")
	return b.String()
}

// Text returns lines of at most a few words.
func (g Generator) Text(lines int) string {
	var b strings.Builder
	b.WriteByte('\n') // ripgrep may treat the beginning of a file in a special way
	for range lines {
		for range g.IntN(12) {
			b.WriteString(g.Pick(textParts))
		}
		b.WriteByte('\n')
	}
	return b.String()
}
