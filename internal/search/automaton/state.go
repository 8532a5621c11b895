package automaton

import (
	"encoding/binary"
	"slices"
)

// A config is a position of a line: the current instructions, in ascending order in a state, and
// the text before it. The instructions consume a byte, or are conditions that depend on it.
type config struct {
	set []int32
	margin
}

// A state is a config. next holds the state after each byte, or nil if unknown.
type state struct {
	next  [256]*state
	at    config
}

// reset drops all states.
func (d *DFA) reset() {
	clear(d.states)
	for _, s := range d.made[:d.used] {
		if cap(s.at.set) > maxRetained {
			s.at.set = nil
		}
	}
	d.used, d.memory = 0, 0
	d.nextRound()
	d.at.set = d.follow(d.at.set[:0], d.p.start, edge, unknown)
	d.at.margin = margin{before: edge}
	d.start = d.state()
}

// resetBut drops all states except s, and returns a new state for the config of s.
func (d *DFA) resetBut(s *state) *state {
	c := s.at
	c.set = slices.Clone(c.set)
	d.reset()
	d.at = c
	return d.state()
}

// step returns the state after s and a byte.
func (d *DFA) step(s *state, b byte) *state {
	if s == d.matched || s == d.dead {
		return s
	}
	d.run(len(s.at.set))
	set := append(d.at.set[:0], s.at.set...)
	d.at = s.at
	d.at.set = set
	if d.p.needs&word != 0 {
		d.at.add(b, d.p.needs, d.take)
	} else {
		after := byteContext(b) & d.p.needs
		d.take(b, d.at.before, after)
		d.at.before = after
	}
	next := d.start
	if b != '\n' || slices.Contains(d.at.set, match) {
		next = d.state()
	}
	for _, b := range d.p.same[b] {
		s.next[b] = next
	}
	return next
}

// take consumes a byte. before and after describe the text around the position before the byte.
func (d *DFA) take(b byte, before, after surroundings) {
	if d.p.needs != 0 { // decide the conditions
		d.nextRound()
		list := d.list[:0]
		for _, pc := range d.at.set {
			list = d.follow(list, pc, before, after)
		}
		d.at.set, d.list = list, d.at.set
		if d.marks[match] == d.round {
			return
		}
	}
	if b == '\n' {
		return
	}
	d.nextRound()
	list := d.list[:0]
	for _, pc := range d.at.set {
		if next := d.p.step(pc, b); next != none {
			list = d.follow(list, next, after, unknown)
		}
	}
	list = d.follow(list, d.p.start, after, unknown)
	d.at.set, d.list = list, d.at.set
}

// state returns the state for d.at.
func (d *DFA) state() *state {
	c := &d.at
	slices.Sort(c.set)
	switch {
	case len(c.set) == 0:
		return d.dead
	case c.set[0] == match:
		return d.matched
	}
	d.key = append(d.key[:0], byte(c.before), c.waiting)
	d.key = append(d.key, c.pending[:c.waiting]...)
	last := int32(0)
	for _, pc := range c.set {
		d.key = binary.AppendUvarint(d.key, uint64(pc-last))
		last = pc
	}
	s := d.states[string(d.key)]
	if s == nil {
		s = d.newState(c)
		d.states[string(d.key)] = s
	}
	return s
}

func (d *DFA) newState(c *config) *state {
	if d.used == len(d.made) {
		d.made = append(d.made, &state{})
	}
	s := d.made[d.used]
	d.used++
	clear(s.next[:])
	set := append(s.at.set[:0], c.set...)
	s.at = *c
	s.at.set = set
	d.memory += stateCost + 4*cap(set) + len(d.key)
	return s
}
