package boundary

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// A testSource maps the name of each test in a directory to the string literals of its file.
type testSource map[string][]string

func testsIn(t *testing.T, dir string) testSource {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	source := testSource{}
	for _, name := range names {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		var texts []string
		ast.Inspect(file, func(n ast.Node) bool {
			if l, ok := n.(*ast.BasicLit); ok && l.Kind == token.STRING {
				if text, err := strconv.Unquote(l.Value); err == nil {
					texts = append(texts, strings.ReplaceAll(text, " ", "_"))
				}
			}
			return true
		})
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil {
				source[f.Name.Name] = texts
			}
		}
	}
	return source
}

// has reports whether a test exists. The part of name after a slash is a prefix of a subtest.
func (s testSource) has(name string) bool {
	name, sub, _ := strings.Cut(name, "/")
	texts, ok := s[name]
	if !ok || sub == "" {
		return ok
	}
	for _, text := range texts {
		if strings.HasPrefix(text, sub) {
			return true
		}
	}
	return false
}

// TestBoundaryTable checks that the tests named by the table in SECURITY.md exist, that each attack
// has a test or a reason why it has none, and that each test of this package is named.
func TestBoundaryTable(t *testing.T) {
	data, err := os.ReadFile("../../SECURITY.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, found := strings.Cut(
		string(data), "\n| attack | what gander does | shown by |\n| --- | --- | --- |\n",
	)
	if !found {
		t.Fatal("SECURITY.md has no table of attacks")
	}
	table, _, _ = strings.Cut(table, "\n\n")
	sources := map[string]testSource{}
	named := map[string]bool{}
	rows := 0
	for row := range strings.SplitSeq(table, "\n") {
		cells := strings.Split(strings.Trim(row, "| "), " | ")
		if len(cells) < 2 {
			t.Errorf("not a row: %s", row)
			continue
		}
		rows++
		tests := regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(strings.Join(cells[2:], ""), -1)
		reason := strings.HasPrefix(cells[1], "Cannot apply: ") ||
			strings.HasPrefix(cells[1], "Not promised: ")
		if len(tests) == 0 && !reason {
			t.Errorf("%s: neither a test nor a reason", cells[0])
		}
		for _, m := range tests {
			dir, name, below := strings.Cut(m[1], ".")
			if !below {
				dir, name = "test/boundary", m[1]
			}
			dir = filepath.Join("../..", dir)
			if sources[dir] == nil {
				sources[dir] = testsIn(t, dir)
			}
			if !sources[dir].has(name) {
				t.Errorf("%s: there is no test %s", cells[0], m[1])
			}
			named[name] = true
		}
	}
	if rows < 50 {
		t.Errorf("the table has %d rows", rows)
	}
	for name := range testsIn(t, ".") {
		if strings.HasPrefix(name, "TestBoundary") && name != "TestBoundaryTable" && !named[name] {
			t.Errorf("SECURITY.md does not name %s", name)
		}
	}
}
