package sed

import (
	"cmp"
	"strings"
	"unicode"
	"unicode/utf8"

	"gander/internal/shell/regex"
)

// A substitution is the arguments of s.
type substitution struct {
	regex  *expression
	parts  []replacement
	number int // the first match that is replaced, or 0 for the first of all
	global bool
	print  bool
	stream string // where it is printed, too, or ""
}

// A replacement is a part of what a match is replaced by: a text or a group.
type replacement struct {
	text  string
	group int  // -1 if it is a text
	all   byte // the case of its letters: U or L, or E or 0 for their own
	first byte // the case of its first letter: u or l, or 0
}

func (p *parser) substitution(in *instruction) {
	pattern, with := p.twoTexts('s')
	s := &substitution{}
	isFolded := p.substitutionFlags(s)
	s.regex = p.expression(pattern, isFolded)
	if s.regex == nil && isFolded {
		p.fail("no previous regular expression")
	}
	s.parts = p.replacement(with)
	for _, part := range s.parts {
		if s.regex != nil && part.group > s.regex.Groups() {
			p.fail("invalid reference \\%d on `s' command's RHS", part.group)
		}
	}
	in.pattern = s
}

// substitutionFlags parses the flags of s. It reports whether the pattern is matched in any case.
func (p *parser) substitutionFlags(s *substitution) (isFolded bool) {
	for p.i < len(p.s) {
		switch c := p.s[p.i]; {
		case c == ' ':
		case c == 'g' && s.global, c == 'p' && s.print:
			p.fail("multiple `%c' options to `s' command", c)
		case c == 'g':
			s.global = true
		case c == 'p':
			s.print = true
		case c == 'i', c == 'I':
			isFolded = true
		case c == 'w':
			p.i++
			s.stream = p.stream()
			return isFolded
		case strings.IndexByte("mMe", c) >= 0:
			p.refuse("sed: the flag %c of s is not available here; leave it out", c)
		case c >= '0' && c <= '9':
			if s.number > 0 {
				p.fail("multiple number options to `s' command")
			}
			s.number, _ = p.number()
			if s.number == 0 {
				p.fail("number option to `s' command may not be zero")
			}
			continue
		default:
			return isFolded
		}
		p.i++
	}
	return isFolded
}

// A replacementParser parses what a match is replaced by.
type replacementParser struct {
	parts []replacement
	text  []byte
	next  replacement // the cases of the next part
}

// endText adds an empty part, before which the text ends.
func (p *replacementParser) endText() { p.add(-1) }

// add ends the text before a part and adds the part.
func (p *replacementParser) add(group int) {
	if len(p.text) > 0 {
		p.next.text, p.next.group = string(p.text), -1
		p.parts = append(p.parts, p.next)
		p.next.first, p.text = 0, nil
	}
	p.next.text, p.next.group = "", group
	p.parts = append(p.parts, p.next)
	p.next.first = 0
}

func (p *parser) replacement(s string) []replacement {
	var r replacementParser
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '&':
			r.add(0)
			continue
		case s[i] != '\\' || i+1 == len(s):
			r.text = append(r.text, s[i])
			continue
		}
		value, size := regex.Escape(s[i:], false)
		next := s[i+1]
		switch {
		case size > 0:
			r.text = append(r.text, value)
			i += size - 2
		case next >= '0' && next <= '9':
			r.add(int(next - '0'))
		case strings.IndexByte("ULE", next) >= 0:
			r.endText()
			r.next.all = next
		case strings.IndexByte("ul", next) >= 0:
			if len(r.text) > 0 {
				r.endText()
			}
			r.next.first = next
		default:
			r.text = append(r.text, next)
		}
		i++
	}
	r.endText()
	return r.parts
}

// substituteAndPrint runs s.
func (s *state) substituteAndPrint(sub *substitution) {
	if !s.substitute(sub) {
		return
	}
	s.replaced = true
	if sub.print {
		s.printSpace()
	}
	if sub.stream != "" {
		s.write(sub.stream, s.space.text, s.space.ended)
	}
}

// substitute replaces matches in the pattern space. It reports whether there was one.
func (s *state) substitute(sub *substitution) bool {
	searcher := s.searcher(sub.regex)
	text := s.space.text
	if !searcher.Match(text) {
		return false
	}
	out := s.spare[:0]
	count, at := 0, 0
	searcher.All(text, func(m []int) bool {
		count++
		if count < sub.number {
			return true
		}
		out = s.append(out, text[at:m[0]])
		out = s.replace(out, sub.parts, text, m)
		at = m[1]
		return sub.global
	})
	if count < sub.number {
		return false
	}
	out = s.append(out, text[at:])
	s.space.text, s.spare = out, text
	return true
}

// replace appends what a match is replaced by.
func (s *state) replace(out []byte, parts []replacement, text []byte, m []int) []byte {
	var inherited byte // the case of a first letter that was not there
	for _, p := range parts {
		piece := []byte(p.text)
		if p.group >= 0 && 2*p.group < len(m) && m[2*p.group] >= 0 {
			piece = text[m[2*p.group]:m[2*p.group+1]]
		}
		own := p.first
		p.first = cmp.Or(own, inherited)
		inherited = 0
		if len(piece) == 0 && p.group >= 0 {
			inherited = own
		}
		out = s.appendCased(out, piece, p)
	}
	return out
}

// appendCased appends a part in the case that it asks for.
func (s *state) appendCased(out, piece []byte, p replacement) []byte {
	to := cmp.Or(p.first, p.all)
	for len(piece) > 0 && strings.IndexByte("uUlL", to) >= 0 {
		r, size := utf8.DecodeRune(piece)
		letter := piece[:size]
		switch {
		case r == utf8.RuneError:
		case to|0x20 == 'u':
			letter = utf8.AppendRune(nil, unicode.ToUpper(r))
		default:
			letter = utf8.AppendRune(nil, unicode.ToLower(r))
		}
		out = s.append(out, letter)
		piece, to = piece[size:], p.all
	}
	return s.append(out, piece)
}
