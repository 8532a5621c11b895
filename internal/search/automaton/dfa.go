package automaton

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"hash/maphash"
	"slices"
)

const (
	// stateCost is the memory of a state without its set, in bytes.
	stateCost = 256*8 + 150
	// StateMemory is the default of the memory for the states of a DFA, in bytes.
	StateMemory = 6 << 20
	// maxRetained is the maximum capacity of a set that a dropped state keeps.
	maxRetained = 256
)

// Limits limits the work of a DFA or Spanner.
type Limits struct {
	// Memory is the maximum size of the states in bytes. The default is [StateMemory].
	Memory int
	// Reserve, if not nil, is called once by a search, before the states exceed a sixteenth of Memory.
	// If it returns false, they never do.
	Reserve func() bool
	// Stop, if not nil, is called occasionally by a search. After it returns true, nothing more is
	// found.
	Stop func() bool
}

// A DFA finds lines with a deterministic automaton. It makes a state when the text first needs it,
// and drops all states when they exceed their memory. It is not safe for concurrent use.
type DFA struct {
	walker
	scratch config  // the config of the state that is being made
	list    []int32 // scratch space
	limits  Limits
	// states holds the states by the hash of their configs. They use memory bytes. If memory exceeds
	// limit, they are dropped.
	states map[uint64]*state
	seed   maphash.Seed
	memory int
	limit  int
	// made holds the allocated states. The first used of them are in use.
	made []*state
	used int
	// starts holds the states in which no match has begun, by the text before. start is the one at the
	// start of a line. In the state matched the line matches, in the state dead it does not.
	starts               [unknown]*state
	start, matched, dead *state

	current *state // the state after the part of a line that Feed has read
	key     []byte
}

func NewDFA(p *Program, l Limits) *DFA {
	d := &DFA{walker: newWalker(p, l.Stop), states: map[uint64]*state{}, seed: maphash.MakeSeed()}
	l.Memory = cmp.Or(l.Memory, StateMemory)
	d.limits, d.limit = l, l.Memory
	if l.Reserve != nil {
		d.limit /= 16
	}
	d.matched, d.dead = &state{}, &state{}
	d.reset()
	return d
}

// Find returns a position in the first line that matches, or its end, or -1 if no line does. buf
// begins at the start of a line.
func (d *DFA) Find(buf []byte) int {
	s, n := d.scan(d.start, buf)
	switch {
	case len(buf) == 0 || d.stopped:
		return -1
	case s == d.matched:
		return max(n-1, 0)
	case buf[len(buf)-1] != '\n' && d.end(s):
		return len(buf)
	}
	return -1
}

// scan follows the states over buf until a line matches. It returns the state and the number of
// bytes consumed.
func (d *DFA) scan(s *state, buf []byte) (*state, int) {
	i := 0
	for i < len(buf) && s != d.matched && !d.stopped {
		if s != d.dead {
			n := 0
			s, n = d.scanLine(s, buf[i:])
			i += n
			continue
		}
		end := bytes.IndexByte(buf[i:], '\n')
		if end < 0 {
			return s, len(buf)
		}
		s = d.start
		i += end + 1
	}
	return s, i
}

// end reports whether a line that ends in state s matches.
func (d *DFA) end(s *state) bool {
	next := s.next['\n']
	if next == nil {
		next = d.step(s, '\n')
	}
	return next == d.matched
}

// scanLine follows the states over buf until the line matches or is dead. It returns the state
// and the number of bytes consumed.
func (d *DFA) scanLine(s *state, buf []byte) (*state, int) {
	i := 0
	for {
		for i < len(buf) {
			next := s.next[buf[i]]
			if next == nil {
				break
			}
			s = next
			i++
		}
		isDecided := s == d.matched || s == d.dead
		if isDecided || i == len(buf) || d.stopped {
			return s, i
		}
		s = d.extend(s, buf[i])
		i++
	}
}

// Idle returns the last position in a part of a line where no match has begun, among those up to
// the end of the first match. before describes the text before the part, and the result the text
// before the position.
func (d *DFA) Idle(before surroundings, part []byte) (position int, _ surroundings) {
	s := d.startAt(before & d.p.needs)
	for i := 0; i < len(part) && s != d.matched && !d.stopped; i++ {
		if s == d.dead {
			return len(part), invalid
		}
		next := s.next[part[i]]
		if next == nil {
			next = d.extend(s, part[i])
		}
		s = next
		if s.config.idle {
			position, before = i+1, s.config.before
		}
	}
	return position, before
}

// StartLine begins a line for Feed.
func (d *DFA) StartLine() { d.current = d.start }

