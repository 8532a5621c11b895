package walk_test

import (
	"context"
	"errors"
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
	start := tree.start(t)
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
				for _, o.Order = range nameOrders() {
					cuts := order.name == "bytes" && o.MaxKey > 0
					if o.Order == walk.PathOrder && (class != nil || !order.joins || cuts) {
						continue
					}
					o.NameOrder = order.walk
					want := reference{order: order, o: o}
					want.compute(tree)
					got := collect(t, walk.Entries(t.Context(), start, o))
					if diff := difference(got, want.out); diff != "" {
						t.Errorf("order %s, class %v, %+v: %s", order.name, class != nil, o, diff)
					}
				}
			}
		}
	}
}

// difference describes the first difference between two long lists, if any.
func difference(got, want []yield) string {
	if slices.Equal(got, want) {
		return ""
	}
	i := 0
	for i < min(len(got), len(want)) && got[i] == want[i] {
		i++
	}
	return fmt.Sprintf("%d entries, want %d; after %d: got %v, want %v", len(got), len(want), i,
		got[i:min(i+3, len(got))], want[i:min(i+3, len(want))])
}

// TestPasses counts the passes over a directory. One pass must suffice if the limit determines the
// number of names needed. A few are needed if hidden directories come first.
func TestPasses(t *testing.T) {
	inMemory(t)
	const hidden = 600
	entries := flat("z", 20)
	for _, name := range flat("d", hidden) {
		entries = append(entries, name+"/")
	}
	start := open(t, fixture.Make(t, entries...))
	for _, tt := range []struct {
		name   string
		o      walk.Options
		want   int // entries
		passes int
	}{
		{"the first", walk.Options{Depth: 1, Limit: 5}, 5, 1},
		{"all", walk.Options{Depth: 1}, hidden + 20, 1},
		{"after the hidden", walk.Options{Depth: 1, Limit: 5, Filter: hideDirectories}, 5, 11},
		{"all but the hidden", walk.Options{Depth: 1, Filter: hideDirectories}, 20, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			looks := 0
			o := tt.o
			o.NameOrder.Key = func(_, name []byte) []byte {
				looks++
				return name
			}
			got := collect(t, walk.Entries(t.Context(), start, o))
			filtered := o.Filter != nil
			if len(got) != tt.want || filtered && (got[0].path != "z00000" || got[4].path != "z00004") {
				t.Errorf("got %d entries: %v", len(got), got[:min(len(got), 5)])
			}
			if passes := looks / (hidden + 20); passes < 1 || passes > tt.passes {
				t.Errorf("the directory was read %d times, want at most %d", passes, tt.passes)
			}
		})
	}
}

// TestMemory checks that the memory for a page is independent of the size of the directory.
func TestMemory(t *testing.T) {
	needsOpenat(t)
	inMemory(t)
	small := open(t, fixture.Make(t, flat("", 1000)...))
	large := open(t, fixture.Make(t, flat("", 5000)...))
	for name, order := range nameOrders() {
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
			t.Errorf("%s: a page of 1,000 names takes %d bytes, one of 5,000 %d", name, s, l)
		}
	}
}

// cancelAfter cancels a walk after a number of entries. It returns the total number of entries and
// the final error.
func cancelAfter(
	t *testing.T, start *workspace.Dir, o walk.Options, after int,
) (count int, final error) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	if filter := o.Filter; filter != nil {
		o.Filter = func(d *walk.Directory, name []byte, kind workspace.EntryKind) walk.Decision {
			if ctx.Err() != nil {
				t.Errorf("%v, canceled after %d: %q is read", o.Order, after, d.Path)
			}
			return filter(d, name, kind)
		}
	}
	if after == 0 {
		cancel()
	}
	for e, err := range walk.Entries(ctx, start, o) {
		if final != nil {
			t.Errorf("%v, canceled after %d: it continues after %v", o.Order, after, final)
		}
		if e.Dir == nil {
			final = err
		} else if count++; count == after {
			cancel()
		}
	}
	return count, final
}

// TestCancel checks that a canceled walk reads no further directory and ends with the context's
// error.
func TestCancel(t *testing.T) {
	inMemory(t)
	var entries []string
	for i := range 12 {
		entries = append(entries, fmt.Sprintf("d%02d/a", i), fmt.Sprintf("d%02d/b/c", i))
	}
	start := open(t, fixture.Make(t, entries...))
	const soon = 3 // entries of one directory
	show := func(*walk.Directory, []byte, workspace.EntryKind) walk.Decision { return walk.Show }
	inAllOrders(t, func(t *testing.T, order walk.Order) {
		for _, after := range []int{0, 1, 2, 5, 13, 30, 43} {
			o := walk.Options{Order: order, Depth: 9, Filter: show}
			count, err := cancelAfter(t, start, o, after)
			if !errors.Is(err, context.Canceled) || count > after+soon {
				t.Errorf("canceled after %d: %d entries, and finally %v", after, count, err)
			}
		}
	})
}

// TestCancelInDirectory checks that a canceled walk ends in the middle of a directory that it has
// already read.
func TestCancelInDirectory(t *testing.T) {
	inMemory(t)
	const soon = 300
	start := open(t, fixture.Make(t, flat("", 1000)...))
	inAllOrders(t, func(t *testing.T, order walk.Order) {
		for _, after := range []int{1, 500} {
			count, err := cancelAfter(t, start, walk.Options{Order: order, Depth: 1}, after)
			if !errors.Is(err, context.Canceled) || count > after+soon {
				t.Errorf("canceled after %d: %d entries, and finally %v", after, count, err)
			}
		}
	})
}
