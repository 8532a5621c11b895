package shell_test

import (
	_ "embed"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"gander/internal/testkit"
)

//go:embed testdata/grammar.txt
var grammarText string

// A grammar generates lines. Its first lines describe its form.
type grammar map[string][]string

func parseGrammar(text string) (grammar, error) {
	g := grammar{}
	name := ""
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		alternative, isAlternative := strings.CutPrefix(line, "\t")
		switch {
		case line == "", strings.HasPrefix(line, "#"):
		case isAlternative:
			g[name] = append(g[name], alternative)
		default:
			name = line
		}
	}
	for rule, alternatives := range g {
		for _, found := range reference.FindAllStringSubmatch(strings.Join(alternatives, "\n"), -1) {
			if g[found[2]] == nil && found[4] == "" {
				return nil, fmt.Errorf("rule %s: %s is missing", rule, found[2])
			}
		}
	}
	return g, nil
}

// reference is a reference in an alternative: a quote, a name and how often, or two numbers.
var reference = regexp.MustCompile(`<('?)(?:([a-z]+)([?*]?)|(\d+)-(\d+))>`)

// line returns what a rule stands for.
func (g grammar) line(r *rand.Rand, rule string) string {
	alternative := g[rule][r.IntN(len(g[rule]))]
	return reference.ReplaceAllStringFunc(alternative, func(s string) string {
		parts := reference.FindStringSubmatch(s)
		if parts[4] != "" {
			low, _ := strconv.Atoi(parts[4])
			high, _ := strconv.Atoi(parts[5])
			return strconv.Itoa(low + r.IntN(high-low+1))
		}
		times := 1
		switch parts[3] {
		case "?":
			times = r.IntN(2)
		case "*":
			times = max(0, r.IntN(5)-1)
		}
		var texts []string
		for range times {
			text := g.line(r, parts[2])
			if parts[1] != "" {
				text = "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
			}
			texts = append(texts, text)
		}
		return strings.Join(texts, " ")
	})
}

// generate returns n different lines.
func generate(t *testing.T, seed uint64, n int) (lines []string) {
	t.Helper()
	g, err := parseGrammar(grammarText)
	testkit.Must(t, err)
	r := rand.New(rand.NewPCG(seed, 1))
	seen := map[string]bool{}
	for len(lines) < n {
		line := g.line(r, "line")
		if !seen[line] {
			lines = append(lines, line)
		}
		seen[line] = true
	}
	return lines
}
