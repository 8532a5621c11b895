package walk_test

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"gander/internal/files/walk"
	"gander/internal/files/workspace"
	"gander/internal/testkit"
	"gander/internal/testkit/fixture"
)

// largeTree returns a tree with a directory of 2,000 entries, many of them with a common prefix or
// equal keys, and a subdirectory of 1,100 entries.
func largeTree() *node {
	root := &node{kind: workspace.Directory}
	fill := func(d *node, n int, name func(i int) string) {
		for i := range n {
			i = i * 7919 % n
			c := &node{name: name(i), kind: workspace.Regular}
			c.path = strings.TrimPrefix(d.path+"/"+c.name, "/")
			if i%10 == 0 {
				c.kind = workspace.Directory
			}
			d.children = append(d.children, c)
		}
	}
	fill(root, 2000, func(i int) string {
		odd := string([]byte{byte(0x80 + i%7)})
		if runtime.GOOS == "windows" { // which has only names in UTF-16
			odd = fmt.Sprint(i % 7)
		}
		return strings.Repeat("same", i%3) + odd + fmt.Sprint(i/7)
	})
	sub := slices.IndexFunc(root.children, func(c *node) bool { return c.kind == workspace.Directory })
	fill(root.children[sub], 1100, func(i int) string { return fmt.Sprintf("x%0*d", 1+i%9, i) })
	return root
}

func TestLargeDirectories(t *testing.T) {
	if testing.Short() {
		t.Skip("sequential, and slow under the race detector")
	}
	inMemory(t)
	tree := largeTree()
	start := open(t, tree.make(t))
	for _, order := range orders() {
		for _, o := range []walk.Options{
			{Depth: 2},
			{Depth: 1, Limit: 1},
			{Depth: 2, Limit: 600},
			{Depth: 2, Limit: 2500},
			{Depth: 2, Filter: hideDirectories, Limit: 20},
			{Depth: 2, MaxKey: 3, Limit: 900},
			{Depth: 2, Skip: 1500, Limit: 1700},
			{Depth: 1, Skip: 5000},
		} {
			for _, class := range []func(workspace.EntryKind) uint8{nil, kinds} {
				order.walk.Class = class
				for _, o.Order = range []walk.Order{walk.PreOrder, walk.PathOrder} {
					cuts := order.name == "bytes" && o.MaxKey > 0
					if o.Order == walk.PathOrder && (class != nil || !order.joins || cuts) {
						continue
					}
					o.NameOrder = order.walk
					want := reference{order: order, o: o}
					want.compute(tree)
					got := collect(t, walk.Entries(t.Context(), start, o))
					if !slices.Equal(got, want.out) {
						t.Errorf("order %s, class %v, %+v: got %d entries, want %d",
							order.name, class != nil, o, len(got), len(want.out))
					}
				}
			}
		}
	}
}

// TestPasses counts the passes over a directory. One pass must suffice if the limit determines the
// number of names needed. A few are needed if hidden directories come first.
func TestPasses(t *testing.T) {
	inMemory(t)
	const hidden, others = 600, 20
	entries := flat("z", others)
	for _, name := range flat("d", hidden) {
		entries = append(entries, name+"/")
	}
	start := open(t, fixture.Make(t, entries...))
	for _, tt := range []struct {
		limit   int
		filter  func(*walk.Directory, []byte, workspace.EntryKind) walk.Decision
		entries int
		passes  int
	}{
		{5, nil, 5, 1},
		{0, nil, hidden + others, 1},
		{5, hideDirectories, 5, 11},
		{0, hideDirectories, others, 1},
	} {
		looks := 0
		o := walk.Options{Depth: 1, Limit: tt.limit, Filter: tt.filter}
		o.NameOrder.Key = func(_, name []byte) []byte {
			looks++
			return name
		}
		got := collect(t, walk.Entries(t.Context(), start, o))
		passes := looks / (hidden + others)
		if len(got) != tt.entries || passes < 1 || passes > tt.passes {
			t.Errorf("limit %d: %d entries in %d passes", tt.limit, len(got), passes)
		}
	}
}

// TestMemory checks that the memory for a page is independent of the size of the directory.
func TestMemory(t *testing.T) {
	needsOpenat(t)
	inMemory(t)
	small := open(t, fixture.Make(t, flat("", 1000)...))
	large := open(t, fixture.Make(t, flat("", 5000)...))
	for _, order := range []walk.Order{walk.PreOrder, walk.PathOrder} {
		o := walk.Options{Order: order, Depth: 2, Limit: 25}
		takes := func(d *workspace.Dir) uint64 {
			least := ^uint64(0)
			for range 8 { // the race detector makes sync.Pool drop some buffers
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				for _, err := range walk.Entries(context.Background(), d, o) {
					testkit.Must(t, err)
				}
				runtime.ReadMemStats(&after)
				least = min(least, after.TotalAlloc-before.TotalAlloc)
			}
			return least
		}
		if s, l := takes(small), takes(large); l > s+32<<10 {
			t.Errorf("order %d: a page of 1,000 names takes %d bytes, one of 5,000 %d", order, s, l)
		}
	}
}
