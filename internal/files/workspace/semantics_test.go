package workspace

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/txtar"
)

// allSemantics returns the semantics of each system by its name in tables.
func allSemantics() map[string]pathSemantics {
	return map[string]pathSemantics{
		"exact": exactSemantics, "mac": darwinSemantics, "windows": windowsSemantics,
	}
}

// rows returns a table of testdata/semantics.txtar. Columns are separated by two or more spaces,
// and may be quoted as in Go.
func rows(table string) (rows [][]string) {
	space := regexp.MustCompile(` {2,}`)
	for _, file := range Must(txtar.ParseFile("testdata/semantics.txtar")).Files {
		for line := range strings.Lines(string(file.Data)) {
			row := space.Split(strings.TrimSuffix(line, "\n"), -1)
			for i, cell := range row {
				if quoted, err := strconv.Unquote(cell); err == nil {
					row[i] = quoted
				}
			}
			if file.Name == table {
				rows = append(rows, row)
			}
		}
	}
	return rows
}

// TestRelative has paths and the systems that they are relative on.
func TestRelative(t *testing.T) {
	for _, row := range rows("relative") {
		for system, s := range allSemantics() {
			want := slices.Contains(strings.Fields(row[1]), system)
			if got := s.isRelative(s.slashed(row[0])); got != want {
				t.Errorf("%s: %q is relative: %v", system, row[0], got)
			}
		}
	}
}

// TestRootPaths has a given root, its path, the path above it, and the path of its entry d/f. The
// latter must belong to the root, also when it is reached from above.
func TestRootPaths(t *testing.T) {
	for _, row := range rows("roots") {
		s := allSemantics()[row[0]]
		root := s.trimRoot(s.slashed(row[1]))
		up, joined := parentPath(root), joinPath(root, "d/f")
		if got := []string{row[0], row[1], root, up, joined}; !slices.Equal(got, row) {
			t.Errorf("got %q, want %q", got, row)
		}
		for _, p := range []string{
			joined, up + "/" + root[strings.LastIndexByte(root, '/')+1:] + "/d/f",
		} {
			if rest, ok := s.cutRoot(p, root); row[1] != "/" && (!ok || rest != "d/f") {
				t.Errorf("%s: %s is not below it", row[1], p)
			}
		}
	}
}

// TestCutRoot has a root, a path, and the rest of the path below the root.
func TestCutRoot(t *testing.T) {
	for _, row := range rows("cut") {
		s := allSemantics()[row[0]]
		got, ok := s.cutRoot(s.slashed(row[2]), s.slashed(row[1]))
		if !ok {
			got = "no"
		}
		if got != row[3] {
			t.Errorf("%q: got %q", row, got)
		}
	}
}

// TestNameClass has classes of names on macOS and Windows, whether the names are in the top
// directory, and the names. With exactSemantics, all are ordinary.
func TestNameClass(t *testing.T) {
	classes := []string{ordinaryName: "ordinary", ambiguousName: "ambiguous", invalidName: "invalid"}
	for _, row := range rows("classes") {
		for name := range strings.SplitSeq(row[3], ",") {
			for system, want := range map[string]string{
				"exact": "ordinary", "mac": row[0], "windows": row[1],
			} {
				got := classes[allSemantics()[system].classify(name, row[2] == "top")]
				if got != want {
					t.Errorf("%s: %q is %s, want %s", system, name, got, want)
				}
			}
		}
	}
}

// TestFold has pairs of names and the systems where they are the same.
func TestFold(t *testing.T) {
	for _, row := range rows("same") {
		for system, s := range allSemantics() {
			want := slices.Contains(strings.Fields(row[2]), system)
			if got := s.same(row[0], row[1]); got != want {
				t.Errorf("%s: %q and %q are the same: %v", system, row[0], row[1], got)
			}
		}
	}
}

// FuzzSemantics checks that a path folds like its components, that case is ignored if the system
// ignores it, and that a path is below its own parent.
func FuzzSemantics(f *testing.F) {
	for _, path := range []string{
		"a/B", "\u03b1\u03b9", "\xff\\..", "C:/w/x", "..namedfork", "A~1.x", "\u212a\u0301/\u017f\u0307",
	} {
		f.Add(path, "name")
	}
	f.Fuzz(func(t *testing.T, path, name string) {
		for _, semantics := range allSemantics() {
			if semantics.fold(path+"/"+name) != semantics.fold(path)+"/"+semantics.fold(name) {
				t.Errorf("semantics %d: %q and %q fold otherwise together", semantics, path, name)
			}
			if semantics != exactSemantics && utf8.ValidString(name) &&
				!semantics.same(name, strings.ToLower(name)) && strings.EqualFold(name, strings.ToLower(name)) {
				t.Errorf("semantics %d: %q is not what it is in small letters", semantics, name)
			}
			slashed := semantics.slashed(path)
			if name != "" && !strings.ContainsAny(name, `/\`) && name != "." && name != ".." {
				if class := semantics.classify(name, true); semantics == exactSemantics &&
					class != ordinaryName {
					t.Errorf("%q is of class %d", name, class)
				}
			}
			onDrive := strings.HasPrefix(slashed, "/") && !strings.HasPrefix(slashed, "//")
			if semantics.isRelative(slashed) || semantics == windowsSemantics && onDrive {
				continue // no root has such a path
			}
			rest, ok := semantics.cutRoot(slashed+"/"+semantics.slashed(name), slashed)
			if !ok && !strings.Contains("/"+slashed+"/", "/./") &&
				!strings.Contains("/"+slashed+"/", "/../") {
				t.Errorf("semantics %d: %q does not begin with itself", semantics, slashed)
			}
			if ok && strings.HasPrefix(rest, "/") {
				t.Errorf("semantics %d: %q is left of %q", semantics, rest, slashed)
			}
		}
	})
}
