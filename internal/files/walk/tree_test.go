package walk_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"gander/internal/files/workspace"
	"gander/internal/testkit"
	"gander/internal/testkit/fixture"
)

// A node is an entry of a generated tree.
type node struct {
	path       string
	name       string
	kind       workspace.EntryKind
	unreadable bool  // a directory without read permission
	locked     bool  // a directory that cannot be entered
	listed     bool  // a directory with read permission but without search permission
	hidden     bool  // a directory hidden by the filter
	enter      error // what Options.Enter returns for a directory
	children   []*node
}

// Errors of Options.Enter.
var (
	errWrong = errors.New("wrong rules")
	errSkip  = fmt.Errorf("not wanted: %w", fs.SkipDir)
)

// A source supplies bytes for random decisions, and zeros after its end.
type source []byte

func (s *source) next(n int) int {
	if len(*s) == 0 {
		return 0
	}
	b := (*s)[0]
	*s = (*s)[1:]
	return int(b) % n
}

// awkward returns names and parts of names that are adjacent in one order but not in another.
func awkward() []string {
	if runtime.GOOS == "windows" { // which has fewer names
		return []string{
			"a", "a-", "a.b", "a0", "b", "a b", "-", "z", "é", "e\u0301", "\ue000", "😀", "\ufffd",
			"日本", "~", ".h", "0", strings.Repeat("x", 40), strings.Repeat("日", 12),
		}
	}
	return []string{
		"a", "a-", "a.b", "a0", `a\b`, "b", "A", "a b", "-", "z", `\`, "\xff", "\xfe", "\xed\xa0\x80",
		"\xf0\x9f", "é", "e\u0301", "\ue000", "😀", "\ufffd", "日本", "a\x01", "~", ".h", "0",
		strings.Repeat("x", 40), strings.Repeat("日", 12), strings.Repeat("\xff", 30),
	}
}

// generate derives a tree from the source. If bound is set, file permissions apply to this process,
// and some directories are unreadable.
func generate(s *source, bound bool) *node {
	root := &node{kind: workspace.Directory}
	dirs := []*node{root}
	for range s.next(64) {
		parent := dirs[len(dirs)-1-s.next(min(len(dirs), 3))]
		parts := awkward()
		name := parts[s.next(len(parts))]
		if s.next(3) == 0 {
			name += parts[s.next(len(parts))]
		}
		if strings.Count(parent.path, "/") > 8 || parent.child(name) != nil {
			continue
		}
		n := &node{name: name, path: strings.TrimPrefix(parent.path+"/"+name, "/")}
		n.kind = workspace.Regular
		switch kind := s.next(8); {
		case kind < 2 && runtime.GOOS == "windows": // which has neither
		case kind == 0:
			n.kind = workspace.Symlink
		case kind == 1:
			n.kind = workspace.Other
		case kind < 4:
			n.kind = workspace.Directory
			dirs = append(dirs, n)
			n.enter = []error{nil, nil, nil, nil, nil, nil, errWrong, errSkip}[s.next(8)]
			n.locked = n.enter == errWrong
			if bound {
				n.unreadable, n.listed = s.next(6) == 1, s.next(6) == 1
				n.locked = n.locked || n.unreadable
			}
		}
		parent.children = append(parent.children, n)
	}
	return root
}

func (n *node) child(name string) *node {
	for _, c := range n.children {
		if c.name == name {
			return c
		}
	}
	return nil
}

// at returns the entry with a path.
func (n *node) at(path string) *node {
	for name := range strings.SplitSeq(path, "/") {
		if name != "" {
			n = n.child(name)
		}
	}
	return n
}

// entries returns the arguments of fixture.Make for the tree below n.
func (n *node) entries() []string {
	var lines []string
	for _, c := range n.children {
		switch line := c.path; c.kind {
		case workspace.Regular:
			lines = append(lines, line)
		case workspace.Symlink:
			lines = append(lines, line+" => nowhere")
		case workspace.Other:
			lines = append(lines, line+"|")
		default:
			line += "/"
			if c.unreadable {
				line += " 0000"
			} else if c.listed {
				line += " 0444"
			}
			lines = append(append(lines, c.entries()...), line)
		}
	}
	return lines
}

// inMemory makes fixtures in memory if possible.
func inMemory(t testing.TB) {
	if info, err := os.Stat("/dev/shm"); err == nil && info.IsDir() {
		t.Setenv("TMPDIR", "/dev/shm")
	}
}

// needsOpenat skips a test on systems with package os, which allocates for each name.
func needsOpenat(t testing.TB) {
	if runtime.GOOS != "linux" {
		t.Skip("package os allocates for each name")
	}
}

// make makes the tree with several modification times, and returns its path.
func (n *node) make(t testing.TB) (root string) {
	t.Helper()
	root = fixture.Make(t, n.entries()...)
	for i, line := range n.entries() {
		at := time.Unix(int64(1_000_000_000+i%5), 0)
		if path := filepath.Join(root, line); i%3 > 0 && n.at(line) != nil {
			_ = os.Chtimes(path, at, at) // A link to nothing has no target.
		}
	}
	return root
}

func open(t testing.TB, root string) *workspace.Dir {
	t.Helper()
	w, err := workspace.Open(workspace.Options{}, root)
	testkit.Must(t, err)
	t.Cleanup(func() { _ = w.Close() })
	p, err := w.Find(context.Background(), "")
	testkit.Must(t, err)
	d, err := p.Dir()
	testkit.Must(t, err)
	t.Cleanup(func() { _ = d.Close() })
	return d
}

// flat returns n unsorted file names that consist of a prefix and a number.
func flat(prefix string, n int) []string {
	names := make([]string, n)
	for i := range names {
		names[i] = fmt.Sprintf("%s%05d", prefix, i*7919%n)
	}
	return names
}
