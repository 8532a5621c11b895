package boundary

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"path"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"golang.org/x/text/unicode/norm"

	"gander"
	"gander/internal/testkit"
	"gander/internal/testkit/fixture"
)

// A reference decides about a path by a list of patterns as SECURITY.md says.
type reference []string

// denies reports whether a pattern denies a path without links, or a directory above it.
func (r reference) denies(p string) bool {
	if p == "." {
		return false
	}
	for _, written := range slices.Backward(r) {
		glob, isException := strings.CutPrefix(written, "!")
		if isException && globOf(glob, "").MatchString(p) {
			return r.denies(path.Dir(p))
		}
		if !isException && globOf(folded(glob), "(/.*)?").MatchString(folded(p)) {
			return true
		}
	}
	return r.denies(path.Dir(p))
}

func folded(p string) string { return strings.ToLower(norm.NFC.String(p)) }

// globOf returns the expression for a glob, and for what may follow.
func globOf(glob, end string) *regexp.Regexp {
	if !strings.Contains(glob, "/") {
		glob = "**/" + glob
	}
	return regexp.MustCompile("^" + strings.NewReplacer(
		"**/", "(.*/)?", "/**", "(/.*)?", "*", "[^/]*", ".", `\.`,
	).Replace(strings.TrimPrefix(glob, "/")) + end + "$")
}

// TestBoundaryExceptions has random deny patterns with exceptions. No tool and no command of the
// shell shows the content of a file that the reference calls denied, by any path, and every other
// file can be read by its own.
func TestBoundaryExceptions(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the tree has names that differ in their case, and links")
	}
	const accent = "e\u0301" // not composed
	files := map[string]string{}
	names := []string{"a", "A", "s.pem", "S.pem", accent, "é", "b"}
	for i, dir := range []string{"", "a/", "A/", "b/", "a/b/", "b/s.pem/", "b/" + accent + "/"} {
		for j, name := range names {
			if name == "b" || !strings.Contains("b/a/", dir) && name != "s.pem" && j%2 == 0 {
				continue
			}
			if name == "a" || name == "A" || dir == "b/" && (name == "s.pem" || name == accent) {
				name += "-"
			}
			files[dir+name] = fmt.Sprintf("CONTENT-%d-%d.", i, j)
		}
	}
	root := fixture.Make(t, "to => b", "a/up => ../b", "open => a/b", "o => a/s.pem", "b/up => ..")
	fixture.Write(t, root, files)
	parts := append(names, "**", "*", "*.pem", "up", "to", "open", "a-", "A-")
	r := rand.New(rand.NewPCG(5, 1))
	random := func() string {
		p := parts[r.IntN(len(parts))]
		for range r.IntN(3) {
			p += "/" + parts[r.IntN(len(parts))]
		}
		return p
	}
	rounds := 60
	if testing.Short() {
		rounds = 12
	}
	for range rounds {
		rules := reference{"*.pem"}
		for range 1 + r.IntN(5) {
			rules = append(rules, []string{"", "!", "!"}[r.IntN(3)]+random())
		}
		if strings.Contains(strings.Join(rules, " ")+" ", "**/** ") {
			continue // in these, components without a name mean different things
		}
		o := gander.Options{
			Roots: []string{root}, Deny: rules, NoDefaultDeny: true, Sets: testkit.Sets(),
		}
		ts, err := gander.Open(o)
		if err != nil {
			continue // a pattern denies everything
		}
		checkExceptions(t, ts, rules, files)
		testkit.Must(t, ts.Close())
	}
}

// checkExceptions checks what can be read of files.
func checkExceptions(t *testing.T, ts *gander.Toolset, rules reference, files map[string]string) {
	t.Helper()
	var all strings.Builder
	for p, content := range files {
		got := use(t, ts, "gander/read_file", p).text
		all.WriteString(got)
		if isOpen := strings.Contains(got, content); isOpen == rules.denies(p) {
			t.Errorf("%q: %q can be read: %v", rules, p, isOpen)
		}
	}
	paths := []string{"o"}
	for _, prefix := range []string{"to/", "open/", "a/up/", "b/up/", "b/up/to/", "b/../"} {
		for p := range files {
			paths = append(paths, prefix+path.Base(p), prefix+p)
		}
	}
	for _, id := range []string{"gander/list_dir", "gander/find_files", "gander/search_text"} {
		all.WriteString(use(t, ts, id, ".").text)
	}
	for page := range slices.Chunk(paths, 50) { // one call reads many paths
		all.WriteString(use(t, ts, "gander/read_file", strings.Join(page, "\n")).text)
	}
	all.WriteString(runLine(t, ts, `grep -r . . to/ open/ a/up/ o; cat */* */*/* */*/*/* *; rg -uuLn .
find -L . -type f -exec cat {} +; for f in **; do head "$f"; done; echo o b/s.pem/* | xargs cat`))
	for _, p := range slices.Sorted(maps.Keys(files)) {
		if rules.denies(p) && strings.Contains(all.String(), files[p]) {
			t.Errorf("%q: %q is shown", rules, p)
		}
	}
}
