package pattern

import (
	"context"
	"math/bits"
	"strings"
	"unicode/utf8"
)

// A Work counts the steps of matching, and stops matching once its context is done. Results are
// then unreliable, so callers check the context before they use them. A Work is not safe for
// concurrent use.
type Work struct {
	ctx   context.Context
	steps int
	done  bool
}

// NewWork returns a Work for ctx.
func NewWork(ctx context.Context) Work { return Work{ctx: ctx} }

// Spend counts n steps. It reports whether the context is done, which it checks every few
// milliseconds.
func (w *Work) Spend(n int) (done bool) {
	if w.steps += n; w.steps >= 1<<19 {
		w.check()
	}
	return w.done
}

func (w *Work) check() {
	w.steps = 0
	w.done = w.done || w.ctx != nil && w.ctx.Err() != nil
}

// Instructions of a program. Any other byte begins a unit that matches itself. A unit is a byte, or
// a character, or a UTF-16 unit; see [units].
const (
	opQuote  = iota // the following unit matches itself
	opAny           // any unit except a slash
	opStar          // any number of units except slashes
	opLine          // any number of units except line ends
	opDeep          // any number of components, each with its slash; followed by opInside
	opInside        // the rest of such a component
	opAll           // any number of units
	opTail          // nothing, or a slash; followed by opAll
	opClass         // a unit of a class; see [parser.emitSet]
	opCount
)

// run reports whether a program matches the whole text. It follows all ways through the program at
// the same time, so it takes at most len(prog)*len(text) steps. narrow means that units are bytes.
func run[Text string | []byte](w *Work, prog string, text Text, narrow bool) bool {
	words := len(prog)/64 + 1
	var small [2]uint64
	sets := small[:]
	if 2*words > len(small) {
		sets = make([]uint64, 2*words)
	}
	at, next := sets[:words], sets[words:2*words]
	at[0] = 1
	for i := 0; i < len(text); {
		if i = skipStar(prog, at, text, i, narrow); i == len(text) {
			break
		}
		c, size := rune(text[i]), 1
		if !narrow && c >= utf8.RuneSelf {
			c, size = unit(text, i, false)
		}
		i += size
		steps, alive := 1, false
		for n := range at {
			for left := at[n]; left != 0; {
				bit := bits.TrailingZeros64(left)
				p := n<<6 + bit
				to := -1
				if p < len(prog) {
					to = step(at, prog, p, c, narrow, &steps)
				}
				if to >= 0 {
					add(next, to)
					alive = true
				}
				left = at[n] & (^uint64(0) << bit << 1) // step may have added to it
			}
		}
		if !alive || w.Spend(steps) {
			return false
		}
		at, next = next, at
		clear(next)
	}
	return accepts(prog, at)
}

// skipStar returns the first index from i on that can lead on from the opStar that is the only
// element of at, or i.
func skipStar[Text string | []byte](prog string, at []uint64, text Text, i int, narrow bool) int {
	p := bits.TrailingZeros64(at[0])
	if at[0]&(at[0]-1) != 0 || len(at) > 1 || p >= len(prog) || prog[p] != opStar {
		return i
	}
	want := byte('/')
	if p+1 < len(prog) {
		want = prog[p+1]
	}
	if want < opCount || want >= utf8.RuneSelf && !narrow {
		return i
	}
	for i < len(text) && text[i] != want && text[i] != '/' {
		i++
	}
	return i
}

// step returns where the instruction at p continues after c, or -1. It adds to at where it
// continues without c.
func step(at []uint64, prog string, p int, c rune, narrow bool, steps *int) int {
	*steps++
	switch prog[p] {
	case opAny:
		if c != '/' {
			return p + 1
		}
	case opStar:
		add(at, p+1)
		if c != '/' {
			return p
		}
	case opLine:
		add(at, p+1)
		if !isLineEnd(c) {
			return p
		}
	case opDeep:
		add(at, p+2)
		if c == '/' {
			return p
		}
		return p + 1
	case opInside:
		if c == '/' {
			return p - 1
		}
		return p
	case opAll:
		add(at, p+1)
		return p
	case opTail:
		if c == '/' {
			return p + 1
		}
	case opClass:
		in, size := inClass(prog[p:], c)
		*steps += size / 64
		if in {
			return p + size
		}
	default:
		if end := literalEnd(prog, p, c, narrow); end > 0 {
			return end
		}
	}
	return -1
}

// accepts reports whether the end of the program can be reached without another unit. opDeep does
// not match the empty component after a slash at the end of a path unless nothing else or opAll
// follows.
func accepts(prog string, at []uint64) bool {
	for p := first(at, 0); p >= 0; p = first(at, p+1) {
		if p == len(prog) {
			return true
		}
		switch prog[p] {
		case opStar, opLine, opAll:
			add(at, p+1)
		case opTail:
			return true
		case opDeep:
			if p+2 == len(prog) || prog[p+2] == opAll {
				return true
			}
		}
	}
	return false
}

func add(set []uint64, p int) { set[p>>6] |= 1 << (p & 63) }

// first returns the first element of a set from p on, or -1.
func first(set []uint64, p int) int {
	for i := p >> 6; i < len(set); i++ {
		if word := set[i] >> (p & 63); word != 0 {
			return p + bits.TrailingZeros64(word)
		}
		p = (i + 1) << 6
	}
	return -1
}

// literalEnd returns the end of the literal at p if that is c, otherwise 0.
func literalEnd(prog string, p int, c rune, narrow bool) int {
	if prog[p] == opQuote {
		p++
	}
	if rune(prog[p]) == c && (narrow || c < utf8.RuneSelf) {
		return p + 1
	}
	if narrow || c < utf8.RuneSelf || prog[p] < utf8.RuneSelf {
		return 0
	}
	if want, size := unit(prog, p, false); want == c {
		return p + size
	}
	return 0
}

func isLineEnd(c rune) bool { return c == '\n' || c == '\r' || c == '\u2028' || c == '\u2029' }

// invalidByte plus a byte is the unit of a byte that is not UTF-8.
const invalidByte = utf8.MaxRune + 1

// unit returns the unit at s[i:] and its size: a byte if narrow is set, otherwise a character. A
// UTF-16 surrogate that [units] has written is a character.
func unit[Text string | []byte](s Text, i int, narrow bool) (c rune, size int) {
	if narrow || s[i] < utf8.RuneSelf {
		return rune(s[i]), 1
	}
	var b [utf8.UTFMax]byte
	n := copy(b[:], s[i:min(i+len(b), len(s))])
	c, size = utf8.DecodeRune(b[:n])
	switch {
	case c != utf8.RuneError || size > 1:
		return c, size
	case n >= 3 && b[0] == 0xed && 0xa0 <= b[1] && b[1] < 0xc0 && 0x80 <= b[2] && b[2] < 0xc0:
		return 0xd000 | rune(b[1]&0x3f)<<6 | rune(b[2]&0x3f), 3
	default:
		return invalidByte + rune(b[0]), 1
	}
}

// units returns s with each character beyond U+FFFF written as two surrogates, so that the
// characters of the result are UTF-16 units.
func units(s string) string {
	if !strings.ContainsFunc(s, func(c rune) bool { return c > 0xffff }) {
		return s
	}
	var b strings.Builder
	for _, c := range s {
		if c <= 0xffff {
			b.WriteRune(c)
			continue
		}
		c -= 0x10000
		for _, half := range []rune{0xd800 | c>>10, 0xdc00 | c&0x3ff} {
			b.Write([]byte{0xed, 0x80 | byte(half>>6)&0x3f, 0x80 | byte(half)&0x3f})
		}
	}
	return b.String()
}
