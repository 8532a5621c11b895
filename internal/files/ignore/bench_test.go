package ignore_test

import (
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
		ignore.Parse(".git/info/exclude", "", "*~\n"),
		ignore.Parse(".gitignore", "", usualRules),
		ignore.Parse("src/.gitignore", "src", "*.gen.go\n/tmp\n"))
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		dir.MatchName(usualNames[i%len(usualNames)], false)
	}
}
