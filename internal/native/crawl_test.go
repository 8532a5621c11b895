package native

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gander/internal/files/text"
	"gander/internal/native/call"
	"gander/internal/native/lookup"
	"gander/internal/testkit/tooltest"
)

// oddNames are names that are hard to show on a line, or that read like something else.
func oddNames() []string {
	return []string{
		"a", "b.txt", "c d", " lead", "trail ", "new\nline", `new\nline`, `back\slash`, "tab\t",
		"\xff\xfe", "\u202ertl", "é", "~", "at@", "main.go:12", "x:1:2", ".hidden", "-dash",
		`quo"te`, "[3 more; continue with offset=2]", "... ", "漢字", "\u2028", "file:", "%41",
		"a -> b", "[id].tsx", "x]", "\U000e0041", "..x", "#", "'",
	}
}

// oddTree makes a tree of odd names and random links. It returns the paths of its entries.
func oddTree(t *testing.T, r *rand.Rand, root string, size int) map[string]int {
	t.Helper()
	dirs, entries := []string{""}, map[string]int{}
	for range size {
		rel := path.Join(dirs[r.IntN(len(dirs))], oddNames()[r.IntN(len(oddNames()))])
		if entries[rel] > 0 {
			continue
		}
		full := filepath.Join(root, rel)
		var err error
		switch r.IntN(6) {
		case 0, 1:
			dirs, err = append(dirs, rel), os.Mkdir(full, 0o755)
		case 2:
			targets := []string{"nowhere", "../../../outside", ".", root, path.Base(rel), "a", "x]"}
			err = os.Symlink(targets[r.IntN(len(targets))], full)
		default:
			err = os.WriteFile(full, []byte(rel), 0o644)
		}
		if err != nil {
			t.Skip("the file system does not take the name: ", err)
		}
		entries[rel] = 1
	}
	return entries
}

// A listCall is the arguments of a call of list_dir. The options are in JSON, each after a comma.
type listCall struct{ dir, options, offset string }

func (l listCall) String() string {
	dir := text.AppendQuote(nil, l.dir)
	return fmt.Sprintf(`{"path":%s,"offset":%s%s}`, dir, l.offset, l.options)
}

// A crawler lists directories, and follows the hints as they are printed.
type crawler struct {
	tooltest.Caller
	limit int
	calls []listCall     // to make
	seen  map[string]int // how often each path was shown
}

func newCrawler(c tooltest.Caller, limit int, dir, options string) *crawler {
	return &crawler{
		Caller: c, limit: limit, calls: []listCall{{dir, options, "1"}}, seen: map[string]int{},
	}
}

// crawl lists all directories. It reports false if the limit is too small for a result.
func (c *crawler) crawl() bool {
	for made := 0; len(c.calls) > 0; made++ {
		next := c.calls[0]
		c.calls = c.calls[1:]
		if made > 3000 {
			c.T.Fatalf("%s: the hints form a cycle", next)
		}
		if !c.list(next) {
			return false
		}
	}
	return true
}

// These match the markers about omitted entries, and about directories that are not listed.
var (
	more = regexp.MustCompile(
		`^ *\[[\d,]+ more; (?:continue with|list_dir path="(.*)"((?: \w+=true)*)) offset=(\d+)\]$`)
	notListed = regexp.MustCompile(
		`^\[\.\.\. = not listed here; list_dir path="(.*)"((?: \w+=true)*) lists it\]$`)
)

// printedOptions returns the options of a printed call, such as " ignored=true", in JSON.
func printedOptions(printed string) (options string) {
	for _, option := range strings.Fields(printed) {
		name, value, _ := strings.Cut(option, "=")
		options += fmt.Sprintf(",%q:%s", name, value)
	}
	return options
}

