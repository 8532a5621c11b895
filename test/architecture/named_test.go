package architecture

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"gander/internal/testkit/fixture"
)

func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	fixture.Must(t, err)
	return string(data)
}

// testsByFolder returns the sources of tests and their data by folder, with underscores for spaces.
func testsByFolder(t *testing.T) map[string]string {
	t.Helper()
	texts := map[string]string{}
	err := fs.WalkDir(os.DirFS("../.."), ".", func(name string, d fs.DirEntry, err error) error {
		folder, base := path.Split(name)
		data := strings.HasSuffix(base, ".txt") && strings.HasSuffix(folder, "/testdata/")
		if err != nil || !data && !strings.HasSuffix(base, "_test.go") {
			return err
		}
		folder = strings.TrimSuffix(strings.TrimSuffix(folder, "testdata/"), "/")
		texts[folder] += strings.ReplaceAll(read(t, "../../"+name), " ", "_")
		return nil
	})
	fixture.Must(t, err)
	return texts
}

// TestNamedTests checks that the tests named by the documents exist.
func TestNamedTests(t *testing.T) {
	var all strings.Builder
	for _, text := range testsByFolder(t) {
		all.WriteString(text)
	}
	documents, err := filepath.Glob("../../docs/*.md")
	fixture.Must(t, err)
	named := 0
	for _, document := range append(documents, "../../SECURITY.md", "../../CONTRIBUTING.md") {
		names := regexp.MustCompile(`\b(?:Test|Fuzz|Benchmark)[A-Z]\w*`)
		for _, name := range names.FindAllString(read(t, document), -1) {
			if named++; !strings.Contains(all.String(), "\nfunc_"+name+"(") {
				t.Errorf("%s names %s, which does not exist", document, name)
			}
		}
	}
	if named < 50 {
		t.Errorf("the documents name %d tests", named)
	}
}

// namedTest matches a test in a table of SECURITY.md, as in `internal/config.TestOpen/a_case`.
var namedTest = regexp.MustCompile("`(?:([a-z/]+)\\.)?(Test\\w+)(?:/([^`]+))?`")

// rowsOf returns the rows of the table in SECURITY.md that begins with the given line.
func rowsOf(t *testing.T, head string) []string {
	t.Helper()
	_, table, _ := strings.Cut(read(t, "../../SECURITY.md"), "\n"+head+"\n")
	table, _, _ = strings.Cut(table, "\n\n")
	rows := strings.Split(table, "\n")
	if len(rows) < 20 {
		t.Errorf("the table %s has %d rows", head, len(rows))
	}
	return rows[1:]
}

// checkTests checks that the tests that a row names are in their packages. It reports whether it
// names any.
func checkTests(t *testing.T, texts map[string]string, row string) bool {
	t.Helper()
	tests := namedTest.FindAllStringSubmatch(row, -1)
	for _, m := range tests {
		folder, name, subtest := m[1], m[2], m[3]
		switch folder {
		case "":
			folder = boundary
		case "gander":
			folder = "" // the root of the module
		}
		text := texts[folder]
		if !strings.Contains(text, "func_"+name+"(") || !strings.Contains(text, "\n"+subtest) {
			t.Errorf("there is no test %s", m[0])
		}
	}
	return len(tests) > 0
}

// boundary is the folder of the tests that the table of attacks names without one.
const boundary = "test/boundary"

// TestAttacks checks that each attack in SECURITY.md has a test or a reason why it has none, in the
// package that the table specifies, and that each test of test/boundary is named.
func TestAttacks(t *testing.T) {
	rows := rowsOf(t, "| attack | what gander does | shown by |")
	texts := testsByFolder(t)
	for _, row := range rows {
		_, row, _ := strings.Cut(row, " | ") // the first column may name a file
		if !checkTests(t, texts, row) && !strings.HasPrefix(row, "Cannot apply: ") &&
			!strings.HasPrefix(row, "Not promised: ") {
			t.Errorf("neither a test nor a reason: %s", row)
		}
	}
	declared := regexp.MustCompile(`func_(TestBoundary\w+)\(`)
	for _, m := range declared.FindAllStringSubmatch(texts[boundary], -1) {
		if !strings.Contains(strings.Join(rows, "\n"), "`"+m[1]) {
			t.Errorf("SECURITY.md does not name %s", m[1])
		}
	}
}

// TestLimits checks that each limit in SECURITY.md names a test in its package.
func TestLimits(t *testing.T) {
	texts := testsByFolder(t)
	for _, row := range rowsOf(t, "| resource | bound | test that fails if it is doubled |") {
		if !checkTests(t, texts, row) && !strings.HasSuffix(row, "| the same |") {
			t.Errorf("no test: %s", row)
		}
	}
}
