package minimatch

import (
	"slices"
	"unicode/utf16"
)

// A node is a part of a compiled component.
type node struct {
	kind  nodeKind
	char  rune
	class *class
	parts []*node // of a sequence, or the alternatives of a group
	least int     // of a star: how many characters it matches at least
	group byte    // one of ? + * @ !
}

type nodeKind uint8

const (
	charNode     nodeKind = iota // one character
	anyNode                      // any character
	classNode                    // a character of a class
	starNode                     // any characters
	sequenceNode                 // its parts in order
	groupNode                    // its alternatives
	endNode                      // the end of the name
	neverNode                    // nothing
	barNode                      // separates alternatives
)

// A compiler turns a tree into nodes.
type compiler struct {
	magic   bool // there is anything but text
	runes   bool // a class asks for characters instead of UTF-16 units
	escapes bool // there is text that a regular expression for characters must not escape
}

// compile returns the node of a tree.
func (c *compiler) compile(t *tree) *node {
	if t.kind != 0 {
		return c.group(t)
	}
	n := &node{kind: sequenceNode}
	alone := t.isStart() && t.isEnd()
	for _, p := range t.parts {
		alone = alone && p.tree == nil
	}
	for _, p := range t.parts {
		if p.tree != nil {
			sub := c.compile(p.tree)
			if sub.kind == sequenceNode {
				n.parts = append(n.parts, sub.parts...)
			} else {
				n.parts = append(n.parts, sub)
			}
		} else {
			n.parts = append(n.parts, c.text(p.text, alone)...)
		}
	}
	if t.parent != nil && t.parent.kind == '!' {
		n.parts = append(n.parts, &node{kind: endNode})
	}
	if t.parent != nil && t.parent.kind != 0 {
		n.separate(false)
	}
	return n
}

// separate makes alternatives of what bars separate. In a whole component, only the first is bound to the beginning and only the
// last to the end.
func (n *node) separate(whole bool) {
	alternatives := []*node{{kind: sequenceNode}}
	for _, p := range n.parts {
		last := alternatives[len(alternatives)-1]
		if p.kind != barNode {
			last.parts = append(last.parts, p)
			continue
		}
		next := &node{kind: sequenceNode}
		if whole {
			last.parts = append(last.parts, &node{kind: starNode})
			next.parts = append(next.parts, &node{kind: starNode})
		}
		alternatives = append(alternatives, next)
	}
	if len(alternatives) > 1 {
		n.parts = []*node{{kind: groupNode, group: '@', parts: alternatives}}
	}
}

// group returns the node of a group. A group of nothing that is the whole component is text.
func (c *compiler) group(t *tree) *node {
	whole := t.isStart() && t.isEnd()
	n := &node{kind: groupNode, group: t.kind}
	filled := false
	inner := *c
	for _, p := range t.parts {
		alternative := inner.compile(p.tree)
		empty := len(alternative.parts) == 0
		filled = filled || !empty
		if !whole || !empty {
			n.parts = append(n.parts, alternative)
		}
	}
	if whole && !filled && t.kind != '!' {
		literal := &node{kind: sequenceNode}
		for _, r := range t.source() {
			literal.parts = append(literal.parts, &node{kind: charNode, char: r})
		}
		return literal
	}
	if t.kind == '!' && t.empty { // the original drops what it compiled
		c.magic, c.runes = true, inner.runes
		return &node{kind: starNode, least: 1}
	}
	*c = inner
	c.magic = true
	return n
}

// source returns a group as it was written.
func (t *tree) source() string {
	s := ""
	for i, p := range t.parts {
		if t.kind != 0 && i > 0 {
			s += "|"
		}
		if p.tree != nil {
			s += p.tree.source()
		}
		s += p.text
	}
	if t.kind != 0 {
		return string(t.kind) + "(" + s + ")"
	}
	return s
}

// text returns the nodes of text without groups. Where it is alone in its component or alternative, stars alone match at least
// one character.
func (c *compiler) text(s string, alone bool) []*node {
	encoded := utf16.Encode([]rune(s))
	onlyStars := true
	for _, unit := range encoded {
		onlyStars = onlyStars && unit == '*'
	}
	var list []*node
	for i := 0; i < len(encoded); i++ {
		switch unit := encoded[i]; unit {
		case '*':
			c.magic = true
			n := &node{kind: starNode}
			if alone && onlyStars {
				n.least = 1
			}
			if i == 0 || encoded[i-1] != '*' || len(list) == 0 || list[len(list)-1].kind != starNode {
				list = append(list, n)
			}
		case '?':
			c.magic = true
			list = append(list, &node{kind: anyNode})
		case '\\':
			switch i++; {
			case i == len(encoded):
				list = append(list, &node{char: '\\'})
			case encoded[i] == '|': // the original does not escape it
				list = append(list, &node{kind: barNode, char: '|'})
			default:
				c.escapes = c.escapes || encoded[i] == '!'
				list = append(list, &node{char: rune(encoded[i])})
			}
		case '[':
			p := parseClass(encoded[i:])
			if p.size == 0 {
				list = append(list, c.character('['))
				continue
			}
			i += p.size - 1
			c.runes = c.runes || p.unicode
			switch {
			case p.never:
				c.magic = true
				list = append(list, &node{kind: neverNode})
			case p.class != nil:
				c.magic = true
				list = append(list, &node{kind: classNode, class: p.class})
			default:
				list = append(list, c.character(p.literal))
			}
		default:
			list = append(list, c.character(rune(unit)))
		}
	}
	return list
}

