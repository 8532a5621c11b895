package walk_test

import (
	"hash/fnv"
	"iter"
	"maps"
	"math/rand/v2"
	"path"
	"slices"
	"testing"

	"gander/internal/files/walk"
	"gander/internal/files/workspace"
	"gander/internal/testkit/unprivileged"
)

// collect returns all pairs that a walk yields.
func collect(t testing.TB, seq iter.Seq2[walk.Entry, error]) []yield {
	t.Helper()
	var got []yield
	for e, err := range seq {
		if e.Dir == nil {
			t.Fatalf("the walk ended with %v", err)
		}
		got = append(got, yield{e.Path(), e.Kind, err != nil, e.ForError})
	}
	return got
}

// paths returns the paths of the entries of a walk. An entry with an error is marked with "!".
func paths(t testing.TB, seq iter.Seq2[walk.Entry, error]) []string {
	t.Helper()
	var got []string
	for _, y := range collect(t, seq) {
		if y.error {
			y.path = "!" + y.path
		}
		got = append(got, y.path)
	}
	return got
}

// check derives a tree and several walks from data, and compares the walks with the reference.
func check(t *testing.T, data []byte, bound bool) {
	s := source(data)
	var walks []source // the options of each walk; the rest of data determines the tree
	for range 6 {
		n := min(len(s), 12)
		walks, s = append(walks, s[:n]), s[n:]
	}
	tree := generate(&s, bound)
	root := tree.make(t)
	start := open(t, root)
	for i, s := range walks {
		order := orders()[s.next(4)]
		o := walk.Options{Depth: 1 + s.next(6), CheckSearch: s.next(2) == 0}
		if s.next(3) > 0 {
			o.Limit = 1 + s.next(40)
		}
		ref := reference{root: root, order: order}
		ref.filter = func(string, workspace.EntryKind) walk.Decision { return walk.Show }
		if drop := s.next(4); drop > 0 {
			ref.filter = func(path string, _ workspace.EntryKind) walk.Decision {
				h := fnv.New32a()
				_, _ = h.Write([]byte(path))
				switch n := h.Sum32() % 8; {
				case n < uint32(drop):
					return walk.Omit
				case n == 7:
					return walk.Hide
				default:
					return walk.Show
				}
			}
		} else if s.next(2) == 1 {
			ref.filter = func(_ string, kind workspace.EntryKind) walk.Decision {
				return hideDirectories(nil, nil, kind)
			}
		}
		read := map[string]bool{}
		o.Filter = func(dir *walk.Directory, name []byte, kind workspace.EntryKind) walk.Decision {
			if read[dir.Path] = true; dir.Data != dir.Path {
				t.Fatalf("%q has data %v", dir.Path, dir.Data)
			}
			return ref.filter(walk.Entry{Name: name, Dir: dir}.Path(), kind)
		}
		o.Enter = func(dir *walk.Directory, _ *workspace.Dir) error {
			if parent, _ := dir.Data.(string); dir.Depth > 1 && parent != path.Dir(dir.Path) {
				t.Fatalf("%q has data %q", dir.Path, parent)
			}
			dir.Data = dir.Path
			return tree.at(dir.Path).enter
		}
		skip := s.next(3) * s.next(20) // possibly beyond the limit
		switch o.Order = walk.Order(i % 3); {
		case o.Order == walk.PathOrder:
			o.Skip = skip
			if !order.joins {
				continue
			}
			if order.name != "bytes" { // only UTF-8 keys can be cut
				o.MaxKey = cutBetween(tree, order, &s)
			}
		case s.next(2) == 1:
			order.walk.Class = kinds
		}
		o.NameOrder = order.walk
		ref.order, ref.o = order, o
		ref.compute(tree)
		seq := walk.Entries(t.Context(), start, o)
		for again := range 2 {
			clear(read)
			if got := collect(t, seq); !slices.Equal(got, ref.out) {
				t.Fatalf("walk %d.%d, order %s, %+v, of %q:\ngot  %v\nwant %v",
					i, again, order.name, o, tree.entries(), got, ref.out)
			}
			slices.Sort(ref.read)
			if got := slices.Sorted(maps.Keys(read)); !slices.Equal(got, ref.read) {
				t.Fatalf("walk %d.%d, order %s, %+v, of %q:\nread     %q\nneeded   %q",
					i, again, order.name, o, tree.entries(), got, ref.read)
			}
		}
	}
}

// cutBetween returns a MaxKey that cuts keys close to the start of the names in some directory, or
// zero.
func cutBetween(tree *node, order order, s *source) int {
	var lengths []int
	var add func(n *node)
	add = func(n *node) {
		if n.kind == workspace.Directory && n.path != "" {
			lengths = append(lengths, len(order.key(n.path)))
		}
		for _, c := range n.children {
			add(c)
		}
	}
	add(tree)
	if at := s.next(len(lengths) + 1); at > 0 {
		return lengths[at-1] + s.next(4)
	}
	return 0
}

// randomBytes returns random bytes that depend only on the seed.
func randomBytes(seed uint64) []byte {
	r := rand.New(rand.NewPCG(seed, 1))
	b := make([]byte, 48+r.IntN(300))
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

// seeds returns the number of random trees.
func seeds() uint64 {
	if testing.Short() {
		return 30
	}
	return 250
}

// TestOrders compares the entries of walks of random trees, and the directories read, with the
// reference.
func TestOrders(t *testing.T) {
	inMemory(t)
	for seed := range seeds() {
		t.Run("", func(t *testing.T) { check(t, randomBytes(seed), false) })
	}
}

// TestOrdersUnreadable is like TestOrders, but some directories lack read or search permission.
func TestOrdersUnreadable(t *testing.T) {
	unprivileged.NewRunner(t).Run(t, func() {
		inMemory(t)
		for seed := range seeds() {
			t.Run("", func(t *testing.T) { check(t, randomBytes(seed), true) })
		}
	})
}

func FuzzOrders(f *testing.F) {
	inMemory(f)
	for seed := range uint64(20) {
		f.Add(randomBytes(1000 + seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) { check(t, data, false) })
}
