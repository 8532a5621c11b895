package filesystem

import (
	"encoding/json"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"gander/tool"
)

// TestLargeTree: a tree of several batches, written by a goroutine as there is no limit, is the one that is written at once under a
// limit that it does not reach. A tree that a wrong pattern ends is an error.
func TestLargeTree(t *testing.T) {
	files := map[string]string{}
	for i := range 2 * batchEntries {
		files[fmt.Sprintf("%s/d%d/é%04d", strings.Repeat("s/", i%4), i%37, i)] = ""
		files[fmt.Sprintf("%04d/f", i)] = ""
	}
	root := write(t, files)
	tree := open(t, root)["directory_tree"]
	for _, exclude := range [][]string{{}, {"s"}, {"**/d1*"}, {"**"}} {
		args := map[string]any{"path": ".", "excludePatterns": exclude}
		want, failure := call(t, tree, args, 10<<20)
		if failure != nil || want.Truncated {
			t.Fatalf("%v: truncated %v, %v", exclude, want.Truncated, failure)
		}
		if got, failure := call(t, tree, args, -1); failure != nil || got.Text() != want.Text() || !json.Valid([]byte(got.Text())) {
			t.Errorf("without %v: %d bytes and %v, want %d bytes", exclude, len(got.Text()), failure, len(want.Text()))
		}
	}
	long := strings.Repeat("x", 70_000)
	if got, failure := call(t, tree, map[string]any{"path": ".", "excludePatterns": []string{"*", long}}, -1); failure != nil {
		t.Errorf("a pattern that is not tried: %d bytes, %v", len(got.Text()), failure)
	}
	if _, failure := call(t, tree, map[string]any{"path": ".", "excludePatterns": []string{"d36*", long}}, -1); failure == nil || failure.Kind != tool.BadArguments {
		t.Errorf("a wrong pattern: %v", failure)
	}
}

// TestOneBatch: the goroutine that writes may not have begun when the last entry is there, as on one processor.
func TestOneBatch(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	files := map[string]string{}
	for i := range batchEntries + 1 {
		files[fmt.Sprintf("%04d", i)] = ""
	}
	got, failure := call(t, open(t, write(t, files))["directory_tree"], map[string]any{"path": "."}, -1)
	if failure != nil || strings.Count(got.Text(), `"name"`) != len(files) {
		t.Errorf("%d bytes, %v", len(got.Text()), failure)
	}
}
