package literal

import (
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gander/internal/search/syntax"
)

// extracted returns the literals of a pattern.
func extracted(t *testing.T, pattern string) Set {
	t.Helper()
	n, err := syntax.Parse(t.Context(), pattern, syntax.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return Extract(n)
}

// TestExtract reads patterns and their literals. "~" marks a folded set, "=" an exact one.
func TestExtract(t *testing.T) {
	cases, err := os.ReadFile("testdata/extract.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(cases)) {
		pattern, want, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		s := extracted(t, pattern)
		text := strings.Join(s.Literals, " ")
		if s.Fold {
			text = "~" + text
		}
		if s.Exact {
			text = "=" + text
		}
		if text != want {
			t.Errorf("%s: %q, want %q", pattern, text, want)
		}
	}
}

var (
	words      = strings.Fields("get Set add del foo Foo bar quux Handler Server x k 1 2")
	classes    = strings.Fields(`[0-3] [12] [a-z] [xX] \d . \b ^ $`)
	operations = strings.Fields("? ? * + {2} {0,2} {1,2}")
)

// A generator makes random patterns of words, and lines of the same words.
type generator struct{ *rand.Rand }

func (g generator) pick(list []string) string { return list[g.IntN(len(list))] }

// pattern returns a pattern whose groups nest at most depth levels.
func (g generator) pattern(depth int) string {
	var b strings.Builder
	for range 1 + g.IntN(4) {
		b.WriteString(g.part(depth))
		if g.IntN(2) == 0 {
			b.WriteString(g.pick(operations))
		}
	}
	return b.String()
}

func (g generator) part(depth int) string {
	if g.IntN(4) == 0 {
		return g.pick(classes)
	}
	alternatives := []string{g.pick(words)}
	for depth > 0 && g.IntN(4) > 0 {
		alternatives = append(alternatives, g.pick(words))
		if g.IntN(4) == 0 {
			alternatives[0] = g.pattern(depth - 1)
		}
	}
	if g.IntN(16) == 0 {
		alternatives[0] = ""
	}
	return "(?:" + strings.Join(alternatives, "|") + ")"
}

func (g generator) line() string {
	var b strings.Builder
	for range g.IntN(5) {
		b.WriteString(g.pick(words))
	}
	return b.String()
}

// TestRequired checks that each line that Go's regexp matches contains a literal of the pattern,
// and that each line with a literal of an exact set matches. The sets of many patterns are too
// large.
func TestRequired(t *testing.T) {
	g := generator{rand.New(rand.NewPCG(1, 2))}
	found := 0
	for range 5000 {
		pattern := g.pattern(2)
		if g.IntN(4) == 0 {
			pattern = "(?i)" + pattern
		}
		set, re := extracted(t, pattern), regexp.MustCompile(pattern)
		if len(set.Literals) == 0 {
			continue
		}
		for range 50 {
			line := g.line()
			hasLiteral := slices.ContainsFunc(set.Literals, func(l string) bool {
				text := line
				if set.Fold {
					text = lowered(line)
				}
				return strings.Contains(text, l)
			})
			matches := re.MatchString(line)
			if matches && !hasLiteral || set.Exact && hasLiteral && !matches {
				t.Fatalf("%s: %q matches: %v, with the literals %+v", pattern, line, matches, set)
			}
			if matches {
				found++
			}
		}
	}
	if found < 5000 {
		t.Errorf("only %d lines matched", found)
	}
}
