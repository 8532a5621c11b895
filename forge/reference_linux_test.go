package forge

import (
	"cmp"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gander/internal/testkit/fixture"
	"gander/internal/testkit/tooltest"
)

// A referenceCall holds the arguments of a call. None is absent.
type referenceCall struct {
	Path      string `json:"path"`
	Recursive bool   `json:"recursive"`
	Depth     int    `json:"max_depth"`
	Entries   int    `json:"max_entries"`
	Hidden    bool   `json:"include_hidden"`
	Files     bool   `json:"include_files"`
	Dirs      bool   `json:"include_dirs"`
	Symlinks  bool   `json:"include_symlinks"`
	Other     bool   `json:"include_other"`
}

// traverse returns all entries that the call includes, in traversal order.
func (c referenceCall) traverse(t testing.TB, dir, relative string, depth int) (all []listed) {
	entries, err := os.ReadDir(dir)
	fixture.Must(t, err)
	slices.SortFunc(entries, func(a, b os.DirEntry) int {
		byLossy := cmp.Compare(fixture.Lossy(a.Name()), fixture.Lossy(b.Name()))
		return cmp.Or(byLossy, cmp.Compare(a.Name(), b.Name()))
	})
	for _, d := range entries {
		hidden := strings.HasPrefix(d.Name(), ".")
		if hidden && !c.Hidden {
			continue
		}
		raw := filepath.Join(relative, d.Name())
		info, err := os.Lstat(filepath.Join(dir, d.Name()))
		fixture.Must(t, err)
		e := listed{
			Name: fixture.Lossy(d.Name()), Path: fixture.Lossy(raw), Depth: depth,
			Modified: new(info.ModTime().UnixMilli()), Hidden: hidden, raw: raw,
		}
		included := false
		switch {
		case info.IsDir():
			e.Type, included = "dir", c.Dirs
		case info.Mode()&os.ModeSymlink != 0:
			e.Type, included = "symlink", c.Symlinks
		case info.Mode().IsRegular():
			e.Type, included, e.Size = "file", c.Files, new(info.Size())
		default:
			e.Type, included = "other", c.Other
		}
		if included {
			all = append(all, e)
		}
		if info.IsDir() && depth < c.Depth {
			all = append(all, c.traverse(t, filepath.Join(dir, d.Name()), raw, depth+1)...)
		}
	}
	return all
}

// Text cuts, sorts and prints the entries, with fewer entries until they fit.
func (c referenceCall) Text(t testing.TB, root string, limit int) string {
	all := c.traverse(t, filepath.Join(root, c.Path), "", 1)
	l := document{Path: c.Path, Entries: []listed{}, MaxEntries: c.Entries}
	if len(all) > c.Entries {
		all, l.Truncated, l.Reason = all[:c.Entries], true, new("max_entries")
	}
	l.Entries = append(l.Entries, all...)
	slices.SortFunc(l.Entries, func(a, b listed) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.raw, b.raw))
	})
	for {
		l.Returned = len(l.Entries)
		content := tooltest.CanonicalJSON(t, l)
		switch {
		case limit < 0 || len(content) <= limit:
			return content
		case l.Returned == 0:
			return "error: ExecutionFailed"
		}
		l.Entries, l.Truncated, l.Reason = l.Entries[:l.Returned-1], true, new("max_output_bytes")
	}
}

func randomCall(r *rand.Rand) tooltest.Reference {
	flag := func() bool { return r.IntN(3) > 0 }
	c := referenceCall{
		Path: ".", Recursive: flag(), Depth: 1 + r.IntN(4), Entries: 1 + r.IntN(200),
		Hidden: flag(), Files: flag(), Dirs: flag(), Symlinks: flag(), Other: flag(),
	}
	if !c.Recursive {
		c.Depth = 1
	}
	if r.IntN(2) == 0 {
		c.Entries = 1 + r.IntN(20)
	}
	if !c.Dirs && !c.Symlinks {
		c.Files = true
	}
	return c
}

func TestReference(t *testing.T) { tooltest.CheckTrees(t, over, randomCall) }

func TestEveryLimit(t *testing.T) {
	root := fixture.Make(t, "a", "b/c", "b/\xff\x01", "d\"\\", "漢 => a", "empty/")
	all := referenceCall{
		Path: ".", Recursive: true, Depth: 2, Entries: 200, Files: true, Dirs: true, Symlinks: true,
	}
	some := all
	some.Entries = 3
	over(t, root).CheckEveryLimit(root, all, some,
		referenceCall{Path: "empty", Depth: 1, Entries: 1, Files: true})
}
