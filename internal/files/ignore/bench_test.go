package ignore_test

import (
	"bytes"
	"fmt"
	"testing"

	"gander/internal/files/ignore"
)

const usualRules = `# dependencies
node_modules/
/vendor
.pnp.*
# build
/dist/
/build
out/
target/
*.o
*.so
*.pyc
__pycache__/
*.min.js
src/generated/*.go
docs/**/*.html
# logs
*.log
npm-debug.log*
!keep.log
# editors
.idea/
.vscode/*
!.vscode/settings.json
*.sw[a-p]
*~
.DS_Store
# secrets
.env
.env.*
!.env.example
`

var usualNames = []string{
	"main.go", "main_test.go", "README.md", "package.json", "node_modules", "dist", "index.min.js",
	"app.log", "keep.log",
	".env", ".env.local", ".gitignore", "Makefile", "src", "a.swp", "documentation-of-something.html",
}

func BenchmarkMatch(b *testing.B) {
	dir := ignore.InMemory(b.Context(), "src/app",
		ignore.Parse(".git/info/exclude", "", []byte("*~\n")),
		ignore.Parse(".gitignore", "", []byte(usualRules)),
		ignore.Parse("src/.gitignore", "src", []byte("*.gen.go\n/tmp\n")))
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		dir.MatchName(usualNames[i%len(usualNames)], false)
	}
}

// BenchmarkManyPatterns has 100,000 patterns. All literals and endings together take one look-up,
// globs one comparison each.
func BenchmarkManyPatterns(b *testing.B) {
	for _, c := range []struct{ name, pattern string }{
		{"names", "name-%d\n"},
		{"paths", "/src/name-%d\n"},
		{"endings", "*.ext%d\n"},
		{"globs", "name-%d-*.o\n"},
		{"stars", "*a*%d\n"},
	} {
		var data bytes.Buffer
		for i := range 100_000 {
			fmt.Fprintf(&data, c.pattern, i)
		}
		b.Run("parse/"+c.name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(data.Len()))
			for b.Loop() {
				ignore.Parse("f", "", data.Bytes())
			}
		})
		b.Run("match/"+c.name, func(b *testing.B) {
			dir := ignore.InMemory(b.Context(), "src", ignore.Parse("f", "", data.Bytes()))
			for i := 0; b.Loop(); i++ {
				dir.MatchName(usualNames[i%len(usualNames)], false)
			}
		})
	}
}
