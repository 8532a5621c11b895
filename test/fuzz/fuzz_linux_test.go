package fuzz

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"regexp"
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
			c.listings(dir)
			c.completeListings(dir)
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
			c.text(c.pick(files...))
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

// listings calls tools whose results only call checks. The tests of the packages of most compare
// results on random trees with a reference, or read every page.
func (c checker) listings(dir string) {
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
	c.call("gemini/list_directory", object{"path": at, "ignore": []string{"a*", "?"}})
	c.call("filesystem/search_files", object{
		"path": at, "pattern": c.pick("*", "**/a*", "{a,b}*/**", "!a", "+(a|b)", "[a-c]*"),
		"excludePatterns": []string{"b*"}[c.r.IntN(2):],
	})
	if !strings.Contains(dir, `\`) { // tree reads it as a separator
		c.call("toolkit/tree", object{
			"path": dir, "max_entries": 1 + c.r.IntN(60), "max_depth": c.r.IntN(6),
			"include_hidden": c.coin(), "entry_kind": c.pick("all", "directory"),
		})
	}
}

// completeListings checks that listings contain every entry, in any order, and nothing else.
func (c checker) completeListings(dir string) {
	at := path.Join(c.root, dir)
	var names, validNames, allNames, validPaths []string
	links := map[string]bool{} // which some tools list only if their target is inside
	testkit.Must(c, filepath.WalkDir(at, func(full string, d os.DirEntry, err error) error {
		if err != nil || full == at {
			return err
		}
		rel, name := strings.TrimPrefix(full, at+"/"), escaped(fixture.Lossy(d.Name()))
		allNames = append(allNames, name)
		if rel == d.Name() {
			names = append(names, name)
		}
		switch {
		case d.Type()&os.ModeSymlink != 0:
			links[escaped(full)] = true
			links[name] = links[name] || rel == d.Name()
		case utf8.ValidString(rel):
			validPaths = append(validPaths, escaped(full))
			if rel == d.Name() {
				validNames = append(validNames, name)
			}
		}
		return nil
	}))
	check := func(id string, args object, want []string, parse func(text string) []string) {
		args["path"] = at
		text, ok := c.call(id, args)
		if !ok || c.limit >= 0 {
			return
		}
		got := parse(text)
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			c.Errorf("%s: got %q, want %q", id, got, want)
		}
	}
	// bracketed returns the names in lines that may begin with a kind in brackets.
	bracketed := regexp.MustCompile(`(?m)^(?:\[(?:DIR|FILE)\] )?(.*)$`)
	lines := func(text string) (list []string) {
		for _, m := range bracketed.FindAllStringSubmatch(text, -1) {
			list = append(list, m[1])
		}
		return list
	}
	if len(names) > 0 {
		check("filesystem/list_directory", object{}, names, lines)
		check("filesystem/list_directory_with_sizes", object{"sortBy": c.pick("name", "size")},
			[]string{fmt.Sprint(len(names))}, func(text string) []string {
				var files, dirs int
				_, totals, _ := strings.Cut(text, "\n\nTotal: ")
				_, err := fmt.Sscanf(totals, "%d files, %d directories", &files, &dirs)
				testkit.Must(c, err)
				return []string{fmt.Sprint(files + dirs)}
			})
	}
	withoutLinks := func(list []string) []string {
		return slices.DeleteFunc(list, func(name string) bool { return links[name] })
	}
	if validPaths = withoutLinks(validPaths); len(validPaths) > 0 {
		check("filesystem/search_files", object{"pattern": "**"}, validPaths,
			func(text string) []string { return withoutLinks(lines(text)) })
	}
	if validNames = withoutLinks(validNames); len(validNames) > 0 {
		no := object{"respect_git_ignore": false, "respect_gemini_ignore": false}
		check("gemini/list_directory", object{"file_filtering_options": no}, validNames,
			func(text string) []string {
				_, list, _ := strings.Cut(text, ":\n")
				return withoutLinks(lines(list))
			})
	}
	check("filesystem/directory_tree", object{}, allNames, func(text string) (list []string) {
		type node struct {
			Name     string
			Children []node
		}
		var nodes []node
		testkit.Must(c, json.Unmarshal([]byte(text), &nodes))
		for len(nodes) > 0 {
			list = append(list, escaped(nodes[0].Name))
			nodes = append(nodes[1:], nodes[0].Children...)
		}
		return list
	})
}

// escaped returns a name as results in text contain it: characters that forge or hide text are
// escaped as in JSON.
func escaped(name string) string {
	return strings.NewReplacer("\n", `\n`, "\x1b", `\u001b`, "\u2028", `\u2028`,
		"\u202e", `\u202e`).Replace(name)
}

// text checks the text of a file, its head and its tail.
func (c checker) text(file string) {
	data, err := os.ReadFile(c.root + "/" + file)
	testkit.Must(c, err)
	whole, n := fixture.Lossy(string(data)), 1+c.r.IntN(3)
	lines := strings.Split(strings.TrimSuffix(whole, "\n"), "\n")
	head := strings.Join(lines[:min(n, len(lines))], "\n")
	lines = strings.Split(strings.ReplaceAll(whole, "\r\n", "\n"), "\n")
	tail := strings.Join(lines[max(len(lines)-n, 0):], "\n")
	for key, want := range map[string]string{"": whole, "head": head, "tail": tail} {
		args := object{"path": path.Join(c.root, file)}
		if key != "" {
			args[key] = n
		}
		content, ok := c.call("filesystem/read_text_file", args)
		if ok && c.limit < 0 && content != want {
			c.Errorf("read_text_file with %v: %q, want %q", args, content, want)
		}
	}
}
