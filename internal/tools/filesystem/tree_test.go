package filesystem

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"gander/tool"
)

// TestWholeTree: a tree that several goroutines write, as there is no limit, is the one that is written at once under a limit that it
// does not reach, on one processor or more.
func TestWholeTree(t *testing.T) {
	files := map[string]string{"a/secret/f": "", "secret/f": ""}
	for i := range 2*batchEntries + 1 {
		files[fmt.Sprintf("%s/d%d/é%04d", strings.Repeat("s/", i%4), i%37, i)] = ""
		files[fmt.Sprintf("%04d", i)] = ""
		files[fmt.Sprintf("x%d/f", i)] = ""
	}
	root := write(t, files)
	tree := open(t, root, "secret")["directory_tree"]
	for _, processors := range []int{1, 2, 5} {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(processors))
		for _, path := range []string{".", "a", "x0", "s", "s/s/s"} {
			args := map[string]any{"path": path}
			want, failure := call(t, tree, args, 10<<20)
			if failure != nil || want.Truncated {
				t.Fatalf("%v: truncated %v, %v", path, want.Truncated, failure)
			}
			if got, failure := call(t, tree, args, -1); failure != nil || got.Text() != want.Text() || !json.Valid([]byte(got.Text())) {
				t.Errorf("%v, %d processors: %d bytes and %v, want %d bytes", path, processors, len(got.Text()), failure, len(want.Text()))
			}
		}
	}
	if got, _ := call(t, tree, map[string]any{"path": "."}, -1); strings.Count(got.Text(), `"error": "permission denied"`) != 2 {
		t.Error("a directory that cannot be read has no error")
	}
}

// TestWholeTreeEnds: a tree that is not needed any more ends with the error of its context, and leaves no directory open.
func TestWholeTreeEnds(t *testing.T) {
	files := map[string]string{}
	for i := range 500 {
		files[fmt.Sprintf("d%d/e/f", i)] = ""
	}
	dir := openDir(t, write(t, files))
	want, err := wholeTree(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	before := runtime.NumGoroutine()
	for after := range 100 {
		ctx, cancel := context.WithCancel(t.Context())
		var timer sync.WaitGroup
		timer.Go(func() {
			time.Sleep(time.Duration(after*after) * time.Microsecond)
			cancel()
		})
		if json, err := wholeTree(ctx, dir); err != nil && !errors.Is(err, context.Canceled) || err == nil && json != want {
			t.Fatalf("cancelled after %d: %d bytes, %v", after, len(json), err)
		}
		timer.Wait()
	}
	for waited := 0; runtime.NumGoroutine() > before; waited++ { // one that has ended may be counted for a moment
		if waited == 1000 {
			t.Fatalf("%d goroutines, %d before", runtime.NumGoroutine(), before)
		}
		time.Sleep(time.Millisecond)
	}
}

// TestWrongPattern: a pattern that is wrong fails when it is first tried.
func TestWrongPattern(t *testing.T) {
	tree := open(t, write(t, map[string]string{"d36/f": "", "e/f": ""}))["directory_tree"]
	long := strings.Repeat("x", 70_000)
	if got, failure := call(t, tree, map[string]any{"path": ".", "excludePatterns": []string{"*", long}}, -1); failure != nil {
		t.Errorf("a pattern that is not tried: %d bytes, %v", len(got.Text()), failure)
	}
	if _, failure := call(t, tree, map[string]any{"path": ".", "excludePatterns": []string{"d36*", long}}, -1); failure == nil || failure.Kind != tool.BadArguments {
		t.Errorf("a wrong pattern: %v", failure)
	}
}
