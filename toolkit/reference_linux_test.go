package toolkit

import (
	"cmp"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"gander/internal/testkit/fixture"
	"gander/internal/testkit/tooltest"
)

// A referenceNode has its keys in the order of the result.
type referenceNode struct {
	Kind      string           `json:"kind"`
	Name      string           `json:"name"`
	Path      string           `json:"path"`
	Depth     int              `json:"depth"`
	Truncated bool             `json:"truncated,omitempty"`
	Children  []*referenceNode `json:"children,omitempty"`

	raw string // path
}

type referenceOutput struct {
	Root         *referenceNode `json:"root"`
	LimitReached bool           `json:"limit_reached"`
	Scanned      int            `json:"scanned_entries"`
	Dirs         int            `json:"total_dirs"`
	Files        int            `json:"total_files"`
	Symlinks     int            `json:"total_symlinks"`
}

type referenceCall struct {
	Path    string   `json:"path"`
	Kind    string   `json:"entry_kind"`
	Depth   int      `json:"max_depth"`
	Entries int      `json:"max_entries"`
	Hidden  bool     `json:"include_hidden"`
	Exclude []string `json:"exclude,omitempty"`
}

// A reference makes the result with whole directories in memory.
type reference struct {
	referenceCall
	t    testing.TB
	root string
	out  referenceOutput
}

// node returns a node, which counts.
func (r *reference) node(kind, raw string, depth int) *referenceNode {
	r.out.Scanned++
	*map[string]*int{
		"directory": &r.out.Dirs, "file": &r.out.Files, "symlink": &r.out.Symlinks,
	}[kind]++
	r.out.LimitReached = r.out.Scanned == r.Entries
	at := fixture.Lossy(raw)
	return &referenceNode{Kind: kind, Name: path.Base(at), Path: at, Depth: depth, raw: raw}
}

// visit adds the children of a directory, unless a limit is reached.
func (r *reference) visit(n *referenceNode) {
	if n.Truncated = n.Depth == r.Depth && !r.out.LimitReached; n.Truncated || r.out.LimitReached {
		return
	}
	entries, err := os.ReadDir(filepath.Join(r.root, n.raw))
	if err != nil {
		r.t.Fatal(err)
	}
	kind := func(e os.DirEntry) string {
		kinds := map[os.FileMode]string{
			0: "file", os.ModeDir: "directory", os.ModeSymlink: "symlink",
		}
		return kinds[e.Type()]
	}
	entries = slices.DeleteFunc(entries, func(e os.DirEntry) bool {
		excluded := []string{".git", "node_modules", "dist", "build", "target", ".vscode", ".DS_Store"}
		return kind(e) == "" || kind(e) != "directory" && r.Kind != "all" ||
			!r.Hidden && strings.HasPrefix(e.Name(), ".") || slices.Contains(excluded, e.Name()) ||
			referenceExcludes(r.Exclude, fixture.Lossy(path.Join(n.raw, e.Name())))
	})
	units := func(name string) []uint16 { return utf16.Encode([]rune(fixture.Lossy(name))) }
	slices.SortFunc(entries, func(a, b os.DirEntry) int {
		return cmp.Or(
			cmp.Compare(kind(a), kind(b)), // alphabetically
			slices.Compare(units(a.Name()), units(b.Name())),
			cmp.Compare(a.Name(), b.Name()))
	})
	for _, e := range entries {
		if r.out.LimitReached {
			return
		}
		child := r.node(kind(e), path.Join(n.raw, e.Name()), n.Depth+1)
		n.Children = append(n.Children, child)
		if child.Kind == "directory" {
			r.visit(child)
		}
	}
}

// Text returns the result with as many nodes as fit in the limit.
func (c referenceCall) Text(t testing.TB, root string, limit int) string {
	for most := c.Entries; ; most-- {
		r := reference{c, t, root, referenceOutput{}}
		r.Entries = most
		r.out.Root = r.node("directory", path.Clean(c.Path), 0)
		r.visit(r.out.Root)
		if most < c.Entries { // max_entries would leave nodes at the depth limit unmarked
			r.mark(r.out.Root)
		}
		content := tooltest.CanonicalJSON(t, r.out)
		if limit < 0 || len(content) <= limit {
			return content
		}
		if most = min(most, r.out.Scanned); most == 1 {
			return "error: INTERNAL"
		}
	}
}

func (r *reference) mark(n *referenceNode) {
	n.Truncated = n.Kind == "directory" && n.Depth == r.Depth
	for _, child := range n.Children {
		r.mark(child)
	}
}

func randomCall(r *rand.Rand) tooltest.Reference {
	c := referenceCall{Path: ".", Depth: r.IntN(6), Entries: 1 + r.IntN(90), Hidden: r.IntN(2) == 0}
	c.Kind = []string{"all", "all", "directory"}[r.IntN(3)]
	for range r.IntN(3) {
		if glob := randomGlob(r); check(glob) == nil {
			c.Exclude = append(c.Exclude, glob)
		}
	}
	return c
}

func TestReference(t *testing.T) {
	tooltest.CheckTrees(t, over, randomCall, "dist/x", ".git/x", "build", "z/target => z")
}

func TestEveryLimit(t *testing.T) {
	root := fixture.Make(t, "a/b/c/d", "a/e", "b/", "f", "g\n\"", "h => a", "i/j/")
	over(t, root).CheckEveryLimit(root,
		referenceCall{Path: ".", Kind: "all", Depth: 3, Entries: 100},
		referenceCall{Path: ".", Kind: "all", Depth: 1, Entries: 5},
		referenceCall{Path: "a", Kind: "all", Depth: 12, Entries: 4},
		referenceCall{Path: "b", Kind: "all", Depth: 3, Entries: 100},
		referenceCall{Path: "a", Kind: "directory", Depth: 0, Entries: 100},
		referenceCall{Path: "a", Kind: "directory", Depth: 3, Entries: 1})
}
