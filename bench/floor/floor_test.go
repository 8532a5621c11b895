//go:build linux

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestDirectories(t *testing.T) {
	root := t.TempDir()
	entries := 0
	for i := range 40 {
		dir := filepath.Join(root, fmt.Sprintf("a-directory-%d", i), ".b")
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		entries += 2
		for j := range i {
			if err := os.WriteFile(filepath.Join(dir, fmt.Sprint(j)), nil, 0o644); err != nil {
				t.Fatal(err)
			}
			entries++
		}
	}
	if n, err := walk(root); err != nil || n != entries {
		t.Errorf("walk returned %d and %v, want %d", n, err, entries)
	}
	if n, err := getdents(root); err != nil || n != 42 {
		t.Errorf("getdents returned %d and %v, want 40 entries, . and ..", n, err)
	}
	if _, err := walk(filepath.Join(root, "none")); err == nil {
		t.Error("walk of nothing succeeds")
	}
}

func TestCount(t *testing.T) {
	path := filepath.Join(t.TempDir(), "text")
	if err := os.WriteFile(path, []byte(strings.Repeat("line\n", 200_000)), 0o644); err != nil {
		t.Fatal(err)
	}
	// Counting stops after the block that contains the line.
	for _, c := range []struct{ line, least, most int }{{1, 1, 60_000}, {100_000, 100_000, 160_000}, {300_000, 200_000, 200_000}} {
		if n, err := count(path, c.line); err != nil || n < c.least || n > c.most {
			t.Errorf("count up to %d returned %d and %v, want %d to %d", c.line, n, err, c.least, c.most)
		}
	}
}

func TestArguments(t *testing.T) {
	for _, args := range [][]string{nil, {"getdents"}, {"count", "f", "x"}, {"other", "d"}} {
		if _, err := passOf(args); err == nil {
			t.Errorf("arguments %q are accepted", args)
		}
	}
}
