package fuzz

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"gander"
	"gander/internal/testkit"
	"gander/internal/testkit/fixture"
	"gander/tool"
)

// FuzzInvariants calls every tool on a random tree, and checks what must hold for every answer.
func FuzzInvariants(f *testing.F) {
	for seed := range uint64(6) {
		f.Add(seed, uint8(5*seed), int16(-1), "*.txt\n!b*\n/a/\n")
	}
	f.Add(uint64(7), uint8(40), int16(300), "**/a\n\\\xff\n")
	f.Add(uint64(8), uint8(60), int16(0), "")
	f.Fuzz(func(t *testing.T, seed uint64, size uint8, limit int16, ignore string) {
		r := rand.New(rand.NewPCG(seed, 6))
		root := fixture.Make(t, fixture.Random(r, int(size%64), 1+r.IntN(5))...)
		if r.IntN(2) == 0 {
			testkit.Must(t, os.Mkdir(root+"/.git", 0o755))
			testkit.Must(t, os.WriteFile(root+"/.gitignore", []byte(ignore), 0o644))
		}
		toolset, err := gander.Open(gander.Options{Roots: []string{root}})
		testkit.Must(t, err)
		defer toolset.Close()
		dirs, files := under(t, root)
		c := checker{t, toolset, root, int(limit)}
		for range 3 {
			dir := dirs[r.IntN(len(dirs))]
			c.listDir(r, dir)
			c.gemini(r, dir)
			c.forge(r, dir)
			c.tree(r, dir)
			c.gander(r, dir)
			c.filesystem(r, dir)
		}
		if len(files) > 0 {
			file := files[r.IntN(len(files))]
			c.answer("gander/read_file", map[string]any{"path": file, "offset": r.IntN(5) - 2, "numbers": r.IntN(2) == 0})
			c.answer("gander/list_dir", map[string]any{"path": file})
			c.readFile(r, files[r.IntN(len(files))])
			c.readText(r, files[r.IntN(len(files))])
		}
	})
}

// under returns the directories and the regular files below root, relative to it, whose paths are valid UTF-8.
func under(t testing.TB, root string) (dirs, files []string) {
	t.Helper()
	testkit.Must(t, filepath.WalkDir(root, func(full string, d os.DirEntry, err error) error {
		rel, _ := filepath.Rel(root, full)
		switch {
		case err != nil || !utf8.ValidString(rel):
			return err
		case d.IsDir():
			dirs = append(dirs, rel)
		case d.Type().IsRegular():
			files = append(files, rel)
		}
		return nil
	}))
	return dirs, files
}

// A checker calls tools on a tree that does not change. A negative limit is no limit; otherwise it is in bytes.
type checker struct {
	t       *testing.T
	toolset *gander.Toolset
	root    string
	limit   int
}

// answer makes a call twice and checks what holds for every tool. It returns false if the call fails.
func (c checker) answer(id string, args map[string]any) (string, bool) {
	c.t.Helper()
	raw, err := json.Marshal(args)
	testkit.Must(c.t, err)
	call := tool.Call{Args: raw}
	if c.limit >= 0 {
		call.Budget.MaxOutputBytes = &c.limit
	}
	result, err := testkit.Inner(c.toolset).Call(c.t.Context(), id, call)
	again, errAgain := testkit.Inner(c.toolset).Call(c.t.Context(), id, call)
	if !reflect.DeepEqual(result, again) || fmt.Sprint(err) != fmt.Sprint(errAgain) {
		c.t.Errorf("%s of %s: two calls return\n%+v, %v and\n%+v, %v", id, raw, result, err, again, errAgain)
	}
	if err != nil {
		failure := err.(*tool.Error)
		if failure.Kind == tool.Internal || failure.Kind == tool.Outside || failure.Message == "" || !utf8.ValidString(failure.Message) {
			c.t.Errorf("%s of %s: %s, %v", id, raw, failure.Kind, err)
		}
		return "", false
	}
	if !utf8.ValidString(result.Text()) || c.limit >= 0 && len(result.Text()) > c.limit {
		c.t.Errorf("%s of %s: %d bytes under a limit of %d: %q", id, raw, len(result.Text()), c.limit, result.Text())
	}
	return result.Text(), true
}

