package native

import (
	"cmp"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gander/internal/files/text"
	"gander/internal/testkit/tooltest"
	"gander/internal/toolset"
)

// oddNames are names that are hard to show on a line, or that read like something else.
func oddNames() []string {
	return []string{
		"a", "b.txt", "c d", " lead", "trail ", "new\nline", `new\nline`, `back\slash`, "tab\t",
		"\xff\xfe", "\u202ertl", "é", "~", "at@", "main.go:12", "x:1:2", ".hidden", "-dash",
		`quo"te`, "[3 more; continue with offset=2]", "... ", "漢字", "\u2028", "file:", "%41",
		"a -> b", "\U000e0041", "..x", "#", "'",
	}
}

// oddTree makes a tree of odd names and random links. It returns the paths of its entries, with a
// slash after a directory.
func oddTree(t *testing.T, r *rand.Rand, root string, size int) map[string]bool {
	t.Helper()
	dirs, entries := []string{""}, map[string]bool{}
	for range size {
		rel := path.Join(dirs[r.IntN(len(dirs))], oddNames()[r.IntN(len(oddNames()))])
		if entries[rel] || entries[rel+"/"] {
			continue
		}
		full := filepath.Join(root, rel)
		var err error
		switch r.IntN(6) {
		case 0, 1:
			if err = os.Mkdir(full, 0o755); err == nil {
				dirs, rel = append(dirs, rel), rel+"/"
			}
		case 2:
			targets := []string{"nowhere", "../../../outside", ".", root, path.Base(rel), "a"}
			err = os.Symlink(targets[r.IntN(len(targets))], full)
		default:
			err = os.WriteFile(full, []byte(rel), 0o644)
		}
		if err != nil {
			t.Skip("the file system does not take the name: ", err)
		}
		entries[rel] = true
	}
	return entries
}

// A crawler follows the hints of list_dir from a directory.
type crawler struct {
	t     *testing.T
	tool  tooltest.Caller
	limit int
	args  string // of every call for a directory
	seen  map[string]int
	dirs  []string // directories to list
	calls int
}

// The markers about omitted entries.
var (
	moreHere  = regexp.MustCompile(`^\[([\d,]+) more; continue with offset=(\d+)\]$`)
	moreBelow = regexp.MustCompile(`^ *\[([\d,]+) more; list_dir path="(.*)" offset=(\d+)\]$`)
)

// list lists all pages of a directory. It reports false if the limit is too small for a result.
func (c *crawler) list(dir string, extra string) bool {
	args := fmt.Sprintf(`{"path":%s%s}`, text.AppendQuote(nil, dir), extra)
	if c.calls++; c.calls > 3000 {
		c.t.Fatalf("%s: the hints form a cycle", args)
	}
	result, failure := c.tool.Call(args, c.limit)
	if failure != nil {
		if strings.Contains(failure.Message, "too small for any answer") {
			return false
		}
		c.t.Fatalf("%s: %s", args, failure.Message)
	}
	again, _ := c.tool.Call(args, c.limit)
	if again.Text() != result.Text() {
		c.t.Errorf("%s: the second result differs", args)
	}
	if c.limit > 0 && len(result.Text()) > c.limit {
		c.t.Errorf("%s: %d bytes, the limit is %d", args, len(result.Text()), c.limit)
	}
	_, rest, _ := strings.Cut(result.Text(), "\n")
	above := []string{dir} // the directories of the lines' levels
	cut := false
	for line := range strings.SplitSeq(rest, "\n") {
		if line == "" {
			continue
		}
		if m := moreHere.FindStringSubmatch(line); m != nil {
			cut = true
			if !c.list(dir, strings.Replace(c.args, `"offset":1`, `"offset":`+m[2], 1)) {
				return false
			}
			continue
		}
		if m := moreBelow.FindStringSubmatch(line); m != nil {
			cut = true
			if !c.list(m[2], `,"offset":`+m[3]) {
				return false
			}
			continue
		}
		if strings.HasPrefix(line, "[") && strings.HasSuffix(line, "]") {
			continue
		}
		depth := (len(line) - len(strings.TrimLeft(line, " "))) / 2
		name, state, _ := strings.Cut(line[2*depth:], "\t")
		full := strings.TrimSuffix(below(above[depth], "x"), "x")
		entry := strings.TrimSuffix(name, "/")
		if entry != "at@" { // a name that ends in the mark of a link
			entry = strings.TrimSuffix(entry, "@")
		}
		full += entry
		c.seen[full]++
		if strings.HasSuffix(name, "/") {
			above = append(above[:depth+1], full)
			tree := strings.Contains(extra, `"depth"`)
			if state == "..." || strings.HasPrefix(state, "... ") || !tree {
				c.dirs = append(c.dirs, full)
				cut = cut || strings.HasPrefix(state, "...")
			}
		}
	}
	if result.Truncated && !cut {
		c.t.Errorf("%s: a result is cut without a marker:\n%s", args, result.Text())
	}
	return true
}

