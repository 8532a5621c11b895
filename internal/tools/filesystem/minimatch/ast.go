package minimatch

import "strings"

// A tree is a component of a glob: either a sequence of text and groups, or, with a kind, a group such as @(a|b), whose parts
// are its alternatives. The original treats some groups by their place in the tree, and keeps that place when it moves them.
type tree struct {
	kind   byte // one of ! ? + * @, or 0 for a sequence
	parts  []part
	parent *tree
	index  int  // among the parts of the parent, when it was made
	empty  bool // the last alternative ends in a group or in nothing
}

// A part is text, or a tree.
type part struct {
	text string
	tree *tree
}

func newTree(kind byte, parent *tree) *tree {
	t := &tree{kind: kind, parent: parent}
	if parent != nil {
		t.index = len(parent.parts)
	}
	return t
}

func (t *tree) addText(s string) {
	if s != "" {
		t.parts = append(t.parts, part{text: s})
	}
}

func (t *tree) add(sub *tree) { t.parts = append(t.parts, part{tree: sub}) }

func isKind(c byte) bool { return strings.IndexByte("!?+*@", c) >= 0 }

// maxGroups is the depth of nested groups. Deeper ones are text, unless their parent can take over their alternatives.
const maxGroups = 2

// A parser parses a component.
type parser struct {
	s        string
	negative []*tree // the groups !(...), in the order of their beginning
}

// parse parses a component of a glob into a tree whose groups !(...) hold what follows them as well.
func parse(component string) *tree {
	p := &parser{s: component}
	root := newTree(0, nil)
	p.sequence(root)
	root.flatten()
	p.fillNegative()
	return root
}

// A scanner tells which characters are special: those that are neither escaped nor in a class.
type scanner struct {
	escaping, class, negated bool
	start                    int
}

// special reports whether the character c, which ends before index i, can be special.
func (s *scanner) special(c byte, i int) bool {
	switch {
	case s.escaping || c == '\\':
		s.escaping = !s.escaping
	case s.class && i == s.start+1 && (c == '^' || c == '!'):
		s.negated = true
	case s.class && i == s.start+1:
	case s.class:
		if c == ']' && (i != s.start+2 || !s.negated) {
			s.class = false
		}
	case c == '[':
		s.class, s.start, s.negated = true, i, false
	default:
		return true
	}
	return false
}

// sequence parses the whole component.
func (p *parser) sequence(t *tree) {
	var scan scanner
	begin := 0
	for i := 0; i < len(p.s); {
		c := p.s[i]
		i++
		if scan.special(c, i) && isKind(c) && i < len(p.s) && p.s[i] == '(' {
			t.addText(p.s[begin : i-1])
			sub := newTree(c, t)
			i = p.group(sub, i, 1)
			t.add(sub)
			begin = i
		}
	}
	t.addText(p.s[begin:])
}

// group parses a group from its parenthesis on, and returns where it ends. A group without an end becomes text.
func (p *parser) group(t *tree, open, depth int) int {
	if t.kind == '!' {
		p.negative = append(p.negative, t)
	}
	var scan scanner
	var alternatives []*tree
	current := newTree(0, t)
	begin := open + 1
	for i := open + 1; i < len(p.s); {
		c := p.s[i]
		i++
		switch {
		case !scan.special(c, i):
		case isKind(c) && i < len(p.s) && p.s[i] == '(' && (depth <= maxGroups || t.takes(c, anyAdoption)):
			current.addText(p.s[begin : i-1])
			sub := newTree(c, current)
			current.add(sub)
			deeper := depth + 1
			if t.takes(c, anyAdoption) {
				deeper = depth
			}
			i = p.group(sub, i, deeper)
			begin = i
		case c == '|':
			current.addText(p.s[begin : i-1])
			alternatives = append(alternatives, current)
			current = newTree(0, t)
			begin = i
		case c == ')':
			t.empty = begin == i-1
			current.addText(p.s[begin : i-1])
			for _, a := range append(alternatives, current) {
				t.add(a)
			}
			return i
		}
	}
	t.kind = 0
	t.parts = []part{{text: p.s[open-1:]}}
	return len(p.s)
}

// An adoption says which kinds of group a group of each kind can replace by their alternatives.
type adoption uint8

const (
	plainAdoption adoption = iota
	emptyAdoption          // with an empty alternative in addition
	anyAdoption            // in either way, or by changing its own kind
)

