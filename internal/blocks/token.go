package blocks

import (
	"cmp"
	"strings"
)

// A token is a mark, or one of these.
const (
	noToken     = 0 // at the start
	wordToken   = 'a'
	stringToken = '"'
	separator   = ';' // between statements; in a shell & counts as one
)

// word takes a word.
func (s *structure) word(w []byte) {
	kind := s.kindOf(s.l, w)
	if kind != plainWord && strings.IndexByte(".$@%", s.last) >= 0 {
		kind = plainWord // of a member
	}
	now := s.begin(wordToken, kind)
	s.endAnnotation(now)
	isFirst := s.last == noToken && len(s.text) == now.from
	switch kind {
	case controlWord, elseWord, operatorWord:
		now.isControl = now.isControl || isFirst
	case beginWord:
		isBlock := !isFirst || s.inner().bracket == beginBracket
		if isBlock && s.lastWord != endWord {
			s.openBody(now, s.line)
			s.last = noToken
			s.open(level{bracket: beginBracket})
			return
		}
	case endWord:
		s.ending = s.l.begins
	}
	s.add(now, w...)
	s.last, s.lastWord, s.arrow = wordToken, kind, false
}

// heading takes a heading of Markdown, which opens a block of all that is below it up to a heading
// of the same level or of one above. It counts as a line that is less indented than any text, and
// the more the higher its level is.
func (s *structure) heading(level int) {
	const beyondLevels = 10
	s.indent = level - beyondLevels
	s.begin(wordToken, plainWord).is = strongFunction
}

// operand takes a string.
func (s *structure) operand() {
	now := s.begin(stringToken, plainWord)
	s.endAnnotation(now)
	s.add(now, '"')
	s.last, s.arrow = stringToken, false
}

// expectsOperand reports whether / or % begins an operand here.
func (s *structure) expectsOperand() bool {
	switch s.last {
	case wordToken:
		return s.lastWord == operatorWord || s.lastWord == controlWord
	case stringToken, ')', ']':
		return false
	case '}':
		return s.inner().now.first == 0
	default:
		return true
	}
}

// mark takes a mark, before another byte. It reports whether it ends code in a string.
func (s *structure) mark(c, after byte) (endsCode bool) {
	switch {
	case s.l.layout:
		s.operator(c, after)
	case c == ')' || c == ']' || c == '}':
		return s.pop(c)
	case c == ';' && s.inner().isList():
		s.last = separator
	case c == ';':
		now := s.begin(';', plainWord)
		if s.isOldParameter(now) {
			s.add(now, ';')
		} else {
			s.end(s.line)
		}
		s.last = separator
	case c == ',':
		s.comma()
	default:
		s.operator(c, after)
	}
	return false
}

// isOldParameter reports whether a statement of C may be the beginning of a function although it
// has come to a semicolon.
func (s *structure) isOldParameter(now *statement) bool {
	isNamed := s.last != ')' && s.lastWord == plainWord
	canBegin := s.l.directives && now.hasGroup && isNamed
	return canBegin && oldParameters.Match(s.text[now.from:])
}

// comma ends a part of a list, or is a part of a statement.
func (s *structure) comma() {
	inner := s.inner()
	isAfterBlock := inner.now.byBlock && inner.now.ended != 0
	if inner.isPartial() || s.l.isScript && isAfterBlock {
		s.end(cmp.Or(inner.now.ended, s.line))
		s.hasCode = true
	} else {
		s.add(s.begin(',', plainWord), ',')
	}
	s.last = ','
}

// operator takes a mark that separates nothing.
func (s *structure) operator(c, after byte) {
	now := s.begin(c, plainWord)
	if strings.IndexByte("@.(:", c) < 0 {
		s.endAnnotation(now)
	}
	s.arrow = c == '>' && (s.last == '=' || s.last == '-')
	switch {
	case c == '(':
		s.parenthesis(now)
	case c == '<':
		now.angles++
	case c == '>' && !s.arrow:
		now.angles = max(now.angles-1, 0)
	case s.arrow && s.last == '=' && s.l.arrow:
		s.openBody(now, s.line)
	case c == ':' && s.colon(now):
		return
	case c == '=':
		now.isAssigned = now.isAssigned || s.assigns(now, after)
	}
	s.add(now, c)
	isBracket := c == '(' || c == '[' || c == '{'
	switch {
	case isBracket && !s.l.layout:
		s.push(c)
	case c == '&' && s.l.shell && after != c:
		s.last = separator
	default:
		s.last = c
	}
}

// assigns reports whether = before a byte gives a value to a name.
func (s *structure) assigns(now *statement, after byte) bool {
	isComparison := strings.IndexByte("=!", s.last) >= 0 || strings.IndexByte("=>", after) >= 0
	isName := s.lastWord == overloadWord || now.angles > 0 || isComparison
	isValue := !now.hasGroup || !s.l.paren || s.l.isScript
	return isValue && !isName
}

// parenthesis notes that parentheses follow a name.
func (s *structure) parenthesis(now *statement) {
	if s.last == noToken || s.last == '@' || now.isAnnotation {
		return
	}
	isName := s.l.paren || !now.hasGroup // of what has a body
	if isName && !now.hasBody && !now.hasColon {
		now.head = s.line
	}
	now.hasGroup = now.hasGroup || !now.hasBody
}

// colon notes that a name has a value. It reports whether the statement so far was a label.
func (s *structure) colon(now *statement) bool {
	if s.last == ':' {
		now.hasColon = false
		return false
	}
	isLabel := s.last == wordToken && s.lastWord == labelWord
	if isLabel && !s.inGroup() && !s.inner().isValue {
		s.text = s.text[:now.from]
		*now = statement{from: now.from}
		return true
	}
	now.hasColon = now.hasGroup
	return false
}

// openBody notes that a body follows what has been seen of a statement up to a line.
func (s *structure) openBody(now *statement, line int) {
	if !now.hasBody {
		now.hasBody, now.body = true, line
		if s.l.ends {
			now.is = s.roleOf(now, true)
		}
	}
}
