package list

import (
	"strconv"
	"strings"
	"time"
)

// A comparison is a number after "+" for more, "-" for less, or nothing.
type comparison struct {
	sign byte
	n    int64
}

func (p *finderParser) comparison(name, s string) comparison {
	c := comparison{}
	if s != "" && strings.IndexByte("+-", s[0]) >= 0 {
		c.sign = s[0]
		s = s[1:]
	}
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || n < 0 {
		p.fail("invalid argument `%s' to `%s'", s, name)
	}
	c.n = n
	return c
}

func (c comparison) holds(n int64) bool {
	switch c.sign {
	case '+':
		return n > c.n
	case '-':
		return n < c.n
	}
	return n == c.n
}

// propertyTest parses a test of properties, or returns nil.
func (p *finderParser) propertyTest(name string) test {
	switch name {
	case "-type":
		return p.kindTest(p.value(name))
	case "-size":
		return p.sizeTest(p.value(name))
	case "-empty":
		return func(w *walking, e *found) bool { return w.isEmpty(e) }
	case "-mtime":
		return p.ageTest(name, 24*time.Hour)
	case "-mmin":
		return p.ageTest(name, time.Minute)
	case "-newer":
		other := p.value(name)
		p.references = append(p.references, other)
		return func(w *walking, e *found) bool { return w.info(e).ModTime.After(w.known[other]) }
	}
	return nil
}

// kindLetters are the letters of -type, and the types that they mean.
var kindLetters = map[byte]uint32{
	'f': regular, 'd': directory, 'l': symlink, 'p': fifo, 's': socket, 'b': blocks, 'c': charDevice,
}

func (p *finderParser) kindTest(letters string) test {
	kinds := make(map[uint32]bool)
	for letter := range strings.SplitSeq(letters, ",") {
		if len(letter) != 1 || kindLetters[letter[0]] == 0 {
			p.fail("Unknown argument to -type: %s", letters)
		}
		kinds[kindLetters[letter[0]]] = true
	}
	return func(w *walking, e *found) bool { return kinds[w.typeOf(e)] }
}

func (p *finderParser) sizeTest(s string) test {
	units := map[byte]int64{'c': 1, 'w': 2, 'b': 512, 'k': 1 << 10, 'M': 1 << 20, 'G': 1 << 30}
	unit := int64(512)
	if s != "" && units[s[len(s)-1]] > 0 {
		unit = units[s[len(s)-1]]
		s = s[:len(s)-1]
	}
	c := p.comparison("-size", s)
	return func(w *walking, e *found) bool { return c.holds((w.info(e).Size + unit - 1) / unit) }
}

// ageTest parses the argument of -mtime, or of -mmin, whose units are minutes.
func (p *finderParser) ageTest(name string, unit time.Duration) test {
	c := p.comparison(name, p.value(name))
	return func(w *walking, e *found) bool {
		age := w.now.Sub(w.info(e).ModTime)
		units := int64(age / unit)
		if age < 0 {
			units--
		}
		isWhole := age%unit == 0
		if unit == time.Minute && c.sign != '-' && !isWhole {
			units++ // -mmin counts each minute that has begun
		}
		return c.holds(units)
	}
}
