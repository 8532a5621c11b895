package blocks

import "cmp"

// A level is opened by a bracket. In a layout a line that is indented further opens one too.
type level struct {
	bracket byte // or one of those below; 0 for the outermost level
	indent  int  // in a layout
	isValue bool // the braces of an object, whose parts commas separate
	now     statement
}

const (
	indentBracket = ' ' // of a layout
	codeBracket   = '$' // ${ in a string
	beginBracket  = 'b' // the word begin
)

// isList reports whether commas and semicolons separate the parts of a level.
func (l *level) isList() bool { return l.bracket == '(' || l.bracket == '[' }

// isPartial reports whether a level has the parts of a list or of an object.
func (l *level) isPartial() bool { return l.isValue || l.isList() }

// isClosedBy reports whether a bracket ends a level.
func (l *level) isClosedBy(bracket byte) bool {
	switch bracket {
	case ')':
		return l.bracket == '('
	case ']':
		return l.bracket == '['
	case '}':
		return l.bracket == '{' || l.bracket == codeBracket
	default:
		return l.bracket == bracket
	}
}

// inner returns the innermost level.
func (s *structure) inner() *level { return &s.levels[len(s.levels)-1] }

// inGroup reports whether the current statement cannot end before a bracket closes.
func (s *structure) inGroup() bool {
	return s.inner().isList() || s.inner().bracket == codeBracket
}

// open opens a level, unless there are too many.
func (s *structure) open(l level) {
	if len(s.levels) == maxLevels {
		s.deeper++
		return
	}
	l.now.from = len(s.text)
	s.levels = append(s.levels, l)
}

// closeInner ends the innermost level and its statement.
func (s *structure) closeInner(line int) {
	s.end(line)
	s.levels = s.levels[:len(s.levels)-1]
}

// push opens a level. The statement around it continues after it.
func (s *structure) push(c byte) {
	now := s.begin(c, plainWord)
	next := level{bracket: c, isValue: c == '{' && s.opensValue()}
	if c == '{' && !next.isValue {
		s.openBody(now, s.line)
	}
	s.last, s.lastWord, s.arrow = noToken, plainWord, false
	s.open(next)
}

// opensValue reports whether a brace opens an object rather than a block.
func (s *structure) opensValue() bool {
	inner := s.inner()
	switch s.last {
	case '=', ':', '?', '&', '|', '+', '<':
		return !s.arrow
	case wordToken: // also after export default
		return s.l.isScript && (s.lastWord == operatorWord || s.lastWord == labelWord)
	case noToken, ',':
		return inner.isPartial() || s.last == ',' && s.l.newline
	default:
		return false
	}
}

// pop closes the nearest level with a bracket. It reports whether this ends code in a string.
func (s *structure) pop(bracket byte) (endsCode bool) {
	s.hasCode = true
	if s.deeper > 0 {
		s.deeper--
		return false
	}
	at := len(s.levels) - 1
	if bracket == '}' {
		for s.levels[at].isList() {
			at--
		}
	}
	if at == 0 || !s.levels[at].isClosedBy(bracket) {
		return false
	}
	closed := s.levels[at]
	for len(s.levels) > at {
		s.closeInner(cmp.Or(s.inner().now.ended, s.code))
	}
	s.code, s.comments = s.line, 0
	now := &s.inner().now
	isEnd := s.l.newline || now.isControl || !now.isAssigned
	isBlock := closed.bracket == '{' && !closed.isValue || closed.bracket == beginBracket
	if isBlock && isEnd && !s.inGroup() {
		now.ended, now.byBlock = s.line, true
	}
	if bracket != beginBracket {
		s.add(now, bracket)
	}
	s.last, s.lastWord, s.arrow = bracket, plainWord, false
	return closed.bracket == codeBracket
}
