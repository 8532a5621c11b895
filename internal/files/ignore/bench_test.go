package ignore_test

import (
	_ "embed"
	"testing"

	"gander/internal/files/ignore"
)

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
