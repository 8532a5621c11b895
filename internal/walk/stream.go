package walk

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"

	"gander/internal/workspace"
)

// An item is an entry of a directory that has been read. key is empty where it equals name.
type item struct {
	kind  workspace.Kind
	class uint8
	name  string
	key   string
}

func (i *item) orderKey() string {
	if i.key == "" {
		return i.name
	}
	return i.key
}

// A stream yields the items of one directory in order. It reads the directory as often as it must and keeps only the
// smallest items not yet taken: one pass is enough for as many as were asked for, and each further pass keeps more.
type stream struct {
	ctx   context.Context
	dir   *Directory
	order Order
	keep  func(*Directory, []byte, workspace.Kind) bool
	// inspect asks on the first pass whether the directory can be searched; opaque is the answer that it cannot.
	inspect, opaque bool

	items []item
	last  item // the item taken last, from which the next pass goes on
	size  int  // how many items the last pass was to keep; 0: all
	more  bool // whether the directory has items after these
}

// fill makes the first pass: at most n items will be taken, as far as is known; 0 means any number.
func (s *stream) fill(n int) error {
	s.size = n
	if s.inspect {
		_, err := s.dir.open.Lstat(".")
		s.opaque = errors.Is(err, fs.ErrPermission)
	}
	return s.read(nil)
}

// next takes the next item, nil at the end. n is as for fill.
func (s *stream) next(n int) (*item, error) {
	if len(s.items) == 0 {
		if !s.more {
			return nil, nil
		}
		s.size = max(n, 2*s.size)
		if err := s.read(&s.last); err != nil || len(s.items) == 0 {
			return nil, err
		}
	}
	s.last, s.items = s.items[0], s.items[1:]
	return &s.last, nil
}

// read makes a pass for the smallest items after one.
func (s *stream) read(after *item) error {
	p := picker{stream: s, after: after}
	if err := s.dir.open.Names(s.ctx, p.add); err != nil {
		return err
	}
	s.items, s.more = p.items(), p.more
	return nil
}

// A candidate is an entry while its directory is being read. key is nil where it equals name.
type candidate struct {
	kind  workspace.Kind
	class uint8
	name  []byte
	key   []byte
}

func (c *candidate) orderKey() []byte {
	if c.key == nil {
		return c.name
	}
	return c.key
}

func (c *candidate) compare(d *candidate) int {
	if c.class != d.class {
		return int(c.class) - int(d.class)
	}
	if n := bytes.Compare(c.orderKey(), d.orderKey()); n != 0 || c.key == nil && d.key == nil {
		return n
	}
	return bytes.Compare(c.name, d.name)
}

func (c *candidate) follows(i *item) bool {
	if c.class != i.class {
		return c.class > i.class
	}
	if n := strings.Compare(string(c.orderKey()), i.orderKey()); n != 0 {
		return n > 0
	}
	return string(c.name) > i.name
}

// set makes c a copy of d in c's own memory.
func (c *candidate) set(d *candidate) {
	c.kind, c.class = d.kind, d.class
	c.name = append(c.name[:0], d.name...)
	if d.key == nil {
		c.key = nil
	} else {
		c.key = append(c.key[:0], d.key...)
	}
}

// A picker keeps the smallest candidates of one pass: in a heap with the largest on top, or all where size is 0.
type picker struct {
	*stream
	after   *item
	heap    []candidate
	scratch []byte
}

// add is called for every name of the directory. Comparing comes before filtering, because most names of a large
// directory fail the comparison, and filtering before keeping.
func (p *picker) add(name []byte, kind workspace.Kind) bool {
	if p.opaque {
		kind = workspace.Unknown
	}
	c := candidate{kind: kind, name: name}
	if p.order.Class != nil {
		c.class = p.order.Class(kind)
	}
	if p.order.Key != nil {
		if key := p.order.Key(p.scratch[:0], name); !same(key, name) {
			c.key, p.scratch = key, key
		}
	}
	full := p.size > 0 && len(p.heap) == p.size
	beyond := full && c.compare(&p.heap[0]) >= 0
	if beyond && p.more || p.after != nil && !c.follows(p.after) || p.keep != nil && !p.keep(p.dir, name, kind) {
		return true
	}
	switch {
	case beyond:
		p.more = true
	case full:
		p.more = true
		p.heap[0].set(&c)
		p.down()
	default:
		p.heap = append(p.heap, candidate{})
		p.heap[len(p.heap)-1].set(&c)
		if p.size > 0 {
			p.up()
		}
	}
	return true
}

// same reports whether key is name itself.
func same(key, name []byte) bool {
	return len(key) == len(name) && (len(key) == 0 || &key[0] == &name[0])
}

func (p *picker) up() {
	for i := len(p.heap) - 1; i > 0; {
		parent := (i - 1) / 2
		if p.heap[i].compare(&p.heap[parent]) <= 0 {
			return
		}
		p.heap[i], p.heap[parent] = p.heap[parent], p.heap[i]
		i = parent
	}
}

func (p *picker) down() {
	for i := 0; ; {
		largest := i
		for child := 2*i + 1; child <= 2*i+2 && child < len(p.heap); child++ {
			if p.heap[child].compare(&p.heap[largest]) > 0 {
				largest = child
			}
		}
		if largest == i {
			return
		}
		p.heap[i], p.heap[largest] = p.heap[largest], p.heap[i]
		i = largest
	}
}

// items returns what was kept, in order, in two pieces of memory.
func (p *picker) items() []item {
	slices.SortFunc(p.heap, func(a, b candidate) int { return a.compare(&b) })
	var text strings.Builder
	for i := range p.heap {
		text.Write(p.heap[i].name)
		text.Write(p.heap[i].key)
	}
	rest := text.String()
	take := func(n int) (s string) {
		s, rest = rest[:n], rest[n:]
		return s
	}
	items := make([]item, len(p.heap))
	for i := range p.heap {
		c := &p.heap[i]
		items[i] = item{kind: c.kind, class: c.class, name: take(len(c.name)), key: take(len(c.key))}
	}
	return items
}