// Feed consumes the next bytes of the line, without line feeds. It reports whether the line matches
// regardless of the rest.
func (d *DFA) Feed(piece []byte) bool {
	d.current, _ = d.scan(d.current, piece)
	return d.current == d.matched
}

// EndLine ends the line and reports whether it matches.
func (d *DFA) EndLine() bool { return d.end(d.current) }

// A config is a position of a line: the current instructions, in ascending order in a state, and
// the text before it. The instructions consume a byte, or are conditions that depend on it.
type config struct {
	set []int32
	margin
	idle bool // no match has begun
}

// copy makes c a copy of q.
func (c *config) copy(q *config) {
	set := append(c.set[:0], q.set...)
	*c = *q
	c.set = set
}

func (c *config) equal(q *config) bool {
	return c.margin == q.margin && c.idle == q.idle && slices.Equal(c.set, q.set)
}

// A state is a config. next holds the state after each byte, or nil if unknown.
type state struct {
	next   [256]*state
	config config
	other  *state // whose config has the same hash
}

// reset drops all states.
func (d *DFA) reset() {
	clear(d.states)
	for _, s := range d.made[:d.used] {
		if cap(s.config.set) > maxRetained {
			s.config.set = nil
		}
	}
	d.used, d.memory = 0, 0
	clear(d.starts[:])
	d.start = d.startAt(edge)
}

// startAt returns the state in which no match has begun, after text with these properties.
func (d *DFA) startAt(before surroundings) *state {
	if d.starts[before] == nil {
		d.nextRound()
		c := &d.scratch
		set := d.follow(c.set[:0], d.p.start, before, unknown)
		*c = config{set: set, margin: margin{before: before}, idle: true}
		d.starts[before] = d.intern(c)
	}
	return d.starts[before]
}

// extend makes the state after s and a byte, and drops all others if they exceed their memory.
func (d *DFA) extend(s *state, b byte) *state {
	if d.memory > d.limit && !d.reserve() {
		var c config
		c.copy(&s.config)
		d.reset()
		s = d.intern(&c)
	}
	return d.step(s, b)
}

// reserve reports whether the states may use more memory than so far.
func (d *DFA) reserve() bool {
	reserve := d.limits.Reserve
	d.limits.Reserve = nil
	if reserve == nil || !reserve() {
		return false
	}
	d.limit = d.limits.Memory
	return true
}

// step returns the state after s and a byte.
func (d *DFA) step(s *state, b byte) *state {
	if s == d.matched || s == d.dead {
		return s
	}
	d.spend(len(s.config.set))
	c := &d.scratch
	c.copy(&s.config)
	take := func(b byte, before, after surroundings) { d.take(c, b, before, after) }
	c.add(b, d.p.needs, take)
	c.idle = c.idle && c.waiting == 0
	next := d.start
	if b != '\n' || slices.Contains(c.set, matchInst) {
		next = d.intern(c)
	}
	s.next[b] = next
	return next
}

// take makes c the config after a byte, except its margin. before and after describe the text
// around the position before the byte.
func (d *DFA) take(c *config, b byte, before, after surroundings) {
	if d.p.needs != 0 { // decide the conditions
		d.nextRound()
		list := d.list[:0]
		for _, pc := range c.set {
			list = d.follow(list, pc, before, after)
		}
		c.set, d.list = list, c.set
		if d.marks[matchInst] == d.round {
			return
		}
	}
	if b == '\n' {
		return
	}
	d.nextRound()
	list := d.list[:0]
	for _, pc := range c.set {
		if next := d.p.step(pc, b); next != none {
			list = d.follow(list, next, after, unknown)
		}
	}
	c.idle = len(list) == 0
	list = d.follow(list, d.p.start, after, unknown)
	c.set, d.list = list, c.set
}

// intern returns the state with a config, which it copies. It sorts the set.
func (d *DFA) intern(c *config) *state {
	slices.Sort(c.set)
	switch {
	case len(c.set) == 0:
		return d.dead
	case c.set[0] == matchInst:
		return d.matched
	}
	d.key = append(d.key[:0], byte(c.before), c.waiting)
	d.key = append(d.key, c.pending[:c.waiting]...)
	for _, pc := range c.set {
		d.key = binary.LittleEndian.AppendUint32(d.key, uint32(pc))
	}
	hash := maphash.Bytes(d.seed, d.key)
	for s := d.states[hash]; s != nil; s = s.other {
		if s.config.equal(c) {
			return s
		}
	}
	if d.used == len(d.made) {
		d.made = append(d.made, &state{})
	}
	s := d.made[d.used]
	d.used++
	clear(s.next[:])
	s.config.copy(c)
	s.other, d.states[hash] = d.states[hash], s
	d.memory += stateCost + 4*cap(s.config.set)
	return s
}
