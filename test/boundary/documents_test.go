package boundary

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gander/internal/testkit"
)

// testsIn returns the files with tests in a directory of the module, with underscores for spaces.
func testsIn(t *testing.T, dir string) (sources []string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("../..", dir, "*_test.go"))
	testkit.Must(t, err)
	for _, file := range files {
		data, err := os.ReadFile(file)
		testkit.Must(t, err)
		sources = append(sources, strings.ReplaceAll(string(data), " ", "_"))
	}
	return sources
}

// TestBoundaryTable checks that the tests named by the table in SECURITY.md exist, that each attack
// has a test or a reason why it has none, and that each test of this package is named.
func TestBoundaryTable(t *testing.T) {
	data, err := os.ReadFile("../../SECURITY.md")
	testkit.Must(t, err)
	_, table, found := strings.Cut(
		string(data), "\n| attack | what gander does | shown by |\n| --- | --- | --- |\n",
	)
	if !found {
		t.Fatal("SECURITY.md has no table of attacks")
	}
	table, _, _ = strings.Cut(table, "\n\n")
	rows := strings.Split(table, "\n")
	if len(rows) < 50 {
		t.Errorf("the table has %d rows", len(rows))
	}
	named := regexp.MustCompile("`(?:([a-z/]+)\\.)?(Test\\w+)(?:/([^`]+))?`")
	for _, row := range rows {
		_, row, _ := strings.Cut(row, " | ") // the first column may name a file
		tests := named.FindAllStringSubmatch(row, -1)
		if len(tests) == 0 && !strings.HasPrefix(row, "Cannot apply: ") &&
			!strings.HasPrefix(row, "Not promised: ") {
			t.Errorf("neither a test nor a reason: %s", row)
		}
		for _, m := range tests {
			dir, name, subtest := m[1], m[2], m[3]
			if dir == "" {
				dir = "test/boundary"
			}
			if !slices.ContainsFunc(testsIn(t, dir), func(source string) bool {
				return strings.Contains(source, "func_"+name+"(") && strings.Contains(source, `"`+subtest)
			}) {
				t.Errorf("there is no test %s", m[0])
			}
		}
	}
	declared := regexp.MustCompile(`func_(TestBoundary\w+)\(`)
	here := strings.Join(testsIn(t, "test/boundary"), "\n")
	for _, m := range declared.FindAllStringSubmatch(here, -1) {
		if m[1] != "TestBoundaryTable" && !strings.Contains(table, "`"+m[1]) {
			t.Errorf("SECURITY.md does not name %s", m[1])
		}
	}
}