// shown returns the names in a directory as tools show them. Several entries may have the same shown name; the value lists their
// kinds.
func (c checker) shown(dir string) map[string][]string {
	c.t.Helper()
	found, err := os.ReadDir(c.root + "/" + dir)
	testkit.Must(c.t, err)
	names := map[string][]string{}
	for _, e := range found {
		kind := "other"
		switch {
		case e.IsDir():
			kind = "dir"
		case e.Type().IsRegular():
			kind = "file"
		case e.Type()&os.ModeSymlink != 0:
			kind = "symlink"
		}
		name := fixture.Lossy(e.Name())
		names[name] = append(names[name], kind)
	}
	return names
}

// gander calls gander's own tools, for which answer checks what holds.
func (c checker) gander(r *rand.Rand, dir string) {
	ignored := r.IntN(2) == 0
	c.answer("gander/list_dir", map[string]any{"path": dir, "depth": 1 + r.IntN(4), "limit": 1 + r.IntN(20), "ignored": ignored, "details": r.IntN(2) == 0})
	c.answer("gander/find_files", map[string]any{"path": dir, "pattern": []string{"a", "*", "**/*b*", "{a,b}*"}[r.IntN(4)], "ignored": ignored, "sort": []string{"path", "modified"}[r.IntN(2)]})
	c.answer("gander/search_text", map[string]any{"path": dir, "pattern": []string{".", "a|b", "^$"}[r.IntN(3)], "ignored": ignored, "output": []string{"lines", "files", "counts"}[r.IntN(3)]})
}

// forge checks that the entries exist with the right kind, that they are in order, and that the counts are right.
func (c checker) forge(r *rand.Rand, dir string) {
	most := 1 + r.IntN(60)
	content, ok := c.answer("forge/list_directory", map[string]any{
		"path": c.root + "/" + dir + "/", "recursive": r.IntN(2) == 0, "max_entries": most, "include_hidden": r.IntN(2) == 0, "include_other": r.IntN(2) == 0,
	})
	if !ok {
		return
	}
	var listing struct {
		Entries []struct {
			Name, Path, Type string
			Depth            int
		}
		Returned  int
		Truncated bool
		Reason    *string `json:"truncated_reason"`
	}
	testkit.Must(c.t, json.Unmarshal([]byte(content), &listing))
	at := map[string]map[string][]string{}
	for i, e := range listing.Entries {
		parent, _ := path.Split(e.Path)
		if at[parent] == nil {
			at[parent] = c.shownLossy(dir, parent)
		}
		if kinds := at[parent][e.Name]; !slices.Contains(kinds, e.Type) || path.Base(e.Path) != e.Name || strings.Count(e.Path, "/") != e.Depth-1 {
			c.t.Errorf("forge: %+v is shown, and there is %q", e, kinds)
		}
		if i > 0 && listing.Entries[i-1].Path > e.Path {
			c.t.Errorf("forge: %q stands before %q", listing.Entries[i-1].Path, e.Path)
		}
	}
	if n := len(listing.Entries); n != listing.Returned || n > most || listing.Truncated != (listing.Reason != nil) {
		c.t.Errorf("forge: %d entries, where %d may be: %s", n, most, content)
	}
}

// shownLossy is like shown for a directory below dir that is given by its shown path. Several directories may have that path.
func (c checker) shownLossy(dir, shown string) map[string][]string {
	c.t.Helper()
	all := []string{dir}
	for name := range strings.SplitSeq(strings.Trim(shown, "/"), "/") {
		var below []string
		for _, d := range all {
			found, err := os.ReadDir(c.root + "/" + d)
			testkit.Must(c.t, err)
			for _, e := range found {
				if name == "" || e.IsDir() && fixture.Lossy(e.Name()) == name {
					below = append(below, path.Join(d, e.Name()))
				}
			}
		}
		if name != "" {
			all = below
		}
	}
	names := map[string][]string{}
	for _, d := range all {
		for name, kinds := range c.shown(d) {
			names[name] = append(names[name], kinds...)
		}
	}
	return names
}