// TestCrawl follows the markers of list_dir over random trees, with depths, limits and budgets from
// tiny to large. It must see every entry exactly once.
func TestCrawl(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	for round := range 3 {
		root := t.TempDir()
		entries := oddTree(t, r, root, 10+r.IntN(40))
		c := toolOf(t, DefaultSettings(), "list_dir", nil, root)
		for _, limit := range []int{300, 500, 1000, 4000, -1} {
			for _, args := range []string{
				``, `,"depth":2`, `,"depth":9`,
				`,"depth":3,"limit":5`, `,"limit":1`, `,"details":true`,
			} {
				all := `,"offset":1` + args
				w := &crawler{t, c, limit, all, map[string]int{}, []string{"."}, 0}
				fits := true
				for len(w.dirs) > 0 && fits {
					next := w.dirs[0]
					w.dirs = w.dirs[1:]
					fits = w.list(next, all)
				}
				if !fits {
					continue
				}
				want := map[string]int{}
				for rel := range entries {
					want[strings.TrimSuffix(rel, "/")] = 1
				}
				seen := map[string]int{}
				for p, n := range w.seen {
					raw, _ := text.UnescapePath(p)
					seen[raw] += n
				}
				if !maps.Equal(seen, want) {
					t.Fatalf("round %d, limit %d, %s: seen %v, want %v", round, limit, args, seen, want)
				}
			}
		}
	}
}

// TestPathsWork gives every path in a result of list_dir to each of the tools. The other tools must
// write the same paths.
func TestPathsWork(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	for range 3 {
		roots := []string{t.TempDir(), t.TempDir()}
		w := tooltest.Workspace(t, nil, roots...)
		callers := map[string]tooltest.Caller{}
		for _, each := range New(w, DefaultSettings()) {
			callers[each.Spec().Name] = tooltest.NewCaller(t, each, toolset.Options{})
		}
		for i, root := range roots {
			entries := oddTree(t, r, root, 40)
			start := cmp.Or(strings.Repeat(text.EscapePath(root), i), ".")
			c := &crawler{
				t, callers["list_dir"], -1, `,"offset":1`, map[string]int{}, []string{start}, 0,
			}
			for len(c.dirs) > 0 {
				next := c.dirs[0]
				c.dirs = c.dirs[1:]
				c.list(next, c.args)
			}
			if len(c.seen) != len(entries) {
				t.Errorf("%d paths of %d entries", len(c.seen), len(entries))
			}
			listed := map[string]bool{}
			for p := range c.seen {
				checkPath(t, callers, root, i, p)
				raw, _ := text.UnescapePath(p)
				listed[raw] = true
			}
			for args, name := range map[string]string{
				`"limit":1000`: "find_files",
				`"pattern":"^","output":"files","limit":1000`: "search_text",
			} {
				lines := strings.Split(output(callers[name],
					`{"path":`+string(text.AppendQuote(nil, start))+`,`+args+`}`, -1), "\n")
				if len(lines) < 2 {
					t.Errorf("%s: %s", name, lines)
				}
				for _, p := range lines[1:] {
					raw, _ := text.UnescapePath(strings.TrimSuffix(p, "/"))
					if !listed[raw] || strings.HasPrefix(p, "[") && strings.HasSuffix(p, "]") {
						t.Errorf("%s: %s is no path of list_dir, or could pass for a note", name, p)
					}
				}
			}
		}
	}
}

