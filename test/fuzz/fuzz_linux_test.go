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
	"unicode/utf8"

	"gander"
	"gander/internal/testkit"
	"gander/internal/testkit/fixture"
	"gander/tool"
)

// FuzzInvariants calls every tool on a random tree and checks the invariants of every result.
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
		c := checker{t, r, toolset, root, int(limit)}
		for range 3 {
			dir := c.pick(dirs...)
			c.otherListings(dir)
			c.gemini(dir)
			c.filesystemListings(dir)
			c.filesystemTree(dir)
			c.filesystemSearch(dir)
		}
		if len(files) > 0 {
			file := c.pick(files...)
			args := object{"path": file, "offset": r.IntN(5) - 2, "numbers": c.coin()}
			c.call("gander/read_file", args)
			c.call("gander/list_dir", object{"path": file})
			c.call("codex/read_file", object{
				"file_path": root + "/" + file, "offset": 1 + r.IntN(2),
				"mode": c.pick("slice", "indentation"),
			})
			c.filesystemFile(c.pick(files...))
		}
	})
}

// under returns the directories and the regular files below root, relative to it, whose paths are
// valid UTF-8.
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

type object = map[string]any

// A checker calls tools on a tree that does not change.
type checker struct {
	*testing.T
	r       *rand.Rand
	toolset *gander.Toolset
	root    string
	limit   int // in bytes; negative means no limit
}

func (c checker) coin() bool                 { return c.r.IntN(2) == 0 }
func (c checker) pick(from ...string) string { return from[c.r.IntN(len(from))] }

// call makes a call twice and checks the invariants of all tools. It returns false if the call
// fails.
func (c checker) call(id string, args object) (string, bool) {
	c.Helper()
	raw, err := json.Marshal(args)
	testkit.Must(c, err)
	call := tool.Call{Args: raw}
	if c.limit >= 0 {
		call.Budget.MaxOutputBytes = &c.limit
	}
	inner := testkit.Inner(c.toolset)
	result, err := inner.Call(c.Context(), id, call)
	again, errAgain := inner.Call(c.Context(), id, call)
	if !reflect.DeepEqual(result, again) || fmt.Sprint(err) != fmt.Sprint(errAgain) {
		c.Errorf("%s of %s: two calls return\n%+v, %v and\n%+v, %v",
			id, raw, result, err, again, errAgain)
	}
	if err != nil {
		failure := err.(*tool.Error)
		if failure.Kind == tool.Internal || failure.Kind == tool.Outside ||
			failure.Message == "" || !utf8.ValidString(failure.Message) {
			c.Errorf("%s of %s: %s, %v", id, raw, failure.Kind, err)
		}
		return "", false
	}
	text := result.Text()
	if !utf8.ValidString(text) || c.limit >= 0 && len(text) > c.limit {
		c.Errorf("%s of %s: %d bytes under a limit of %d: %q", id, raw, len(text), c.limit, text)
	}
	return text, true
}

// otherListings calls tools whose results only call checks, because the tests of their packages
// compare results on random trees with a reference, or read every page.
func (c checker) otherListings(dir string) {
	at, ignored := c.root+"/"+dir, c.coin()
	c.call("gander/list_dir", object{
		"path": dir, "depth": 1 + c.r.IntN(4), "limit": 1 + c.r.IntN(20), "ignored": ignored,
		"details": c.coin(),
	})
	c.call("gander/find_files", object{
		"path": dir, "pattern": c.pick("a", "*", "**/*b*", "{a,b}*"), "ignored": ignored,
		"sort": c.pick("path", "modified"),
	})
	c.call("gander/search_text", object{
		"path": dir, "pattern": c.pick(".", "a|b", "^$"), "ignored": ignored,
		"output": c.pick("lines", "files", "counts"),
	})
	c.call("codex/list_dir", object{
		"dir_path": at, "offset": 1 + c.r.IntN(30), "limit": 1 + c.r.IntN(30), "depth": 1 + c.r.IntN(4),
	})
	c.call("forge/list_directory", object{
		"path": at + "/", "recursive": c.coin(), "max_entries": 1 + c.r.IntN(60),
		"include_hidden": c.coin(), "include_other": c.coin(),
	})
	if !strings.Contains(dir, `\`) { // tree reads it as a separator
		c.call("toolkit/tree", object{
			"path": dir, "max_entries": 1 + c.r.IntN(60), "max_depth": c.r.IntN(6),
			"include_hidden": c.coin(), "entry_kind": c.pick("all", "directory"),
		})
	}
}

// names returns the kinds of the entries of a directory by their names in results. The directory
// is below dir and specified by its path in results. Several directories may have that path, and
// several entries one name.
func (c checker) names(dir, shown string) map[string][]string {
	c.Helper()
	dirs := []string{dir}
	for name := range strings.FieldsFuncSeq(shown, func(r rune) bool { return r == '/' }) {
		var below []string
		c.entries(dirs, func(parent string, e os.DirEntry) {
			if e.IsDir() && fixture.Lossy(e.Name()) == name {
				below = append(below, path.Join(parent, e.Name()))
			}
		})
		dirs = below
	}
	kinds := map[os.FileMode]string{0: "file", os.ModeDir: "directory", os.ModeSymlink: "symlink"}
	names := map[string][]string{}
	c.entries(dirs, func(_ string, e os.DirEntry) {
		kind := kinds[e.Type()]
		if kind == "" {
			kind = "other"
		}
		name := fixture.Lossy(e.Name())
		names[name] = append(names[name], kind)
	})
	return names
}

func (c checker) entries(dirs []string, visit func(dir string, e os.DirEntry)) {
	for _, dir := range dirs {
		found, err := os.ReadDir(c.root + "/" + dir)
		testkit.Must(c, err)
		for _, e := range found {
			visit(dir, e)
		}
	}
}

// escaped returns a name as results in text contain it: characters that forge or hide text are
// escaped as in JSON.
func escaped(name string) string {
	var b strings.Builder
	for _, r := range name {
		switch {
		case r == '\n':
			b.WriteString(`\n`)
		case r < ' ', r == 0x7f, r == 0x2028, r == 0x202e:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// lines returns the lines of a result up to the notice at its end, if any.
func lines(content string) []string {
	all := strings.Split(content, "\n")
	end := slices.IndexFunc(all, func(line string) bool {
		return strings.HasPrefix(line, "[gander: ")
	})
	if end >= 0 {
		all = all[:end]
	}
	return all
}
