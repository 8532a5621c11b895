package blocks

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"unicode"
)

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

// align ends the statements that are not indented less than a line of a layout, which begins with a
// token, and opens a level if the line is indented further.
func (s *structure) align(next byte, kind wordKind) {
	isPartOrEnd := kind == middleWord || kind == endWord
	isInside := !isPartOrEnd && kind != definesWord
	if s.l.ends && isInside && s.isUnended() {
		return
	}
	for len(s.levels) > 1 && s.indent < s.inner().indent {
		s.closeInner(s.code)
	}
	inner := s.inner()
	now := &inner.now
	switch {
	case len(s.levels) == 1 && now.first == 0, s.indent < inner.indent:
		inner.indent = s.indent
	case s.indent > inner.indent && now.first != 0:
		s.openBody(now, s.code)
		if len(s.levels) < maxLevels {
			s.open(level{bracket: indentBracket, indent: s.indent})
		}
		return
	}
	isClosing := isPartOrEnd || strings.IndexByte(")]}", next) >= 0
	now.isClosed = kind == endWord
	if now.first != 0 && !now.isAnnotation && !isClosing {
		s.end(s.code)
	}
	if now.isAnnotation && next != '@' && !isClosing {
		now.hasBody = false
		s.dropAnnotation(now)
	}
}

// isUnended reports whether the current line is in a function that needs an end, although it is not
// indented further.
func (s *structure) isUnended() bool {
	for _, l := range s.levels {
		isFunction := l.now.is != nothing && l.now.hasBody
		if isFunction && !l.now.isClosed && s.indent <= l.indent {
			return true
		}
	}
	return false
}

// directive takes a line of a preprocessor. The first branch of a condition counts, and the others
// if it closes what it opens.
func (s *structure) directive(line []byte) {
	name := directiveName(line)
	n := len(s.branches)
	switch {
	case strings.HasPrefix(name, "if") && n == maxBranches:
		s.unseen++
	case strings.HasPrefix(name, "if"):
		s.branches = append(s.branches, len(s.levels))
	case s.unseen > 0 && name == "endif":
		s.unseen--
	case n == 0 || s.unseen > 0:
	case strings.HasPrefix(name, "el"):
		if s.skipped == 0 && s.branches[n-1] != len(s.levels) {
			s.skipped = n
		}
	case name == "endif":
		s.branches = s.branches[:n-1]
		if s.skipped == n {
			s.skipped = 0
		}
	}
	s.comments = 0
}

// isDirective reports whether a line is one of a preprocessor.
func (l *Language) isDirective(line []byte) bool {
	switch {
	case !hasPrefix(line, "#"):
		return false
	case l.conditions:
		conditions := []string{"if", "elseif", "else", "endif"}
		return slices.Contains(conditions, directiveName(line))
	default:
		return l.directives
	}
}

// directiveName returns the word after the # of a line, which a comment can follow at once.
func directiveName(line []byte) string {
	name := bytes.TrimLeft(line[1:], " \t")
	isOther := func(r rune) bool { return !unicode.IsLetter(r) }
	if end := bytes.IndexFunc(name, isOther); end >= 0 {
		name = name[:end]
	}
	return string(name)
}