// takes reports whether a group can take over the alternatives of one of kind c among its own.
func (t *tree) takes(c byte, a adoption) bool {
	var kinds string
	switch a {
	case plainAdoption:
		kinds = map[byte]string{'!': "@", '?': "?@", '@': "@", '*': "*+?@", '+': "+@"}[t.kind]
	case emptyAdoption:
		kinds = map[byte]string{'!': "?", '@': "?", '+': "?*"}[t.kind]
	case anyAdoption:
		kinds = map[byte]string{'!': "?@", '?': "?@", '@': "?@", '*': "*+?@", '+': "+@?*"}[t.kind]
	}
	return strings.IndexByte(kinds, c) >= 0
}

// only returns the group that is all of an alternative, or nil.
func only(p part) *tree {
	if p.tree == nil || p.tree.kind != 0 || len(p.tree.parts) != 1 {
		return nil
	}
	if g := p.tree.parts[0].tree; g != nil && g.kind != 0 {
		return g
	}
	return nil
}

// usurps returns the kind that a group becomes which takes the place of the one group in it, or 0.
func usurps(outer, inner byte) byte {
	switch {
	case outer == '!' && inner == '!':
		return '@'
	case outer == '?' && (inner == '*' || inner == '+'), outer == '+' && (inner == '?' || inner == '*'):
		return '*'
	case outer == '@':
		return inner
	default:
		return 0
	}
}

// flatten merges groups with the groups that are all of one of their alternatives.
func (t *tree) flatten() {
	if t.kind == 0 {
		for _, p := range t.parts {
			if p.tree != nil {
				p.tree.flatten()
			}
		}
		return
	}
	for range 10 {
		done := true
		for i := 0; i < len(t.parts); i++ {
			c := t.parts[i]
			if c.tree == nil {
				continue
			}
			c.tree.flatten()
			if g := only(c); g != nil && t.merge(g, i) {
				done = false
			}
		}
		if done {
			return
		}
	}
}

// merge merges t with the group that is its alternative i, if it can.
func (t *tree) merge(g *tree, i int) bool {
	switch {
	case t.kind == 0:
		return false
	case t.takes(g.kind, plainAdoption):
	case t.takes(g.kind, emptyAdoption):
		blank := newTree(0, g)
		blank.parts = []part{{}}
		g.add(blank)
	case len(t.parts) == 1 && usurps(t.kind, g.kind) != 0:
		t.kind, t.empty = usurps(t.kind, g.kind), false
	default:
		return false
	}
	merged := append([]part{}, t.parts[:i]...)
	merged = append(merged, g.parts...)
	t.parts = append(merged, t.parts[i+1:]...)
	for _, p := range g.parts {
		if p.tree != nil {
			p.tree.parent = t
		}
	}
	return true
}

// fillNegative adds to each alternative of a group !(...) what follows the group, for what it must not match extends to the
// end of the component.
func (p *parser) fillNegative() {
	for i := len(p.negative) - 1; i >= 0; i-- {
		n := p.negative[i]
		if n.kind != '!' {
			continue
		}
		for at, up := n, n.parent; up != nil; at, up = up, up.parent {
			for j := at.index + 1; up.kind == 0 && j < len(up.parts); j++ {
				for _, alternative := range n.parts {
					alternative.tree.copyIn(up.parts[j])
				}
			}
		}
	}
}

func (t *tree) copyIn(p part) {
	if p.tree == nil {
		t.addText(p.text)
		return
	}
	c := newTree(p.tree.kind, t)
	for _, sub := range p.tree.parts {
		c.copyIn(sub)
	}
	t.add(c)
}

// isStart reports whether nothing but groups !(...) precedes t in the component.
func (t *tree) isStart() bool {
	if t.parent == nil {
		return true
	}
	if !t.parent.isStart() {
		return false
	}
	if t.index > len(t.parent.parts) {
		return false
	}
	for _, p := range t.parent.parts[:t.index] {
		if p.tree == nil || p.tree.kind != '!' {
			return false
		}
	}
	return true
}

// isEnd reports whether t ends the component, or is an alternative of a group !(...).
func (t *tree) isEnd() bool {
	switch {
	case t.parent == nil, t.parent.kind == '!':
		return true
	case !t.parent.isEnd():
		return false
	default:
		return t.kind == 0 || t.index == len(t.parent.parts)-1
	}
}
