//go:build linux

package search_test

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"gander/internal/files/workspace"
	"gander/internal/search"
	"gander/internal/search/match"
)

// BenchmarkSearch searches Go's source for a literal that it does not have.
func BenchmarkSearch(b *testing.B) {
	m, err := match.Compile(b.Context(), "zzz"+"qqqxxx", match.Options{Literal: true})
	if err != nil {
		b.Fatal(err)
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		b.Skip("the go command does not work: ", err)
	}
	w, err := workspace.Open(workspace.Options{}, filepath.Join(strings.TrimSpace(string(root)), "src"))
	if err != nil {
		b.Fatal(err)
	}
	defer w.Close()
	start, err := w.Find(".")
	if err != nil {
		b.Fatal(err)
	}
	scope := search.Scope{}
	scope.Ignore.Git, scope.Ignore.Tools = true, search.ToolIgnoreFiles()
	for workers, name := range []string{1: "1 worker", 2: "2 workers"} {
		if name == "" {
			continue
		}
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				for _, err := range search.Search(b.Context(), w, start, m, search.Options{Scope: scope, Workers: workers}) {
					if err != nil {
						b.Fatal(err)
					}
				}
			}
		})
	}
}
