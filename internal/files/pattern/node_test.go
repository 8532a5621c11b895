package pattern_test

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gander/internal/files/pattern"
	"gander/internal/testkit/node"
)

// TestMinimatchAsNode compares random patterns with the npm package minimatch 10.2.6 in the folder
// GANDER_MINIMATCH, which holds node_modules. It omits the known differences: minimatch does not
// escape \| in its regular expressions, misses paths if parts of different lengths are between
// three or more **, and has POSIX classes of Unicode.
func TestMinimatchAsNode(t *testing.T) {
	dir := os.Getenv("GANDER_MINIMATCH")
	if dir == "" {
		t.Skip("needs GANDER_MINIMATCH")
	}
	const alphabet = "a b A . é / / * * ** **/ /** ? [ab] [!a] [a-c] [.-0] [-a] [\\]] [./] {a,b} " +
		"{a,b/A} {1..3} {a..c} {*.x,a} {,a} { } , \\ \\* ! .x .. [b-a] [] {a/**,b} {**/a,b} [é-ü] " +
		"{{a,b},} {} {a} @( | ) @() ?() [[:alpha:]] [![:digit:]x] [[:graph:]] [\\^a] [\\^-b] " +
		"${a,b} # 😀 [a-😀] [^ | @(a|b) ?(a|*b) @(a|?(b|c))"
	parts := strings.Fields(alphabet)
	names := strings.Fields("a b A . é [ ] { } , * ? ! - ^ / / .x c 0 😀 ( ) @")
	r := rand.New(rand.NewPCG(1, 1))
	words := func(from []string) string {
		var b strings.Builder
		for range 1 + r.IntN(6) {
			b.WriteString(from[r.IntN(len(from))])
		}
		return b.String()
	}
	type question struct {
		Glob  string   `json:"glob"`
		Paths []string `json:"paths"`
	}
	var questions []question
	for range 20_000 {
		q := question{Glob: words(parts)}
		for range 8 {
			path := strings.Trim(words(names), "/")
			if path != "" && filepath.IsLocal(path) && filepath.Clean(path) == path && path != "." {
				q.Paths = append(q.Paths, path)
			}
		}
		questions = append(questions, q)
	}
	var want [][]bool
	node.Ask(t, `
		const {minimatch} = require(questions.dir + "/node_modules/minimatch");
		const match = (p, glob) => minimatch(p, glob, {dot: true});
		console.log(JSON.stringify(questions.globs.map(q => {
			try { return q.paths.map(p => match(p, q.glob)); } catch { return null; }
		})));`, map[string]any{"dir": dir, "globs": questions}, &want)
	compared := 0
	for i, q := range questions {
		p, err := pattern.NewCompiler(t.Context()).Compile(pattern.Minimatch, q.Glob, false)
		if err != nil || want[i] == nil || strings.Count(q.Glob, "**") > 2 ||
			strings.Contains(q.Glob, `\|`) {
			continue
		}
		ascii := strings.Contains(q.Glob, "[:")
		for j, path := range q.Paths {
			if ascii && strings.ContainsAny(q.Glob+path, "é😀") {
				continue
			}
			compared++
			if got := p.Match(path); got != want[i][j] {
				t.Errorf("%q and %q: got %v", q.Glob, path, got)
			}
		}
	}
	if compared < len(questions) {
		t.Errorf("only %d comparisons", compared)
	}
}
