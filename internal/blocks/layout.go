package blocks

import "strings"

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