// character returns the node of a character that is not escaped.
func (c *compiler) character(r rune) *node {
	switch r {
	case '-', ',', '#', ' ', '\t', '\n', '\v', '\f', '\r', '\u00a0', '\u1680', '\u2028', '\u2029', '\u202f', '\u205f', '\u3000', '\ufeff':
		c.escapes = true
	}
	if '\u2000' <= r && r <= '\u200a' {
		c.escapes = true
	}
	return &node{char: r}
}

// literal appends the characters of a node that is all text.
func (n *node) literal(dst []uint16) ([]uint16, bool) {
	switch n.kind {
	case charNode, barNode:
		return append(dst, uint16(n.char)), true
	case sequenceNode:
		ok := true
		for _, p := range n.parts {
			if dst, ok = p.literal(dst); !ok {
				return dst, false
			}
		}
		return dst, true
	default:
		return dst, false
	}
}

// finish compiles the classes of a node, for a match by characters or by UTF-16 units. In the former case it makes one character
// of each pair of surrogates. It reports whether the classes are valid.
func (n *node) finish(runes bool) bool {
	if n.kind == classNode {
		return n.class.compile(runes)
	}
	valid := true
	var parts []*node
	for _, p := range n.parts {
		valid = p.finish(runes) && valid
		if last := len(parts) - 1; runes && last >= 0 && p.kind == charNode && parts[last].kind == charNode {
			if r := utf16.DecodeRune(parts[last].char, p.char); r != '\ufffd' {
				parts[last] = &node{char: r}
				continue
			}
		}
		parts = append(parts, p)
	}
	n.parts = parts
	return valid
}

// match reports whether the node matches all of a name.
func (n *node) match(name []rune) bool {
	at := make([]bool, len(name)+1)
	at[0] = true
	return n.step(name, at)[len(name)]
}

// step returns the positions in a name that can be reached from the given ones.
func (n *node) step(name []rune, at []bool) []bool {
	switch n.kind {
	case sequenceNode:
		for _, p := range n.parts {
			at = p.step(name, at)
		}
		return at
	case groupNode:
		return n.stepGroup(name, at)
	}
	next := make([]bool, len(at))
	switch n.kind {
	case starNode:
		for i := range at {
			for j := i + n.least; at[i] && j < len(at); j++ {
				next[j] = true
			}
			if at[i] {
				break // what is reached from later positions is reached from here
			}
		}
	case endNode:
		next[len(name)] = at[len(name)]
	case neverNode:
	default:
		for i, r := range name {
			next[i+1] = at[i] && n.takes(r)
		}
	}
	return next
}

func (n *node) takes(r rune) bool {
	switch n.kind {
	case anyNode:
		return true
	case classNode:
		return n.class.holds(r)
	default:
		return r == n.char
	}
}

// alternatives returns the positions that one of the alternatives reaches. A group without any reaches where it is.
func (n *node) alternatives(name []rune, at []bool) []bool {
	if len(n.parts) == 0 {
		return at
	}
	next := make([]bool, len(at))
	for _, p := range n.parts {
		for i, reached := range p.step(name, at) {
			next[i] = next[i] || reached
		}
	}
	return next
}

func (n *node) stepGroup(name []rune, at []bool) []bool {
	switch n.group {
	case '@':
		return n.alternatives(name, at)
	case '?':
		return union(at, n.alternatives(name, at))
	case '!':
		return n.stepNegative(name, at)
	}
	reached := n.alternatives(name, at)
	if n.group == '*' {
		reached = union(at, reached)
	}
	for {
		more := union(reached, n.alternatives(name, reached))
		if equal(more, reached) {
			return reached
		}
		reached = more
	}
}

// stepNegative goes on from the positions from which no alternative reaches anything, which is the end if bars do not separate it.
func (n *node) stepNegative(name []rune, at []bool) []bool {
	next := make([]bool, len(at))
	for i := range at {
		if !at[i] {
			continue
		}
		from := make([]bool, len(at))
		from[i] = true
		if slices.Contains(n.alternatives(name, from), true) {
			continue
		}
		for j := i; j < len(at); j++ {
			next[j] = true
		}
		break
	}
	return next
}

func union(a, b []bool) []bool {
	both := make([]bool, len(a))
	for i := range a {
		both[i] = a[i] || b[i]
	}
	return both
}

func equal(a, b []bool) bool {
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}