type node struct {
	Kind, Name, Path string
	Depth            int
	Truncated        bool
	Children         []node
}

// tree checks that the nodes exist with the right kind, that they are in order, and that the counts are right.
func (c checker) tree(r *rand.Rand, dir string) {
	most, all := 1+r.IntN(60), r.IntN(2) == 0
	args := map[string]any{"path": dir, "max_entries": most, "max_depth": r.IntN(6), "include_hidden": r.IntN(2) == 0}
	if all {
		args["entry_kind"] = "all"
	}
	if strings.Contains(dir, `\`) { // tree reads it as a separator
		return
	}
	content, ok := c.answer("toolkit/tree", args)
	if !ok {
		return
	}
	var answer struct {
		Root    node
		Limit   bool `json:"limit_reached"`
		Scanned int  `json:"scanned_entries"`
		Dirs    int  `json:"total_dirs"`
		Files   int  `json:"total_files"`
		Links   int  `json:"total_symlinks"`
	}
	testkit.Must(c.t, json.Unmarshal([]byte(content), &answer))
	counts := map[string]int{}
	c.visit(answer.Root, "", dir, counts)
	if counts["directory"] != answer.Dirs || counts["file"] != answer.Files || counts["symlink"] != answer.Links || !all && answer.Files+answer.Links > 0 {
		c.t.Errorf("tree: counted %v in %s", counts, content)
	}
	if n := answer.Dirs + answer.Files + answer.Links; n != answer.Scanned || n > most || n == most && !answer.Limit {
		c.t.Errorf("tree: %d nodes, where %d may be: %s", n, most, content)
	}
}

// visit checks a node of the tree over dir; rel is its path relative to dir.
func (c checker) visit(n node, rel, dir string, counts map[string]int) {
	counts[n.Kind]++
	if want := path.Join(fixture.Lossy(dir), rel); n.Path != want && rel != "" {
		c.t.Errorf("tree: the path is %q, want %q", n.Path, want)
	}
	if n.Truncated && len(n.Children) > 0 {
		c.t.Errorf("tree: %q is truncated and has children", n.Path)
	}
	if len(n.Children) == 0 {
		return
	}
	kinds := map[string]string{"directory": "dir", "file": "file", "symlink": "symlink"}
	there := c.shownLossy(dir, rel)
	for i, child := range n.Children {
		if !slices.Contains(there[child.Name], kinds[child.Kind]) || child.Depth != n.Depth+1 {
			c.t.Errorf("tree: %+v is shown, and there is %q", child, there[child.Name])
		}
		if i > 0 && !inOrder(n.Children[i-1], child) {
			c.t.Errorf("tree: %q stands before %q", n.Children[i-1].Path, child.Path)
		}
		c.visit(child, path.Join(rel, child.Name), dir, counts)
	}
}

func inOrder(a, b node) bool {
	rank := func(n node) int { return strings.Index("directory file symlink", n.Kind) }
	if rank(a) != rank(b) {
		return rank(a) < rank(b)
	}
	return slices.Compare(utf16.Encode([]rune(a.Name)), utf16.Encode([]rune(b.Name))) <= 0
}

// gemini checks that each line is a name of the directory, that directories come first, and that no name occurs twice.
func (c checker) gemini(r *rand.Rand, dir string) {
	args := map[string]any{"path": c.root + "/" + dir}
	if r.IntN(2) == 0 {
		args["ignore"] = []string{"a*", "?"}
	}
	content, ok := c.answer("gemini/list_directory", args)
	if !ok {
		return
	}
	list, found := strings.CutPrefix(content, "Directory listing for "+c.root+"/"+dir+":")
	if !found {
		return // the directory is empty, everything is ignored, or the limit is too small
	}
	there := map[string]int{}
	for name := range c.shown(dir) {
		there[escaped(name)]++
	}
	files := false
	for line := range strings.SplitSeq(strings.TrimPrefix(list, "\n"), "\n") {
		if line == "" {
			break // a count follows
		}
		if strings.HasPrefix(line, "[gander: ") {
			break
		}
		name, isDir := strings.CutPrefix(line, "[DIR] ")
		if there[name]--; there[name] < 0 {
			c.t.Errorf("gemini: %q is shown, and is not there: %q", name, content)
		}
		if files = files || !isDir; files && isDir {
			c.t.Errorf("gemini: a directory after a file: %q", content)
		}
	}
}

// escaped returns a name as text answers show it: characters that forge or hide text are escaped as in JSON.
func escaped(name string) string {
	var b strings.Builder
	for _, c := range name {
		if c < ' ' || c == 0x7f || c == 0x2028 || c == 0x202e {
			switch c {
			case '\n':
				b.WriteString(`\n`)
			default:
				fmt.Fprintf(&b, `\u%04x`, c)
			}
			continue
		}
		b.WriteRune(c)
	}
	return b.String()
}

// listDir checks that the pages of a listing add up to the whole.
func (c checker) listDir(r *rand.Rand, dir string) {
	depth := 1 + r.IntN(4)
	args := map[string]any{"dir_path": c.root + "/" + dir, "offset": 1 + r.IntN(30), "limit": 1 + r.IntN(30), "depth": depth}
	c.answer("codex/list_dir", args)
	if c.limit >= 0 {
		return
	}
	body := func(offset, limit int) []string {
		args["offset"], args["limit"] = offset, limit
		content, ok := c.answer("codex/list_dir", args)
		if !ok {
			return nil
		}
		list, found := strings.CutPrefix(content, "Absolute path: "+escaped(c.root+"/"+dir))
		if !found {
			c.t.Errorf("list_dir: no head in %q", content)
		}
		lines := strings.Split(list, "\n")[1:]
		if n := len(lines); n > 0 && strings.HasPrefix(lines[n-1], "More than ") {
			lines = lines[:n-1]
		}
		return lines
	}
	whole := body(1, 100_000)
	step := 1 + r.IntN(9)
	var pages []string
	for len(pages) < len(whole) {
		page := body(len(pages)+1, step)
		if len(page) == 0 || len(page) > step {
			break
		}
		pages = append(pages, page...)
	}
	if !slices.Equal(pages, whole) {
		c.t.Errorf("list_dir: the pages of %d are\n%q\nand the whole is\n%q", step, pages, whole)
	}
	for _, line := range whole {
		if indent := len(line) - len(strings.TrimLeft(line, " ")); indent >= 2*depth+len("  ") {
			c.t.Errorf("list_dir: %q is too deep", line)
		}
	}
}

// readFile checks that line numbers ascend by one and that the lines are those of the file.
func (c checker) readFile(r *rand.Rand, file string) {
	offset := 1 + r.IntN(2)
	content, ok := c.answer("codex/read_file", map[string]any{
		"file_path": c.root + "/" + file, "offset": offset, "mode": []string{"slice", "indentation"}[r.IntN(2)],
	})
	if !ok || content == "" { // only blank lines, which a block omits
		return
	}
	whole, err := os.ReadFile(c.root + "/" + file)
	testkit.Must(c.t, err)
	have := strings.Split(fixture.Lossy(string(whole)), "\n")
	next := 0
	for line := range strings.SplitSeq(content, "\n") {
		if strings.HasPrefix(line, "[gander: ") {
			break
		}
		var number int
		if _, err := fmt.Sscanf(line, "L%d:", &number); err != nil || number < 1 || number > len(have) || next > 0 && number != next {
			c.t.Errorf("read_file: line %q of %q", line, content)
			return
		}
		next = number + 1
		if _, text, _ := strings.Cut(line, ": "); !strings.HasPrefix(have[number-1], strings.TrimSuffix(text, "\r")) {
			c.t.Errorf("read_file: %q is shown of %q", text, have[number-1])
		}
	}
}
