package ignore_test

import (
	"context"
	_ "embed"
	"fmt"
	"os"
	"strings"
	"testing"

	"gander/internal/files/ignore"
	"gander/internal/testkit"
)

// A ruleRow is a path and the line of the rules that decides about it, or 0. A path that ends in
// a slash is a directory.
type ruleRow struct {
	rules, path string
	line        int
}

// manual returns the sentences of the gitignore manual as examples, and cases that it leaves open.
func manual(t *testing.T) []ruleRow {
	t.Helper()
	data, err := os.ReadFile("testdata/manual.txt")
	testkit.Must(t, err)
	rows := []ruleRow{
		{"x" + strings.Repeat("*", 4096), "x", 0},
		{"x" + strings.Repeat("*", 4095), "x", 1},
	}
	for line := range strings.Lines(string(data)) {
		var row ruleRow
		if line[0] != '#' {
			_, err := fmt.Sscanf(line, "%q %q %d\n", &row.rules, &row.path, &row.line)
			testkit.Must(t, err)
			rows = append(rows, row)
		}
	}
	return rows
}

func TestRules(t *testing.T) {
	for _, row := range manual(t) {
		path, isDir := strings.CutSuffix(row.path, "/")
		got := ignore.MatchPath(path, isDir, ignore.Parse("f", "", row.rules)).String()
		want := ""
		if row.line > 0 {
			want = fmt.Sprintf("f:%d:", row.line)
		}
		if !strings.HasPrefix(got, want) || want == "" && got != "" {
			t.Errorf("%q on %q: %q, want %q", row.path, row.rules, got, want)
		}
	}
}

// TestMatchCancelled checks that matching hostile rules ends soon after the context, without a
// verdict.
func TestMatchCancelled(t *testing.T) {
	name := strings.Repeat("a", 200)
	rules := ignore.Parse("f", "", "a?*\n"+strings.Repeat("*a*a*b*a\n", 10_000))
	ctx, cancel := context.WithCancel(t.Context())
	dir := ignore.InMemory(ctx, "", rules)
	if m := dir.MatchName(name, false); m.String() != "f:1:a?*" {
		t.Errorf("got %q, want line 1", m)
	}
	cancel()
	if m := dir.MatchName(name, false); m.Verdict != ignore.None {
		t.Errorf("after the context: %q", m)
	}
}

func TestMatchAllocatesNothing(t *testing.T) {
	dir := ignore.InMemory(t.Context(), "src/deep",
		ignore.Parse("f", "", usualRules),
		ignore.Parse("g", "src/deep", usualRules))
	if n := testing.AllocsPerRun(100, func() {
		for _, name := range usualNames {
			dir.MatchName(name, false)
		}
	}); n != 0 {
		t.Errorf("%v allocations for %d names", n, len(usualNames))
	}
}

// usualRules is an ordinary ignore file.
//
//go:embed testdata/usual.gitignore
var usualRules string

var usualNames = []string{
	"main.go", "main_test.go", "README.md", "package.json", "node_modules", "dist", "index.min.js",
	"app.log", "keep.log",
	".env", ".env.local", ".gitignore", "Makefile", "src", "a.swp", "documentation-of-something.html",
}

func BenchmarkMatch(b *testing.B) {
	dir := ignore.InMemory(b.Context(), "src/app",
		ignore.Parse(".git/info/exclude", "", "*~\n"),
		ignore.Parse(".gitignore", "", usualRules),
		ignore.Parse("src/.gitignore", "src", "*.gen.go\n/tmp\n"))
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		dir.MatchName(usualNames[i%len(usualNames)], false)
	}
}
