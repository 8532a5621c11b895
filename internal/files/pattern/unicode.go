package pattern

import (
	"strings"
	"unicode"
)

// unicodeClass parses a class of minimatch. One without an end is text. One without members matches nothing.
func (p *parser) unicodeClass() error {
	var items, outer set // outer holds what [:graph:] excludes
	start := p.i
	p.i++
	if start > p.bracket {
		p.literalUnit('[')
		return nil
	}
	negated := p.negation()
	begun, low := false, rune(-1) // low is the beginning of a range
	for ; ; begun = true {
		if p.i >= len(p.s) {
			p.i = start + 1
			p.literalUnit('[')
			return p.spend(len(p.s) - start)
		}
		c, size := unit(p.s, p.i, false)
		if c == ']' && begun {
			p.i++
			break
		}
		if c == '[' {
			if members, length := unicodeMembers(p.s[p.i:]); length > 0 {
				if low >= 0 {
					return errNothing
				}
				name := p.s[p.i : p.i+length]
				p.i += length
				p.posix = p.posix || name != "[:ascii:]" && name != "[:xdigit:]"
				if name == "[:graph:]" {
					outer = append(outer, members...)
				} else {
					items = append(items, members...)
				}
				continue
			}
		}
		if c == '\\' && p.i+1 < len(p.s) {
			p.i++
			c, size = unit(p.s, p.i, false)
		}
		p.i += size
		rest := p.s[p.i:]
		switch {
		case low >= 0:
			if c >= low {
				items = append(items, span{low, c})
			}
			low = -1
		case strings.HasPrefix(rest, "-]"):
			items = append(items, span{c, c}, span{'-', '-'})
			p.i++
		case strings.HasPrefix(rest, "-"):
			low = c
			p.i++
		default:
			items = append(items, span{c, c})
		}
	}
	if len(items) == 0 && len(outer) == 0 {
		return errNothing
	}
	complement := negated
	// minimatch does not escape a "^" that comes first in the regular expression.
	if !negated && len(items) > 0 && items[0].low == '^' {
		high := items[0].high
		if high > '^' {
			items = append(items, span{'-', '-'}, span{high, high})
		}
		if len(items) > 1 || len(outer) > 0 {
			complement, items = true, items[1:]
		}
	}
	if len(outer) == 0 {
		p.emitClass(items, complement, false)
		return nil
	}
	all := items
	if complement && (len(items) > 0 || !negated) {
		all = items.complement()
	}
	if !negated {
		outer = outer.complement()
	}
	p.emitClass(append(all, outer...), false, false)
	return nil
}

// unicodeMembers returns the members of the POSIX class that s begins with, and its length. Those of [:graph:] are
// what it excludes, and those of [:print:] are, as in minimatch, the characters that cannot be printed.
func unicodeMembers(s string) (members set, length int) {
	end := strings.Index(s[:min(len(s), len("[:xdigit:]"))], ":]")
	if !strings.HasPrefix(s, "[:") || end < len("[:") {
		return nil, 0
	}
	letters := []*unicode.RangeTable{unicode.L, unicode.Nl}
	switch name := s[len("[:"):end]; name {
	case "alnum":
		members.addTables(append(letters, unicode.Nd)...)
	case "alpha":
		members.addTables(letters...)
	case "ascii":
		members = set{{0, 0x7f}}
	case "blank":
		members = set{{'\t', '\t'}}
		members.addTables(unicode.Zs)
	case "cntrl":
		members.addTables(unicode.Cc)
	case "digit":
		members.addTables(unicode.Nd)
	case "graph":
		members = unassigned()
		members.addTables(unicode.Z)
	case "lower":
		members.addTables(unicode.Ll)
	case "print":
		members = unassigned()
	case "punct":
		members.addTables(unicode.P)
	case "space":
		members = set{{'\t', '\r'}}
		members.addTables(unicode.Z)
	case "upper":
		members.addTables(unicode.Lu)
	case "word":
		members.addTables(append(letters, unicode.Nd, unicode.Pc)...)
	case "xdigit":
		members = set{{'0', '9'}, {'A', 'F'}, {'a', 'f'}}
	default:
		return nil, 0
	}
	return members, end + len(":]")
}

// unassigned returns the characters of the general category C.
func unassigned() set {
	var s set
	s.addTables(unicode.L, unicode.M, unicode.N, unicode.P, unicode.S, unicode.Z)
	return s.complement()
}
