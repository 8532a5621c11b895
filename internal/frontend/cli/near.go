package cli

import (
	"context"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"gander"
	"gander/internal/engine/text"
)

// suggested is err with what may have been meant instead. It is err where nothing is near.
func suggested(err error, near []string) error {
	if len(near) == 0 {
		return err
	}
	return fmt.Errorf("%w; did you mean %s?", err, strings.Join(near, " or "))
}

// suggestTool is err with the tools and dialects that are near to one of the words.
func suggestTool(err error, words []string) error {
	var all []string
	for _, id := range toolIDs() {
		dialect, name, _ := strings.Cut(id, "/")
		all = append(all, id, name, dialect)
	}
	slices.Sort(all)
	all = slices.Compact(all)
	for _, word := range words {
		if close := near(word, all); len(close) > 0 && !slices.Contains(close, word) {
			return suggested(err, close)
		}
	}
	return err
}

// toolIDs are the ids of all tools, in the order in which they are shown.
func toolIDs() []string {
	return []string{"codex/list_dir", "codex/read_file", "gemini/list_directory", "forge/list_directory", "toolkit/tree"}
}

// near returns the words that differ from one by case, or else by a letter or two.
func near(word string, words []string) []string {
	var close []string
	for _, w := range words {
		if text.SameFolded(word, w) {
			return []string{w}
		}
		if min(len(word), len(w)) > 2 && distance(word, w) <= min(2, len(word)/3) {
			close = append(close, w)
		}
	}
	return close[:min(len(close), 3)]
}

// distance is how many letters must be changed, left out or put in to make one word of the other; two that have changed
// places count as one.
func distance(a, b string) int {
	before, last := []int(nil), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := range len(a) {
		row := make([]int, len(b)+1)
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			row[j+1] = min(last[j]+cost, last[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		before, last = last, row
	}
	return last[len(b)]
}

// suggestPath is err, which says that nothing is at a path, with the paths of the workspace that differ from it by case or
// by the form of their characters. Nothing outside is looked at.
func suggestPath(ctx context.Context, ts *gander.Toolset, name string, err error) error {
	found := nearPaths(ctx, ts, name)
	for i, p := range found {
		found[i] = text.Escape(p)
	}
	return suggested(err, found)
}

// maxNear is how many paths are suggested at most.
const maxNear = 3

func nearPaths(ctx context.Context, ts *gander.Toolset, name string) []string {
	base := ""
	slashed := path.Clean(filepath.ToSlash(name))
	if filepath.IsAbs(name) {
		for _, root := range ts.Roots() {
			if rest, ok := strings.CutPrefix(slashed, strings.TrimSuffix(filepath.ToSlash(root), "/")+"/"); ok {
				base, slashed = filepath.ToSlash(root), rest
				break
			}
		}
		if base == "" {
			return nil
		}
	}
	found := []string{base}
	for part := range strings.SplitSeq(slashed, "/") {
		if part == ".." {
			return nil
		}
		var next []string
		for _, dir := range found {
			next = append(next, alike(ctx, ts, dir, part)...)
		}
		found = next[:min(len(next), maxNear)]
	}
	return found
}

// alike returns the entries of a directory whose names differ from one by case or form at most.
func alike(ctx context.Context, ts *gander.Toolset, dir, name string) []string {
	o := gander.ListOptions{Limit: maxNear, Keep: func(e gander.Entry) bool { return text.SameFolded(e.Path, name) }}
	where := dir
	if dir == "" {
		where = "."
	}
	var found []string
	for e, err := range ts.List(ctx, where, o) {
		if e.Path == "" || err != nil {
			break
		}
		found = append(found, path.Join(dir, e.Path))
	}
	return found
}
