package fuzz

import (
	"encoding/json"
	"fmt"
	"os"
	"path"
	"slices"
	"strings"

	"gander/internal/testkit"
	"gander/internal/testkit/fixture"
)

// gemini checks that each line is a name in the directory, that directories are first, and that no
// name occurs twice.
func (c checker) gemini(dir string) {
	args := object{"path": c.root + "/" + dir}
	if c.coin() {
		args["ignore"] = []string{"a*", "?"}
	}
	content, _ := c.call("gemini/list_directory", args)
	list, found := strings.CutPrefix(content, "Directory listing for "+c.root+"/"+dir+":")
	if !found {
		return // the directory is empty, everything is ignored, or the limit is too small
	}
	left := map[string]int{}
	for name := range c.names(dir, "") {
		left[escaped(name)]++
	}
	files := false
	for _, line := range lines(strings.TrimPrefix(list, "\n")) {
		if line == "" {
			break // a count follows
		}
		name, isDir := strings.CutPrefix(line, "[DIR] ")
		if left[name]--; left[name] < 0 {
			c.Errorf("gemini: %q is shown, and is not there: %q", name, content)
		}
		if files = files || !isDir; files && isDir {
			c.Errorf("gemini: a directory after a file: %q", content)
		}
	}
}

// filesystemListings checks that the listings have a line for each entry.
func (c checker) filesystemListings(dir string) {
	at := path.Join(c.root, dir)
	var want []string
	for name, kinds := range c.names(dir, "") {
		want = append(want, slices.Repeat([]string{escaped(name)}, len(kinds))...)
	}
	content, ok := c.call("filesystem/list_directory", object{"path": at})
	if ok && c.limit < 0 {
		var got []string
		for line := range strings.Lines(content) {
			_, name, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "] ")
			got = append(got, name)
		}
		slices.Sort(want)
		slices.Sort(got)
		if !slices.Equal(got, want) {
			c.Errorf("list_directory: %q, and there is %q", got, want)
		}
	}
	args := object{"path": at, "sortBy": c.pick("name", "size")}
	content, ok = c.call("filesystem/list_directory_with_sizes", args)
	if !ok || c.limit >= 0 || len(want) == 0 {
		return
	}
	var files, dirs int
	_, totals, _ := strings.Cut("\n"+content, "\n\nTotal: ")
	_, err := fmt.Sscanf(totals, "%d files, %d directories", &files, &dirs)
	if err != nil || files+dirs != len(want) {
		c.Errorf("list_directory_with_sizes: the totals are %.60q of %d entries", totals, len(want))
	}
}

// filesystemSearch checks that a search finds existing entries.
func (c checker) filesystemSearch(dir string) {
	at := path.Join(c.root, dir)
	pattern := c.pick("**", "*", "**/a*", "{a,b}*/**", "!a", "+(a|b)", "[a-c]*")
	content, ok := c.call("filesystem/search_files", object{
		"path": at, "pattern": pattern, "excludePatterns": []string{"b*"}[c.r.IntN(2):],
	})
	if !ok || content == "No matches found" {
		return
	}
	for _, line := range lines(content) {
		rest, found := strings.CutPrefix(line, escaped(at)+"/")
		_, err := os.Lstat(path.Join(at, rest))
		if !found || err != nil && !strings.Contains(rest, `\`) { // an escaped name
			c.Errorf("search_files of %s: %q, %v", pattern, line, err)
		}
	}
}

// A node is an entry of directory_tree.
type node struct {
	Name, Type string
	Children   []node
}

// filesystemTree checks the JSON of directory_tree.
func (c checker) filesystemTree(dir string) {
	content, ok := c.call("filesystem/directory_tree", object{"path": path.Join(c.root, dir)})
	if !ok {
		return
	}
	content, _, _ = strings.Cut(content, "\n[gander: ")
	var nodes []node
	testkit.Must(c, json.Unmarshal([]byte(content), &nodes))
	c.entriesOf(dir, "", nodes)
}

// entriesOf checks the entries of the directory at rel of the tree of dir.
func (c checker) entriesOf(dir, rel string, nodes []node) {
	names := c.names(dir, rel)
	last := ""
	for _, n := range nodes {
		if !slices.ContainsFunc(names[n.Name], func(kind string) bool {
			return (kind == "directory") == (n.Type == "directory")
		}) {
			c.Errorf("directory_tree: %+v is shown, and there is %q", n, names[n.Name])
		}
		if n.Name < last && !strings.ContainsRune(last+n.Name, '\ufffd') {
			c.Errorf("directory_tree: %q is before %q", last, n.Name)
		}
		last = n.Name
		if len(n.Children) > 0 {
			c.entriesOf(dir, path.Join(rel, n.Name), n.Children)
		}
	}
}

// filesystemFile checks the text of a file, its head and its tail.
func (c checker) filesystemFile(file string) {
	data, err := os.ReadFile(c.root + "/" + file)
	testkit.Must(c, err)
	whole, n := fixture.Lossy(string(data)), 1+c.r.IntN(3)
	texts := map[string]string{"": whole, "head": head(whole, n), "tail": tail(whole, n)}
	for key, want := range texts {
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

func head(text string, n int) string {
	lines := strings.Split(text, "\n")
	if last := len(lines) - 1; lines[last] == "" {
		lines = lines[:last]
	}
	return strings.Join(lines[:min(n, len(lines))], "\n")
}

func tail(text string, n int) string {
	lines := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	return strings.Join(lines[max(len(lines)-n, 0):], "\n")
}
