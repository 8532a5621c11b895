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
	// Reserve, if not nil, is called once, before the states exceed a sixteenth of Memory. If it
	// returns false, they never do.
	Reserve func() bool
	// Stop, if not nil, is called occasionally. After it returns true, nothing more is found.
	Stop func() bool
}

// A DFA finds lines with a deterministic automaton. It makes a state when the text first needs it,
// and drops all states when they exceed their memory. It is not safe for concurrent use.
type DFA struct {
	m      *machine
	limits Limits
	// states holds the states by the hash of their configs. They use memory bytes. If memory exceeds
	// limit, they are dropped.
	states map[uint64]*state
	seed   maphash.Seed
	memory int
	limit  int
	// made holds the allocated states. The first used of them are in use.
	made []*state
	used int
	// start is the state at the start of a line. In the state matched the line matches. In the state
	// dead it can match only after a carriage return, in the state afterReturn, which can be nil.
	start, matched, dead, afterReturn *state

	current *state // of the line passed to Feed
	// skips reports whether run skips the bytes that cannot begin a match, because those that can are
	// rare. With it, \p{Greek} is found at 1.7 GB/s instead of 0.7.
	skips bool
	key   []byte
}

// A state is a config of the machine. next holds the state after each byte, or nil if unknown.
type state struct {
	next  [256]*state
	at    config
	other *state // whose config has the same hash
}

// NewDFA returns a DFA for a program.
func NewDFA(p *Program, l Limits) *DFA {
	d := &DFA{m: newMachine(p, l.Stop), states: map[uint64]*state{}, seed: maphash.MakeSeed()}
	l.Memory = cmp.Or(l.Memory, StateMemory)
	d.limits, d.limit = l, l.Memory
	if l.Reserve != nil {
		d.limit /= 16
	}
	d.matched, d.dead = &state{}, &state{}
	d.skips = p.needs == 0 && p.first != nil && !p.first[' '] &&
		!slices.Contains(p.first['a':'z'+1], true)
	d.reset()
	return d
}

// reset drops all states.
func (d *DFA) reset() {
	clear(d.states)
	for _, s := range d.made[:d.used] {
		if cap(s.at.set) > maxRetained {
			s.at.set = nil
		}
	}
	d.used, d.memory, d.afterReturn = 0, 0, nil
	if d.m.p.needs&carriageReturn != 0 {
		d.m.begin(carriageReturn)
		if s := d.state(); s != d.dead {
			d.afterReturn = s
		}
	}
	d.m.begin(edge)
	d.start = d.state()
}

// resetBut drops all states except s, and returns a new state for the config of s.
func (d *DFA) resetBut(s *state) *state {
	c := s.at
	c.set = slices.Clone(c.set)
	d.reset()
	d.m.at, d.m.matched = c, false
	return d.state()
}

// Stopped reports whether Stop has returned true.
func (d *DFA) Stopped() bool { return d.m.stopped }

// Find returns a position in the first line that matches, or its end, or -1 if no line does. buf
// begins at the start of a line.
func (d *DFA) Find(buf []byte) int {
	s, n := d.follow(d.start, buf)
	switch {
	case len(buf) == 0 || d.m.stopped:
		return -1
	case s == d.matched:
		return max(n-1, 0)
	case buf[len(buf)-1] != '\n' && d.end(s):
		return len(buf)
	}
	return -1
}

// follow follows the states over buf until a line matches. It returns the state and the number of
// bytes consumed.
func (d *DFA) follow(s *state, buf []byte) (*state, int) {
	i := 0
	for n := 0; i < len(buf) && s != d.matched && !d.m.stopped; i += n {
		if s == d.dead {
			s, n = d.revive(buf[i:])
		} else {
			s, n = d.run(s, buf[i:])
		}
	}
	return s, i
}

// revive skips text that cannot match in the state dead. It returns the state after it, dead at the
// end of the text, and the number of bytes skipped.
func (d *DFA) revive(buf []byte) (*state, int) {
	end := bytes.IndexByte(buf, '\n')
	if d.afterReturn != nil {
		line := buf
		if end >= 0 {
			line = buf[:end]
		}
		if n := bytes.IndexByte(line, '\r'); n >= 0 {
			return d.afterReturn, n + 1
		}
	}
	if end < 0 {
		return d.dead, len(buf)
	}
	return d.start, end + 1
}

// end reports whether a line that ends in state s matches.
func (d *DFA) end(s *state) bool {
	next := s.next['\n']
	if next == nil {
		next = d.step(s, '\n')
	}
	return next == d.matched
}

// run follows the states over buf until the line matches or is dead. It returns the state and the
// number of bytes consumed.
func (d *DFA) run(s *state, buf []byte) (*state, int) {
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
		if i == len(buf) || s == d.matched || s == d.dead || d.m.stopped {
			return s, i
		}
		if s == d.start && d.skips && !d.m.p.first[buf[i]] {
			for i < len(buf) && !d.m.p.first[buf[i]] {
				i++
			}
			continue
		}
		if d.memory > d.limit {
			if reserve := d.limits.Reserve; reserve != nil && reserve() {
				d.limit = d.limits.Memory
			} else {
				s = d.resetBut(s)
			}
			d.limits.Reserve = nil
		}
		s = d.step(s, buf[i])
		i++
	}
}

func (d *DFA) step(s *state, b byte) *state {
	if s == d.matched || s == d.dead {
		return s
	}
	d.load(s)
	d.m.advance(b)
	next := d.start
	if b != '\n' || d.m.matched {
		next = d.state()
	}
	for _, b := range d.m.p.members[d.m.p.classes[b]] {
		s.next[b] = next
	}
	return next
}

// load copies the config of a state to the machine.
func (d *DFA) load(s *state) {
	set := append(d.m.at.set[:0], s.at.set...)
	d.m.at, d.m.matched = s.at, false
	d.m.at.set = set
}

// state returns the state for the config of the machine.
func (d *DFA) state() *state {
	switch {
	case d.m.matched:
		return d.matched
	case len(d.m.at.set) == 0:
		return d.dead
	}
	slices.Sort(d.m.at.set)
	c := &d.m.at
	d.key = append(d.key[:0], byte(c.before), c.tail, c.waiting)
	d.key = append(d.key, c.pending[:c.waiting]...)
	for _, pc := range c.set {
		d.key = binary.LittleEndian.AppendUint32(d.key, uint32(pc))
	}
	hash := maphash.Bytes(d.seed, d.key)
	same := d.states[hash]
	for s := same; s != nil; s = s.other {
		if s.at.equal(c) {
			return s
		}
	}
	s := d.newState(c)
	s.other = same
	d.states[hash] = s
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
	d.memory += stateCost + 4*cap(set)
	return s
}

// equal reports whether two configs, whose sets are sorted, are equal.
func (c *config) equal(other *config) bool {
	return c.before == other.before && c.tail == other.tail && slices.Equal(c.set, other.set) &&
		bytes.Equal(c.pending[:c.waiting], other.pending[:other.waiting])
}

// StartLine begins a line for Feed.
func (d *DFA) StartLine() { d.current = d.start }

// Feed consumes the next bytes of the line, without line feeds. It reports whether the line matches
// regardless of the rest.
func (d *DFA) Feed(piece []byte) bool {
	d.current, _ = d.follow(d.current, piece)
	return d.current == d.matched
}

// EndLine ends the line and reports whether it matches.
func (d *DFA) EndLine() bool { return d.end(d.current) }
