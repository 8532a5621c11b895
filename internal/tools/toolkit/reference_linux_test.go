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

func (r *reference) count(kind string) {
	r.out.Scanned++
	switch kind {
	case "directory":
		r.out.Dirs++
	case "file":
		r.out.Files++
	default:
		r.out.Symlinks++
	}
	r.out.LimitReached = r.out.Scanned == r.Entries
}

// visit adds the children of a directory, unless a limit is reached.
func (r *reference) visit(n *referenceNode, raw string) {
	if r.out.LimitReached {
		return
	}
	if n.Depth == r.Depth {
		n.Truncated = true
		return
	}
	for _, child := range r.children(raw) {
		if r.out.LimitReached {
			return
		}
		at := path.Join(raw, child.name)
		node := &referenceNode{Kind: child.kind, Depth: n.Depth + 1}
		node.Name, node.Path = fixture.Lossy(child.name), fixture.Lossy(at)
		n.Children = append(n.Children, node)
		r.count(child.kind)
		if child.kind == "directory" {
			r.visit(node, at)
		}
	}
}

type referenceChild struct{ name, kind string }

// children returns the entries of a directory that become nodes, in order.
func (r *reference) children(dir string) (all []referenceChild) {
	entries, err := os.ReadDir(filepath.Join(r.root, dir))
	if err != nil {
		r.t.Fatal(err)
	}
	for _, e := range entries {
		child := referenceChild{e.Name(), ""}
		switch {
		case e.IsDir():
			child.kind = "directory"
		case e.Type().IsRegular() && r.Kind == "all":
			child.kind = "file"
		case e.Type()&os.ModeSymlink != 0 && r.Kind == "all":
			child.kind = "symlink"
		}
		excluded := []string{".git", "node_modules", "dist", "build", "target", ".vscode", ".DS_Store"}
		excludes := referenceExcludes(r.Exclude, fixture.Lossy(path.Join(dir, e.Name())))
		visible := r.Hidden || !strings.HasPrefix(e.Name(), ".")
		if child.kind != "" && !slices.Contains(excluded, e.Name()) && visible && !excludes {
			all = append(all, child)
		}
	}
	slices.SortFunc(all, func(a, b referenceChild) int {
		return cmp.Or(
			cmp.Compare(a.kind, b.kind), // alphabetically
			slices.Compare(units(a.name), units(b.name)),
			cmp.Compare(a.name, b.name))
	})
	return all
}

func units(name string) []uint16 { return utf16.Encode([]rune(fixture.Lossy(name))) }

// Text returns the result with as many nodes as fit in the limit.
func (c referenceCall) Text(t testing.TB, root string, limit int) string {
	for most := c.Entries; ; most-- {
		r := reference{c, t, root, referenceOutput{}}
		cut := most < c.Entries
		r.Entries = most
		at := path.Clean(c.Path)
		n := &referenceNode{Kind: "directory", Name: path.Base(at), Path: at}
		r.out.Root = n
		r.count(n.Kind)
		r.visit(n, at)
		if cut { // max_entries would leave nodes at the depth limit unmarked
			r.mark(n)
		}
		content := tooltest.CanonicalJSON(t, r.out)
		switch {
		case limit < 0 || len(content) <= limit:
			return content
		case r.out.Scanned < most:
			most = r.out.Scanned
		}
		if most == 1 {
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
