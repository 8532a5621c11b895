package automaton

import "unicode/utf8"

// Groups finds matches and the bounds of their groups in texts that can contain line feeds. Like a
// Spanner, it follows all possible matches together, so the work for each byte is bounded by the
// size of the program. It is not safe for concurrent use.
type Groups struct {
	// Longest finds the longest match at its position, as POSIX asks, instead of the preferred one.
	Longest bool
	// Tick is called for each byte that is followed, with the number of instructions.
	Tick func(instructions int)

	p     *Program
	first *[256]bool // the bytes with which a match can begin, or nil if it can be empty

	text          []byte
	at            int
	before, after surroundings
	marks         []uint32 // the last round that reached each instruction
	round         uint32
	current, next saves
	saved         []int // the bounds of the possible match that is followed
	best          []int // those of the best match so far, if found
	found         bool
	cut           bool // the others in the round are less preferred than a match
}

// saves are possible matches: the next instruction and the bounds for each.
type saves struct {
	pcs   []int32
	saved []int
}

func (s *saves) clear() { s.pcs, s.saved = s.pcs[:0], s.saved[:0] }

// NewGroups returns a Groups for a program with a number of groups.
func NewGroups(p *Program, groups int) *Groups {
	g := &Groups{p: p, marks: make([]uint32, len(p.insts)), saved: make([]int, 2*(groups+1))}
	g.best = make([]int, len(g.saved))
	g.findFirst()
	return g
}

// GroupsSize returns the maximum size of the memory of a Groups, in bytes.
func GroupsSize(p *Program, groups int) int {
	const stack = 100 // of a call of follow
	return len(p.insts) * (4 + 2*4 + stack + 2*2*8*(groups+1))
}

// findFirst sets first.
func (g *Groups) findFirst() {
	first := new([256]bool)
	w := newWalker(g.p, nil)
	w.nextRound()
	for pending := []int32{g.p.start}; len(pending) > 0; pending = pending[1:] {
		for _, pc := range w.follow(nil, pending[0], edge, unknown) {
			switch in := g.p.insts[pc]; in.op {
			case opMatch:
				return
			case opAssert:
				pending = append(pending, in.a)
			case opBytes:
				for _, r := range g.p.ranges[in.a:in.b] {
					for b := int(r.low); b <= int(r.high); b++ {
						first[b] = true
					}
				}
			}
		}
	}
	g.first = first
}

// Find returns the first match at or after an offset: its bounds, and those of each group, which
// are -1 if it has none. It is nil if there is no match, and valid until the next call. The text
// before the offset is context.
func (g *Groups) Find(text []byte, at int) []int {
	g.text, g.at, g.found = text, at, false
	g.current.clear()
	for g.at <= len(text) {
		isIdle := len(g.current.pcs) == 0
		if isIdle && g.found {
			break
		}
		if isIdle && g.first != nil {
			g.skip()
		}
		g.step()
		g.current, g.next = g.next, g.current
		g.at++
	}
	if !g.found {
		return nil
	}
	return g.best
}

// skip passes bytes with which no match can begin.
func (g *Groups) skip() {
	for g.at < len(g.text) && !g.first[g.text[g.at]] {
		g.at++
	}
}

// step passes the possible matches over the byte at the position, and begins another.
func (g *Groups) step() {
	g.Tick(len(g.current.pcs))
	g.look()
	g.round++
	if g.round == 0 {
		clear(g.marks)
		g.round = 1
	}
	g.next.clear()
	g.cut = false
	width := len(g.saved)
	for i, pc := range g.current.pcs {
		copy(g.saved, g.current.saved[i*width:])
		isLater := g.found && g.saved[0] > g.best[0]
		if g.cut || isLater {
			return
		}
		g.follow(pc)
	}
	if g.found {
		return
	}
	for i := range g.saved {
		g.saved[i] = -1
	}
	g.saved[0] = g.at
	g.follow(g.p.start)
}

// look sets before and after.
func (g *Groups) look() {
	switch {
	case g.p.needs == 0:
		return
	case g.at == 0:
		g.before = edge
	default:
		g.before = g.beside(utf8.DecodeLastRune(g.text[:g.at]))
	}
	if g.at == len(g.text) {
		g.after = edge
		return
	}
	g.after = g.beside(utf8.DecodeRune(g.text[g.at:]))
}

func (g *Groups) beside(r rune, size int) surroundings {
	switch {
	case r == utf8.RuneError && size == 1:
		return invalid
	case r == '\n': // LineStart and LineEnd are those of the text
		return 0
	}
	return runeSurroundings(r)
}

// follow follows a possible match to the instructions that consume the byte at the position, and to
// its end.
func (g *Groups) follow(pc int32) {
	for g.marks[pc] != g.round && !g.cut {
		g.marks[pc] = g.round
		in := &g.p.insts[pc]
		pc = in.a
		switch in.op {
		case opMatch:
			g.match()
			return
		case opBytes:
			g.consume(in)
			return
		case opSplit:
			g.follow(in.a)
			pc = in.b
		case opAssert:
			if !holds(in.look, g.before, g.after) {
				return
			}
		case opSave:
			old := g.saved[in.b]
			g.saved[in.b] = g.at
			g.follow(in.a)
			g.saved[in.b] = old
			return
		}
	}
}

func (g *Groups) consume(in *inst) {
	if g.at == len(g.text) {
		return
	}
	if next := g.p.stepFrom(in, g.text[g.at]); next != none {
		g.next.pcs = append(g.next.pcs, next)
		g.next.saved = append(g.next.saved, g.saved...)
	}
}

// match ends the followed match, unless a better one has ended.
func (g *Groups) match() {
	if g.found && g.saved[0] > g.best[0] {
		return
	}
	copy(g.best, g.saved)
	g.best[1] = g.at
	g.found = true
	g.cut = !g.Longest
}
