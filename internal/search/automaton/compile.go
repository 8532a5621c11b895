package automaton

import (
	"context"
	"encoding/binary"
	"errors"
	"slices"
	"unicode/utf8"

	"gander/internal/search/syntax"
)

// ErrTooLarge reports a pattern whose program would need too much memory.
var ErrTooLarge = errors.New("the pattern needs too much memory; " +
	"repeat less, or repeat smaller classes")

// Compile compiles a pattern. It fails with [ErrTooLarge] if the [Program.Size] would be more than
// limit, or with the error of ctx.
func Compile(ctx context.Context, n *syntax.Node, limit int) (*Program, error) {
	c := &compiler{ctx: ctx, limit: limit}
	c.add(inst{op: opMatch})
	c.p.start = c.compile(n, matchInst)
	if c.ended() {
		return nil, c.err
	}
	c.p.insts, c.p.ranges = slices.Clone(c.p.insts), slices.Clone(c.p.ranges)
	return &c.p, nil
}

// A compiler makes a program from its end to its beginning, so the instruction after each part is
// known.
type compiler struct {
	ctx   context.Context // checked at each node of the recursion
	limit int
	err   error // ends the compilation
	p     Program
}

func (c *compiler) add(in inst) int32 {
	c.p.insts = append(c.p.insts, in)
	return int32(len(c.p.insts) - 1)
}

func (c *compiler) ended() bool {
	if c.err == nil {
		c.err = c.ctx.Err()
	}
	if c.err == nil && c.p.Size() > c.limit {
		c.err = ErrTooLarge
	}
	return c.err != nil
}

// compile adds instructions that match n and continue at next. It returns the first of them.
func (c *compiler) compile(n *syntax.Node, next int32) int32 {
	if c.ended() {
		return next
	}
	if n.Group == 0 {
		return c.compileOp(n, next)
	}
	first := int32(2 * n.Group)
	next = c.add(inst{op: opSave, a: next, b: first + 1})
	return c.add(inst{op: opSave, a: c.compileOp(n, next), b: first})
}

// compileOp is compile without a group.
func (c *compiler) compileOp(n *syntax.Node, next int32) int32 {
	switch n.Op {
	case syntax.Class:
		return c.class(n, next)
	case syntax.Concat:
		for i := len(n.Subs) - 1; i >= 0; i-- {
			next = c.compile(n.Subs[i], next)
		}
	case syntax.Alternate:
		last := len(n.Subs) - 1
		start := c.compile(n.Subs[last], next)
		for i := last - 1; i >= 0; i-- {
			start = c.add(inst{op: opSplit, a: c.compile(n.Subs[i], next), b: start})
		}
		return start
	case syntax.Repeat:
		return c.repeat(n, next)
	case syntax.Assert:
		c.p.needs |= needs(n.Look)
		return c.add(inst{op: opAssert, look: n.Look, a: next})
	}
	return next
}

// repeat compiles a repetition. The required repetitions precede the optional ones in the program.
func (c *compiler) repeat(n *syntax.Node, next int32) int32 {
	sub, required := n.Subs[0], n.Min
	switch {
	case n.Max >= 0:
		end := next
		for i := n.Min; i < n.Max && !c.ended(); i++ {
			next = c.split(n.Lazy, c.compile(sub, next), end)
		}
	case required > 0:
		_, next = c.loop(n, next)
		required--
	case sub.Nullable(): // equals (x+)?, which prefers an empty x to none
		_, start := c.loop(n, next)
		next = c.split(n.Lazy, start, next)
	default:
		next, _ = c.loop(n, next)
	}
	for ; required > 0 && !c.ended(); required-- {
		start := c.compile(sub, next)
		if start == next { // more repetitions of the empty string add nothing
			break
		}
		next = start
	}
	return next
}

// loop compiles unlimited repetitions. It returns the instructions from which all are optional, and
// from which the first is required.
func (c *compiler) loop(n *syntax.Node, next int32) (optional, required int32) {
	optional = c.split(n.Lazy, none, next)
	required = c.compile(n.Subs[0], optional)
	if n.Lazy {
		c.p.insts[optional].b = required
	} else {
		c.p.insts[optional].a = required
	}
	return optional, required
}

// split adds a choice between the repeated part and end, the instruction after it.
func (c *compiler) split(lazy bool, repeated, end int32) int32 {
	if lazy {
		repeated, end = end, repeated
	}
	return c.add(inst{op: opSplit, a: repeated, b: end})
}

// A sequence matches size bytes, each between the bytes of low and high at its index.
type sequence struct {
	size      int
	low, high [utf8.UTFMax]byte
}

// class compiles a class that continues at next.
func (c *compiler) class(n *syntax.Node, next int32) int32 {
	var sequences []sequence
	for _, r := range n.Set {
		sequences = appendUTF8(sequences, r.Low, r.High)
	}
	return c.trie(sequences, 0, next, map[string]int32{})
}

// appendUTF8 appends sequences that match the UTF-8 of the characters from low to high.
func appendUTF8(sequences []sequence, low, high rune) []sequence {
	if low > high {
		return sequences
	}
	split := func(last rune) []sequence {
		return appendUTF8(appendUTF8(sequences, low, last), last+1, high)
	}
	for _, last := range [...]rune{0x7F, 0x7FF, 0xD7FF, 0xDFFF, 0xFFFF} {
		if low <= last && last < high {
			return split(last)
		}
	}
	if !utf8.ValidRune(low) {
		return sequences // surrogates
	}
	// Only the last bytes can take all values. The bytes before them must be equal, except one.
	s := sequence{size: utf8.RuneLen(low)}
	for i := 1; i < s.size; i++ {
		rest := rune(1)<<(6*i) - 1 // the bits of the last i bytes
		switch {
		case low|rest == high|rest:
		case low&rest != 0:
			return split(low | rest)
		case high&rest != rest:
			return split(high&^rest - 1)
		}
	}
	utf8.EncodeRune(s.low[:], low)
	utf8.EncodeRune(s.high[:], high)
	return append(sequences, s)
}

// trie makes instructions that match the bytes from index i of sequences, which are in ascending
// order and equal before i, and continue at next. Equal instructions are made only once, so
// characters share those for their last bytes. made holds them.
func (c *compiler) trie(sequences []sequence, i int, next int32, made map[string]int32) int32 {
	var ranges []byteRange
	for len(sequences) > 0 {
		s, n := sequences[0], 1
		for n < len(sequences) && sequences[n].low[i] == s.low[i] {
			n++
		}
		r := byteRange{s.low[i], s.high[i], next}
		if i+1 < s.size {
			r.next = c.trie(sequences[:n], i+1, next, made)
		}
		sequences = sequences[n:]
		last := len(ranges) - 1
		if last >= 0 && ranges[last].next == r.next && ranges[last].high+1 == r.low {
			ranges[last].high = r.high
		} else {
			ranges = append(ranges, r)
		}
	}
	var key []byte
	for _, r := range ranges {
		key = append(key, r.low, r.high)
		key = binary.LittleEndian.AppendUint32(key, uint32(r.next))
	}
	at, ok := made[string(key)]
	if !ok {
		first := int32(len(c.p.ranges))
		c.p.ranges = append(c.p.ranges, ranges...)
		at = c.add(inst{op: opBytes, a: first, b: int32(len(c.p.ranges))})
		made[string(key)] = at
	}
	return at
}
