package pattern

import (
	"context"
	"math/bits"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// A Work counts the steps of matching, and stops matching once its context is done. Results are
// then unreliable, so callers check the context before they use them. A Work is not safe for
// concurrent use.
type Work struct {
	ctx   context.Context // checked within the recursion of a match
	steps int
	done  bool
	sets  []uint64 // memory for run
}

// NewWork returns a Work for ctx.
func NewWork(ctx context.Context) Work { return Work{ctx: ctx} }

// Spend counts n steps. It reports whether the context is done, which it checks every few
// milliseconds.
func (w *Work) Spend(n int) (done bool) {
	w.steps += n
	if w.steps >= 1<<19 {
		w.steps = 0
		w.done = w.done || w.ctx != nil && w.ctx.Err() != nil
	}
	return w.done
}

// Instructions of a program. They are below end.
const (
	opAny    = -2 - iota // any unit except a slash
	opStar               // any number of units except slashes
	opInLine             // any unit except a line end
	opLine               // any number of units except line ends
	opDeep               // any number of components, each with its slash; followed by opInside
	opInside             // the rest of such a component
	opAll                // any number of units
	opClass              // this and lower values: a unit of the class opClass-op
)

// end represents the end of a text.
const end rune = -1

// A program is a compiled pattern without braces.
type program struct {
	prefix, suffix string // what every path that matches begins and ends with
	last           byte   // with which every path that matches ends, or 0 if that can be any
	bySuffix       bool   // every path with the suffix matches
	code           []rune // for the text after prefix: units, and instructions such as opAny
	classes        []set
	units          unitKind
}

func matches[Text string | []byte](w *Work, p *program, path Text) bool {
	w.steps++
	n, m := len(p.prefix), len(p.suffix)
	if len(path) < n+m || string(path[:n]) != p.prefix || string(path[len(path)-m:]) != p.suffix {
		return false
	}
	if p.bySuffix || len(p.code) == 0 {
		return p.bySuffix || len(path) == n
	}
	if p.units == byteUnits {
		return run(w, p, []byte(path[n:]))
	}
	var buffer [64]rune
	return run(w, p, split(p.units, buffer[:0], string(path[n:])))
}

// run reports whether the code matches the whole text. It follows all paths through the code
// simultaneously, so it takes at most len(p.code)*len(text) steps.
func run[Unit byte | rune](w *Work, p *program, text []Unit) bool {
	words := len(p.code)/64 + 1
	var small [2]uint64
	sets := small[:]
	if 2*words > len(small) {
		w.sets = slices.Grow(w.sets[:0], 2*words)
		sets = w.sets[:2*words]
		clear(sets)
	}
	at, next := sets[:words], sets[words:2*words]
	at[0] = 1
	for _, unit := range text {
		c := rune(unit)
		steps, alive := 0, false
		for s := first(at, 0); s >= 0 && s < len(p.code); s = first(at, s+1) {
			steps++
			if to := p.step(at, s, c); to >= 0 {
				add(next, to)
				alive = true
			}
		}
		if !alive || w.Spend(steps) {
			return false
		}
		at, next = next, at
		clear(next)
	}
	for s := first(at, 0); s < len(p.code); s = first(at, s+1) {
		if s < 0 {
			return false
		}
		p.step(at, s, end)
	}
	return true
}

// step returns the instruction after s if s matches c, or -1. It adds to at the instructions that
// follow without consuming c. opDeep does not match the empty component after a slash at the end of
// a path unless nothing else or opAll follows.
func (p *program) step(at []uint64, s int, c rune) int {
	switch op := p.code[s]; op {
	case opAny:
		if c != '/' {
			return s + 1
		}
	case opStar:
		add(at, s+1)
		if c != '/' {
			return s
		}
	case opInLine:
		if !isLineEnd(c) {
			return s + 1
		}
	case opLine:
		add(at, s+1)
		if !isLineEnd(c) {
			return s
		}
	case opDeep:
		if c != end || s+2 == len(p.code) || p.code[s+2] == opAll {
			add(at, s+2)
		}
		if c == '/' {
			return s
		}
		return s + 1
	case opInside:
		if c == '/' {
			return s - 1
		}
		return s
	case opAll:
		add(at, s+1)
		return s
	default:
		if op == c || op <= opClass && p.classes[opClass-op].contains(c) {
			return s + 1
		}
	}
	return -1
}

func isLineEnd(c rune) bool {
	switch c {
	case '\n', '\r', '\u2028', '\u2029':
		return true
	}
	return false
}

func add(set []uint64, s int) { set[s>>6] |= 1 << (s & 63) }

// first returns the first element of a set from s on, or -1.
func first(set []uint64, s int) int {
	for i := s >> 6; i < len(set); i++ {
		if word := set[i] >> (s & 63); word != 0 {
			return s + bits.TrailingZeros64(word)
		}
		s = (i + 1) << 6
	}
	return -1
}

// A unitKind is a kind of units, which ? matches. A byte that is not UTF-8 is a unit of any kind.
type unitKind uint8

const (
	runeUnits unitKind = iota
	byteUnits
	utf16Units
)

const (
	invalidByte = utf8.MaxRune + 1 // plus a byte that is not UTF-8 is its unit
	maxUnit     = invalidByte + 0xff
)

// split appends the units of s.
func split(k unitKind, units []rune, s string) []rune {
	if k == byteUnits {
		for i := range len(s) {
			units = append(units, rune(s[i]))
		}
		return units
	}
	for i, c := range s {
		if c == utf8.RuneError && !strings.HasPrefix(s[i:], "\ufffd") {
			c = invalidByte + rune(s[i])
		}
		if k == utf16Units && c > 0xffff && c < invalidByte {
			high, low := utf16.EncodeRune(c)
			units = append(units, high)
			c = low
		}
		units = append(units, c)
	}
	return units
}
