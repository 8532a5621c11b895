package automaton

import (
	"context"
	"fmt"

	"gander/internal/search/syntax"
)

// A SizeError reports a pattern whose program would be too large.
type SizeError struct{ Limit int }

func (e *SizeError) Error() string {
	const format = "the pattern needs a program of more than %d instructions; " +
		"repeat less, or repeat smaller classes"
	return fmt.Sprintf(format, e.Limit)
}

// Compile compiles a pattern. If the program would have more than limit instructions and byte
// ranges, the error is a [*SizeError]. Otherwise it is the error of ctx.
func Compile(ctx context.Context, n *syntax.Node, limit int) (*Program, error) {
	c := &compiler{ctx: ctx, limit: limit}
	c.add(inst{op: opMatch})
	c.p.start = c.compile(n, match)
	if c.ended() {
		return nil, c.err
	}
	c.p.findSame()
	return &c.p, nil
}

// A compiler makes a program from its end to its beginning, so the instruction after each part is
// known.
type compiler struct {
	ctx   context.Context
	limit int
	err   error // ends the compilation
	p     Program
}

func (c *compiler) add(in inst) int32 {
	c.p.insts = append(c.p.insts, in)
	return int32(len(c.p.insts) - 1)
}

// ended reports whether an error has ended the compilation.
func (c *compiler) ended() bool {
	if c.err == nil {
		c.err = c.ctx.Err()
	}
	if c.err == nil && c.p.Size() > c.limit {
		c.err = &SizeError{Limit: c.limit}
	}
	return c.err != nil
}

// compile adds instructions that match n and continue at next. It returns the first of them.
func (c *compiler) compile(n *syntax.Node, next int32) int32 {
	if c.ended() {
		return next
	}
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

// loop compiles unlimited repetitions. They are optional from split on, and start with a required
// one.
func (c *compiler) loop(n *syntax.Node, next int32) (split, start int32) {
	split = c.split(n.Lazy, none, next)
	start = c.compile(n.Subs[0], split)
	if n.Lazy {
		c.p.insts[split].b = start
	} else {
		c.p.insts[split].a = start
	}
	return split, start
}

// split adds a choice between the repeated part and end, the instruction after it.
func (c *compiler) split(lazy bool, repeated, end int32) int32 {
	if lazy {
		repeated, end = end, repeated
	}
	return c.add(inst{op: opSplit, a: repeated, b: end})
}