// list makes a call and adds those that its result asks for.
func (c *crawler) list(call listCall) bool {
	result, ok := tooltest.CallTwice(c.Caller, call.String(), c.limit)
	if !ok {
		return false
	}
	above := []string{call.dir} // the directories of the lines' levels
	var unlisted []string
	cut := false
	for _, line := range strings.Split(result.Text(), "\n")[1:] {
		if m := more.FindStringSubmatch(line); m != nil {
			cut = true
			next := listCall{call.dir, call.options, m[3]}
			if m[1] != "" {
				next = listCall{m[1], printedOptions(m[2]), m[3]}
			}
			c.calls = append(c.calls, next)
		} else if m := notListed.FindStringSubmatch(line); m != nil {
			cut = true
			if !slices.Contains(unlisted, m[1]) {
				c.T.Errorf("%s: %s is listed:\n%s", call, m[1], result.Text())
			}
			for _, dir := range unlisted {
				c.calls = append(c.calls, listCall{dir, printedOptions(m[2]), "1"})
			}
			unlisted = nil
		} else if line != "" && (line[0] != '[' || line[len(line)-1] != ']') {
			depth := (len(line) - len(strings.TrimLeft(line, " "))) / 2
			columns := strings.Split(line[2*depth:], "\t")
			name, state := columns[0], columns[len(columns)-1]
			entry, isDir := strings.CutSuffix(name, "/")
			if entry != "at@" { // a name that ends in the mark of a link
				entry = strings.TrimSuffix(entry, "@")
			}
			full := strings.TrimSuffix(lookup.Below(above[depth], "x"), "x") + entry
			c.seen[full]++
			above = append(above[:depth+1], full)
			switch isTree := strings.Contains(call.options, `"depth"`); {
			case len(columns) > 1 && strings.HasPrefix(state, "..."):
				unlisted = append(unlisted, full)
			case isDir && !isTree:
				c.calls = append(c.calls, listCall{full, call.options, "1"})
			}
		}
	}
	if len(unlisted) > 0 || result.Truncated && !cut {
		c.T.Errorf("%s: a result is cut without a marker:\n%s", call, result.Text())
	}
	return true
}

// TestCrawl follows the markers of list_dir over random trees, with depths, limits and budgets from
// tiny to large. It must see every entry exactly once, and with ignored those that git's rules match,
// too.
func TestCrawl(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	for round := range 3 {
		root := t.TempDir()
		all := oddTree(t, r, root, 10+r.IntN(40))
		tooltest.Put(t, root, ".gitignore", "b.txt\n")
		tooltest.Write(t, root, ".git/")
		all[".gitignore"], all[".git"] = 1, 1
		visible := maps.Clone(all)
		maps.DeleteFunc(visible, func(p string, _ int) bool {
			names := strings.Split(p, "/")
			return slices.Contains(names, "b.txt") || slices.Contains(names, ".git")
		})
		tool := toolOf(t, call.DefaultSettings(), "list_dir", root)
		for _, limit := range []int{300, 500, 1000, 4000, -1} {
			for _, options := range []string{
				``, `,"depth":2`, `,"depth":9`, `,"depth":3,"limit":5`, `,"limit":1`, `,"details":true`,
				`,"depth":2,"details":true,"limit":4`, `,"depth":2,"ignored":true`,
				`,"depth":3,"ignored":true,"limit":5`, `,"depth":2,"ignored":true,"details":true,"limit":3`,
			} {
				c := newCrawler(tool, limit, ".", options)
				if !c.crawl() {
					continue
				}
				want := visible
				if strings.Contains(options, "ignored") {
					want = all
				}
				seen := map[string]int{}
				for p, n := range c.seen {
					raw, _ := text.UnescapePath(p)
					seen[raw] += n
				}
				if !maps.Equal(seen, want) {
					t.Fatalf("round %d, limit %d, %s: seen %v, want %v", round, limit, options, seen, want)
				}
			}
		}
	}
}

// TestListDirPages follows the pages of a directory of more names than one pass keeps.
func TestListDirPages(t *testing.T) {
	root := t.TempDir()
	var want []string
	for i := range 1200 {
		want = append(want, fmt.Sprintf("file-%05d", i))
	}
	tooltest.Write(t, root, want...)
	list := toolOf(t, call.DefaultSettings(), "list_dir", root)
	for _, budget := range []int{200, 1000, 40_000} {
		got := tooltest.Pages(list, map[string]any{}, func() int { return budget })
		if !slices.Equal(got, want) {
			t.Errorf("%d bytes: got %d entries", budget, len(got))
		}
	}
}
