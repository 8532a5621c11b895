package sed

import (
	"strings"

	"gander/internal/shell/regex"
)

// A substitution is the arguments of s.
type substitution struct {
	regex  *expression
	parts  []replacement
	number int // the first match that is replaced
	global bool
	print  bool
}

// A replacement is a part of what a match is replaced by: a text or a group.
type replacement struct {
	text  string
	group int // -1 if it is a text
}

func (p *parser) substitution(in *instruction) {
	delimiter := p.peek()
	p.i = min(p.i+1, len(p.s))
	pattern, ok1 := p.delimited(delimiter, true)
	with, ok2 := p.delimited(delimiter, false)
	if !ok1 || !ok2 {
		p.fail("unterminated `s' command")
	}
	s := &substitution{number: 1}
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
		case c == 'g':
			s.global = true
		case c == 'p':
			s.print = true
		case c == 'i', c == 'I':
			isFolded = true
		case strings.IndexByte("mMew", c) >= 0:
			p.refuse("sed: the flag %c of s is not available here; leave it out", c)
		case c >= '0' && c <= '9':
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

// replacement parses what a match is replaced by.
func (p *parser) replacement(s string) []replacement {
	var parts []replacement
	var text strings.Builder
	add := func(r replacement) {
		if text.Len() > 0 {
			parts = append(parts, replacement{text: text.String(), group: -1})
			text.Reset()
		}
		parts = append(parts, r)
	}
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '&':
			add(replacement{group: 0})
			continue
		case s[i] != '\\' || i+1 == len(s):
			text.WriteByte(s[i])
			continue
		}
		value, size := regex.Escape(s[i:], false)
		next := s[i+1]
		switch {
		case size > 0:
			text.WriteByte(value)
			i += size - 2
		case next >= '0' && next <= '9':
			add(replacement{group: int(next - '0')})
		case strings.IndexByte("ULEul", next) >= 0:
			p.refuse("sed: \\%c in a replacement is not available here; use awk's toupper or tr", next)
		default:
			text.WriteByte(next)
		}
		i++
	}
	if text.Len() > 0 {
		add(replacement{group: -1})
	}
	return parts
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
	for _, p := range parts {
		piece := []byte(p.text)
		if p.group >= 0 && 2*p.group < len(m) && m[2*p.group] >= 0 {
			piece = text[m[2*p.group]:m[2*p.group+1]]
		}
		out = s.append(out, piece)
	}
	return out
}
