package automaton

import (
	"bytes"
	"encoding/binary"
	"hash/maphash"
	"slices"
)

const (
	// stateCost is the memory of a state without its set, stateMemory that of all states of a DFA, in bytes.
	stateCost   = 256*8 + 150
	stateMemory = 10 << 20
	// minBytesPerState is the number of bytes for which a state must be used on average. Below it, simulating is cheaper.
	minBytesPerState = 5
)

// A DFA finds lines with a deterministic automaton, whose states it makes when the text first needs them. If the text needs too
// many, it gives up and leaves the work to a [Machine]. It is not safe for concurrent use.
type DFA struct {
	m *Machine
	// states holds the states by the hash of their configs. memory is the memory that they need, which is at most about limit.
	states map[uint64]*state
	seed   maphash.Seed
	memory int
	limit  int
	// made holds the states that have been allocated, of which the first used are in use.
	made []*state
	used int
	// start is the state at the start of a line. In the state matched the line matches, and in the state dead it cannot match.
	start, matched, dead *state
	current              *state // within the line that Feed gets
	// scanned counts the bytes since the states were last dropped.
	scanned int
	gaveUp  bool
	// skips says that the line remains in the start state until a byte comes that can begin a match, and that such bytes are rare.
	// The start state then has no next state for other bytes, and run skips them, which is faster.
	skips bool
	key   []byte
}

// A state is a config of the Machine. Its element of next for a byte is the state after that byte, or nil if it is unknown.
type state struct {
	next [256]*state
	config
	// other is another state whose config has the same hash.
	other *state
}

// NewDFA returns a DFA for the program.
func NewDFA(p *Program) *DFA {
	d := &DFA{m: NewMachine(p), states: map[uint64]*state{}, seed: maphash.MakeSeed(), limit: stateMemory, matched: &state{}, dead: &state{}}
	d.skips = p.needs == 0 && p.first != nil && !p.first[' '] && !slices.Contains(p.first['a':'z'+1], true)
	d.reset()
	return d
}

// reset drops all states.
func (d *DFA) reset() {
	clear(d.states)
	d.used, d.memory, d.scanned = 0, 0, 0
	d.m.StartLine()
	d.start = d.state()
}

// resetBut drops all states except s, and returns s anew.
func (d *DFA) resetBut(s *state) *state {
	c := s.config
	c.set = slices.Clone(c.set)
	d.reset()
	d.m.config = c
	return d.state()
}

// StopWhen makes the DFA call stop now and then where it is slow. Once stop has returned true, the DFA finds nothing more.
func (d *DFA) StopWhen(stop func() bool) { d.m.stop = stop }

// Stopped reports whether the DFA has stopped.
func (d *DFA) Stopped() bool { return d.m.stopped }

// Slow reports whether the DFA has given up and leaves the work to a Machine.
func (d *DFA) Slow() bool { return d.gaveUp }

// Find returns a position in the first line that matches, or its end, or -1 if no line does. buf begins at the start of a line.
func (d *DFA) Find(buf []byte) int {
	if d.gaveUp {
		return d.m.Find(buf)
	}
	s, i := d.start, 0
	for i < len(buf) && !d.gaveUp {
		if d.m.stopped {
			return -1
		}
		var n int
		if s, n = d.run(s, buf[i:]); s == d.matched {
			return max(i+n-1, 0)
		}
		i += n
		if s == d.dead {
			n := bytes.IndexByte(buf[i:], '\n')
			if n < 0 {
				return -1
			}
			s, i = d.start, i+n+1
		}
	}
	if i < len(buf) { // gave up
		d.load(s)
		if found := d.m.resume(buf[i:]); found >= 0 {
			return i + found
		}
		return -1
	}
	if len(buf) > 0 && buf[len(buf)-1] != '\n' && d.end(s) {
		return len(buf)
	}
	return -1
}

// end reports whether a line matches that ends in a state.
func (d *DFA) end(s *state) bool {
	next := s.next['\n']
	if next == nil {
		next = d.step(s, '\n')
	}
	return next == d.matched
}

// run follows the states over buf until the DFA knows whether the line matches, or gives up. It returns the state and the number of
// bytes that lead to it.
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
			d.scanned += i
			return s, i
		}
		if s == d.start && d.skips && !d.m.p.first[buf[i]] {
			for i < len(buf) && !d.m.p.first[buf[i]] {
				i++
			}
			continue
		}
		if d.memory > d.limit {
			d.scanned += i
			if d.scanned < minBytesPerState*d.used {
				d.gaveUp = true
				d.states, d.made = nil, nil
				return s, i
			}
			s = d.resetBut(s)
			d.scanned = -i
		}
		s = d.step(s, buf[i])
		i++
	}
}

// step makes the state after s and a byte.
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

// load sets the config of the Machine to that of a state.
func (d *DFA) load(s *state) {
	set := append(d.m.set[:0], s.set...)
	d.m.config, d.m.matched = s.config, false
	d.m.set = set
}

// state returns the state for the config of the Machine.
func (d *DFA) state() *state {
	switch {
	case d.m.matched:
		return d.matched
	case len(d.m.set) == 0:
		return d.dead
	}
	slices.Sort(d.m.set)
	c := &d.m.config
	d.key = append(d.key[:0], byte(c.before), c.tail, c.waiting)
	d.key = append(d.key, c.pending[:c.waiting]...)
	for _, pc := range c.set {
		d.key = binary.LittleEndian.AppendUint32(d.key, uint32(pc))
	}
	hash := maphash.Bytes(d.seed, d.key)
	same := d.states[hash]
	for s := same; s != nil; s = s.other {
		if s.equal(c) {
			return s
		}
	}
	s := d.newState(c)
	s.other = same
	d.states[hash] = s
	return s
}

// newState returns a new state for a config.
func (d *DFA) newState(c *config) *state {
	if d.used == len(d.made) {
		d.made = append(d.made, &state{})
	}
	s := d.made[d.used]
	d.used++
	clear(s.next[:])
	set := append(s.set[:0], c.set...)
	s.config = *c
	s.set = set
	d.memory += stateCost + 4*cap(set)
	return s
}

// equal reports whether two configs, whose sets are sorted, are equal.
func (c *config) equal(other *config) bool {
	return c.before == other.before && c.tail == other.tail &&
		bytes.Equal(c.pending[:c.waiting], other.pending[:other.waiting]) && slices.Equal(c.set, other.set)
}

// StartLine begins a line that comes in pieces.
func (d *DFA) StartLine() {
	d.current = d.start
	if d.gaveUp {
		d.m.StartLine()
	}
}

// Feed consumes the next bytes of the line, none of which is a line feed. It reports whether the line matches, whatever follows.
func (d *DFA) Feed(piece []byte) bool {
	if d.gaveUp {
		return d.m.Feed(piece)
	}
	if d.current == d.matched || d.current == d.dead {
		return d.current == d.matched
	}
	s, n := d.run(d.current, piece)
	d.current = s
	if d.gaveUp {
		d.load(s)
		return d.m.Feed(piece[n:])
	}
	return s == d.matched
}

// EndLine ends the line and reports whether it matches.
func (d *DFA) EndLine() bool {
	if d.gaveUp {
		return d.m.EndLine()
	}
	return d.end(d.current)
}
