package fuzz

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path"
	"slices"
	"strings"

	"gander/internal/testkit"
	"gander/internal/testkit/fixture"
)

// filesystem checks that the two listings have a line for each entry, that the tree has the entries of each directory, and that a
// search finds what is there.
func (c checker) filesystem(r *rand.Rand, dir string) {
	at := path.Join(c.root, dir)
	var want []string
	names := c.shown(dir)
	for name, kinds := range names {
		for range kinds {
			want = append(want, escaped(name))
		}
	}
	if content, ok := c.answer("filesystem/list_directory", map[string]any{"path": at}); ok && c.limit < 0 {
		var got []string
		for line := range strings.Lines(content) {
			name := strings.TrimPrefix(strings.TrimPrefix(strings.TrimSuffix(line, "\n"), "[DIR] "), "[FILE] ")
			got = append(got, name)
		}
		slices.Sort(want)
		slices.Sort(got)
		if !slices.Equal(got, want) {
			c.t.Errorf("list_directory: %q, and there is %q", got, want)
		}
	}
	if content, ok := c.answer("filesystem/list_directory_with_sizes", map[string]any{"path": at, "sortBy": []string{"name", "size"}[r.IntN(2)]}); ok {
		var files, dirs int
		if _, totals, _ := strings.Cut("\n"+content, "\n\nTotal: "); c.limit < 0 && len(want) > 0 {
			if n, err := fmt.Sscanf(totals, "%d files, %d directories", &files, &dirs); n != 2 || err != nil || files+dirs != len(want) {
				c.t.Errorf("list_directory_with_sizes: the totals are %.60q of %d entries", totals, len(want))
			}
		}
	}
	c.jsonTree(dir)
	pattern := []string{"**", "*", "**/a*", "{a,b}*/**", "!a", "+(a|b)", "[a-c]*"}[r.IntN(7)]
	content, ok := c.answer("filesystem/search_files", map[string]any{"path": at, "pattern": pattern, "excludePatterns": []string{"b*"}[r.IntN(2):]})
	if !ok || content == "No matches found" {
		return
	}
	for line := range strings.SplitSeq(content, "\n") {
		if strings.HasPrefix(line, "[gander: ") {
			break
		}
		rest, found := strings.CutPrefix(line, escaped(at)+"/")
		if _, err := os.Lstat(path.Join(at, rest)); !found || err != nil && !strings.Contains(rest, `\`) { // an escaped name is not its own
			c.t.Errorf("search_files of %s: %q, %v", pattern, line, err)
		}
	}
}

// A jsonNode is an entry of directory_tree.
type jsonNode struct {
	Name, Type string
	Children   []jsonNode
}

// jsonTree checks the JSON of directory_tree.
func (c checker) jsonTree(dir string) {
	content, ok := c.answer("filesystem/directory_tree", map[string]any{"path": path.Join(c.root, dir)})
	if !ok {
		return
	}
	content, _, _ = strings.Cut(content, "\n[gander: ") // in a part of its own
	var nodes []jsonNode
	testkit.Must(c.t, json.Unmarshal([]byte(content), &nodes))
	c.visitJSON(nodes, "", dir)
}

// visitJSON checks the entries of the directory at rel, relative to the one asked for.
func (c checker) visitJSON(nodes []jsonNode, rel, dir string) {
	there := c.shownLossy(dir, rel)
	for i, n := range nodes {
		kind := map[string]string{"directory": "dir"}[n.Type]
		if kinds := there[n.Name]; len(kinds) == 0 || (kind == "dir") != slices.Contains(kinds, "dir") && len(kinds) == 1 {
			c.t.Errorf("directory_tree: %+v is shown, and there is %q", n, kinds)
		}
		if i > 0 && n.Name < nodes[i-1].Name && !strings.ContainsRune(n.Name+nodes[i-1].Name, '\ufffd') {
			c.t.Errorf("directory_tree: %q comes before %q", nodes[i-1].Name, n.Name)
		}
		if len(n.Children) > 0 {
			c.visitJSON(n.Children, path.Join(rel, n.Name), dir)
		}
	}
}

// readText checks that the text is that of the file, and that head and tail are its ends.
func (c checker) readText(r *rand.Rand, file string) {
	at := path.Join(c.root, file)
	data, err := os.ReadFile(at)
	testkit.Must(c.t, err)
	whole, n := fixture.Lossy(string(data)), r.IntN(4)
	for key, want := range map[string]string{"": whole, "head": head(whole, n), "tail": tail(whole, n)} {
		args := map[string]any{"path": at}
		if n > 0 && key != "" {
			args[key] = n
		} else {
			want = whole
		}
		if content, ok := c.answer("filesystem/read_text_file", args); ok && c.limit < 0 && content != want {
			c.t.Errorf("read_text_file with %v: %q, want %q", args, content, want)
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
