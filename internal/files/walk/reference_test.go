package walk_test

import (
	"cmp"
	"encoding/binary"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf16"
	"unicode/utf8"

	"gander/internal/files/names"
	"gander/internal/files/text"
	"gander/internal/files/walk"
	"gander/internal/files/workspace"
)

// An order is a name order, implemented for the walk and for the reference.
type order struct {
	name  string
	walk  names.Order
	key   func(name string) string
	joins bool // keys of names can be joined to the key of a path
}

func orders() []order {
	lossy := func(name string) string { return text.Lossy([]byte(name)) }
	slashed := func(name string) string { return strings.ReplaceAll(lossy(name), `\`, "/") }
	slashedKey := func(_, name []byte) []byte { return []byte(slashed(string(name))) }
	return []order{
		{"bytes", names.Order{}, strings.Clone, true},
		{"lossy", names.Order{Key: text.LossyKey}, lossy, true},
		{"slashed", names.Order{Key: slashedKey}, slashed, true},
		{"utf16", names.Order{Key: text.UTF16Key}, func(name string) string {
			var key []byte
			for _, unit := range utf16.Encode([]rune(lossy(name))) {
				key = binary.BigEndian.AppendUint16(key, unit)
			}
			return string(key)
		}, false},
	}
}

// A yield is a pair yielded by a walk.
type yield struct {
	path     string
	kind     workspace.EntryKind
	error    bool
	forError bool
}

// A reference computes the expected entries of a walk from the whole tree, without laziness.
type reference struct {
	order order
	o     walk.Options
	// filter is the filter of the walk as a function of the path. If nil, o.Filter is used, which must
	// depend only on the kind.
	filter func(path string, kind workspace.EntryKind) walk.Decision
	root   string // the path of the tree

	count int
	out   []yield
	read  []string // non-empty directories that must be read
}

func (r *reference) full() bool { return r.o.Limit > 0 && r.count >= r.o.Limit }

// opened returns the entries of d that the filter does not omit, and records that d must be read.
func (r *reference) opened(d *node) []*node {
	if d.enter == errSkip {
		return nil
	}
	if len(d.children) > 0 {
		r.read = append(r.read, d.path)
	}
	var kept []*node
	for _, c := range d.children {
		seen := *c
		if d.listed {
			seen.locked = true
			if r.o.CheckSearch {
				seen.kind = workspace.Unknown
			}
		}
		switch r.decide(&seen) {
		case walk.Omit:
			continue
		case walk.Hide:
			if seen.hidden = true; seen.kind != workspace.Directory {
				continue
			}
		}
		kept = append(kept, &seen)
	}
	return kept
}

func (r *reference) decide(n *node) walk.Decision {
	switch {
	case r.filter != nil:
		return r.filter(n.path, n.kind)
	case r.o.Filter != nil:
		return r.o.Filter(nil, nil, n.kind)
	default:
		return walk.Show
	}
}

// hideDirectories is a filter that shows everything but directories.
func hideDirectories(_ *walk.Directory, _ []byte, kind workspace.EntryKind) walk.Decision {
	if kind == workspace.Directory {
		return walk.Hide
	}
	return walk.Show
}

// inOrder sorts the entries of one directory.
func (r *reference) inOrder(children []*node) []*node {
	type keyed struct {
		class uint8
		key   string
		*node
	}
	all := make([]keyed, len(children))
	for i, c := range children {
		all[i] = keyed{0, r.order.key(c.name), c}
		if class := r.order.walk.Class; class != nil {
			all[i].class = class(c.kind)
		}
	}
	slices.SortFunc(all, func(a, b keyed) int {
		return cmp.Or(cmp.Compare(a.class, b.class), strings.Compare(a.key, b.key),
			strings.Compare(a.name, b.name))
	})
	for i := range all {
		children[i] = all[i].node
	}
	return children
}

// compute sets out and read for a walk of root.
func (r *reference) compute(root *node) {
	switch r.o.Order {
	case walk.PathOrder:
		r.pathOrder(root)
	case walk.NewestFirst:
		r.newestFirst(root)
	default:
		r.preOrder(root, 1)
	}
}

// newestFirst computes NewestFirst from all entries, in the order of the walk.
func (r *reference) newestFirst(root *node) {
	all := reference{order: orders()[0], o: walk.Options{Depth: r.o.Depth}, filter: r.filter}
	all.preOrder(root, 1)
	modified := map[string]time.Time{}
	var found []yield
	for _, y := range all.out {
		info, err := os.Lstat(filepath.Join(r.root, y.path))
		if y.error || err != nil {
			r.out = append(r.out, yield{y.path, y.kind, true, true})
		}
		if err == nil && !y.forError {
			y.error = false
			found, modified[y.path] = append(found, y), info.ModTime()
		}
	}
	slices.SortFunc(found, func(a, b yield) int {
		return cmp.Or(modified[b.path].Compare(modified[a.path]), strings.Compare(a.path, b.path))
	})
	if r.o.Limit > 0 {
		found = found[:min(r.o.Limit, len(found))]
	}
	r.out, r.read = append(r.out, found...), all.read
}

// preOrder computes PreOrder for the entries of d and reports whether to continue.
func (r *reference) preOrder(d *node, depth int) bool {
	for _, c := range r.inOrder(r.opened(d)) {
		if !c.hidden {
			r.count++
		}
		entered := c.kind == workspace.Directory && depth < r.o.Depth && !r.full()
		fails := c.hidden && entered && c.locked // is yielded, but does not count
		if !c.hidden || fails {
			r.out = append(r.out, yield{c.path, c.kind, entered && c.locked, c.hidden})
		}
		if r.full() || entered && !c.locked && !r.preOrder(c, depth+1) {
			return false
		}
	}
	return true
}

// A placed entry is an entry with the key of its path and a lower bound of the keys of its entries.
type placed struct {
	*node
	key, begin string
	depth      int
}

// pathOrder computes PathOrder by sorting the whole list.
func (r *reference) pathOrder(root *node) {
	var all []placed
	var add func(d *node, prefix string, depth int)
	add = func(d *node, prefix string, depth int) {
		for _, c := range r.opened(d) {
			key := prefix + r.order.key(c.name)
			all = append(all, placed{c, r.cut(key), r.cut(key + "/"), depth})
			if c.kind == workspace.Directory && depth < r.o.Depth && !c.locked {
				add(c, key+"/", depth+1)
			}
		}
	}
	add(root, "", 1)
	slices.SortFunc(all, func(a, b placed) int {
		return cmp.Or(strings.Compare(a.key, b.key), strings.Compare(a.path, b.path))
	})

	r.read = nil
	r.opened(root)
	var begins []placed // directories not entered yet, sorted by begin
	begin := func(d placed) {
		if !d.locked {
			r.opened(d.node)
		} else if r.count >= r.o.Skip {
			r.out = append(r.out, yield{d.path, d.kind, true, true})
		}
	}
	for _, e := range all {
		for len(begins) > 0 && begins[0].begin <= e.key {
			begin(begins[0])
			begins = begins[1:]
		}
		if !e.hidden {
			if r.count++; r.count > r.o.Skip {
				r.out = append(r.out, yield{e.path, e.kind, false, false})
			}
			if r.full() {
				return
			}
		}
		if e.kind == workspace.Directory && e.depth < r.o.Depth {
			begins = append(begins, e)
			slices.SortFunc(begins, func(a, b placed) int {
				return cmp.Or(strings.Compare(a.begin, b.begin), strings.Compare(a.path, b.path))
			})
		}
	}
	for _, d := range begins {
		begin(d)
	}
}

// cut cuts a key, which must be UTF-8, to MaxKey.
func (r *reference) cut(key string) string {
	n := r.o.MaxKey
	if n == 0 || len(key) <= n {
		return key
	}
	for n > 0 && !utf8.RuneStart(key[n]) {
		n--
	}
	return key[:n]
}

// kinds is a names.Order.Class that sorts directories before files, and everything else before
// both.
func kinds(kind workspace.EntryKind) uint8 {
	return uint8(slices.Index([]workspace.EntryKind{workspace.Directory, workspace.Regular}, kind) + 2)
}
