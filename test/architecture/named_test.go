package architecture

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
)

// TestNamedTests checks that the tests named by the documents exist.
func TestNamedTests(t *testing.T) {
	var tests []string
	declared := regexp.MustCompile(`(?m)^func ((?:Test|Fuzz|Benchmark)\w+)\(`)
	err := fs.WalkDir(os.DirFS("../.."), ".", func(name string, d fs.DirEntry, err error) error {
		if matched, _ := filepath.Match("*_test.go", d.Name()); err != nil || !matched {
			return err
		}
		source, err := os.ReadFile(filepath.Join("../..", name))
		for _, match := range declared.FindAllSubmatch(source, -1) {
			tests = append(tests, string(match[1]))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	documents, err := filepath.Glob("../../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	named := 0
	for _, document := range append(documents, "../../SECURITY.md", "../../CONTRIBUTING.md") {
		text, err := os.ReadFile(document)
		if err != nil {
			t.Fatal(err)
		}
		names := regexp.MustCompile(`\b(?:Test|Fuzz|Benchmark)[A-Z]\w*`)
		for _, name := range names.FindAllString(string(text), -1) {
			if named++; !slices.Contains(tests, name) {
				t.Errorf("%s names %s, which does not exist", document, name)
			}
		}
	}
	if named < 50 {
		t.Errorf("the documents name %d tests", named)
	}
}