// checkPath checks that a path in a result names the same file in each tool.
func checkPath(
	t *testing.T, callers map[string]tooltest.Caller, root string, index int, shown string,
) {
	t.Helper()
	quoted := string(text.AppendQuote(nil, shown))
	raw, ok := text.UnescapePath(shown)
	if !ok {
		t.Fatalf("%s does not unescape", shown)
	}
	full := raw
	if index == 0 {
		full = filepath.Join(root, raw)
	}
	info, statErr := os.Stat(full)
	for name, args := range map[string]string{
		"list_dir": "", "read_file": "", "find_files": `"pattern":"",`,
		"search_text": `"pattern":"^.*$","output":"counts",`,
	} {
		answer := output(callers[name], `{`+args+`"path":`+quoted+`}`, -1)
		kind, _, _ := strings.Cut(answer, ":")
		wrong := slices.Contains([]string{"not_found", "bad_arguments", "outside"}, kind)
		switch reads := name == "list_dir" || name == "read_file"; {
		case statErr != nil:
			wrong = reads && !strings.Contains(answer, "cannot be followed")
		case name == "list_dir" && !info.IsDir():
			wrong = !strings.Contains(answer, number(info.Size())+" bytes")
		}
		if wrong {
			t.Errorf("%s %s: %s", name, shown, answer)
		}
	}
}

// Patterns for a line of a file, the marker of a cut line, and a hint in a heading.
var (
	readLine = regexp.MustCompile(`^(-?\d+)\t(.*)$`)
	cutLine  = regexp.MustCompile(` \[line cut at [\d,]+ of [\d,]+ .*the rest: path="(.*)"\]$`)
	goOn     = regexp.MustCompile(`; continue with (?:offset=(-?\d+)|path="(.*)")$`)
)

// TestReadOn follows the markers of read_file over random files, with budgets from tiny to large.
// It must read every character of every line exactly once.
func TestReadOn(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	root := t.TempDir()
	for round := range 5 {
		var want []string
		for range 1 + r.IntN(40) {
			length := []int{0, 1, 5, 40, 200, 3000}[r.IntN(6)]
			if length == 3000 && r.IntN(4) == 0 {
				length = 20_000
			}
			var line strings.Builder
			for range r.IntN(length + 1) {
				line.WriteString([]string{"a", "b", "é", "漢", "😀", " "}[r.IntN(6)])
			}
			want = append(want, line.String())
		}
		put(t, root, "f", strings.Join(want, []string{"\n", "\r\n"}[r.IntN(2)])+"\n")
		c := toolOf(t, Settings{}, "read_file", nil, root)
		for _, limit := range []int{250, 1000, 5000, 40_000, -1} {
			got, ok := readAll(t, c, limit)
			if !ok {
				continue
			}
			if !slices.Equal(got, want) {
				t.Fatalf("round %d, limit %d: %d lines, want %d", round, limit, len(got), len(want))
			}
		}
	}
}

// readAll reads the file f by following the hints. It reports false if the limit is too small for a
// result.
func readAll(t *testing.T, c tooltest.Caller, limit int) (lines []string, ok bool) {
	t.Helper()
	var pieces []string // paths of the rest of cut lines
	args := []string{`{"path":"f"}`}
	for calls := 0; len(args) > 0; calls++ {
		next := args[0]
		if calls > 3000 {
			t.Fatalf("%s: the hints form a cycle", next)
		}
		args = args[1:]
		result, failure := c.Call(next, limit)
		if failure != nil && strings.Contains(failure.Message, "too small for any answer") {
			return nil, false
		}
		if failure != nil {
			t.Fatalf("%s: %s", next, failure.Message)
		}
		if limit > 0 && len(result.Text()) > limit {
			t.Fatalf("%s: %d bytes, the limit is %d", next, len(result.Text()), limit)
		}
		head, rest, _ := strings.Cut(result.Text(), "\n")
		marked := false
		for line := range strings.SplitSeq(rest, "\n") {
			m := readLine.FindStringSubmatch(line)
			if m == nil {
				continue
			}
			number, _ := strconv.Atoi(m[1])
			content := m[2]
			if cut := cutLine.FindStringSubmatch(content); cut != nil {
				marked = true
				content = strings.TrimSuffix(content, cut[0])
				pieces = append(pieces, cut[1])
			}
			if number == len(lines)+1 {
				lines = append(lines, content)
			} else {
				lines[number-1] += content
			}
		}
		if m := goOn.FindStringSubmatch(head); m != nil {
			marked = true
			if m[1] != "" {
				args = append(args, `{"path":"f","offset":`+m[1]+`}`)
			} else {
				pieces = append(pieces, m[2])
			}
		}
		if result.Truncated && !marked {
			t.Fatalf("%s: cut without a mark: %s", next, head)
		}
		if len(args) == 0 && len(pieces) > 0 {
			args = append(args, `{"path":`+string(text.AppendQuote(nil, pieces[0]))+`}`)
			pieces = pieces[1:]
		}
	}
	return lines, true
}
