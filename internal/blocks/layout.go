package blocks

import "strings"

// align ends the statements that are not indented less than a line of a layout, which begins with a
// token, and opens a level if the line is indented further.
func (s *structure) align(next byte, kind wordKind) {
	if s.l.ends && kind != middleWord && kind != endWord && kind != definesWord && s.isUnended() {
		return
	}
	for len(s.levels) > 1 && s.indent < s.top().indent {
		s.closeTop(s.code)
	}
	top := s.top()
	now := &top.now
	switch {
	case len(s.levels) == 1 && now.first == 0, s.indent < top.indent:
		top.indent = s.indent
	case s.indent > top.indent && now.first != 0:
		s.openBody(now, s.code)
		if len(s.levels) < maxLevels {
			s.open(level{bracket: ' ', indent: s.indent})
		}
		return
	}
	isClosing := strings.IndexByte(")]}", next) >= 0
	isClosing = isClosing || kind == middleWord || kind == endWord
	now.isClosed = kind == endWord
	if now.first != 0 && !now.isMark && !isClosing {
		s.end(s.code)
	}
	if now.isMark && next != '@' && !isClosing {
		now.hasBody = false
		s.dropMark(now)
	}
}

// isUnended reports whether the current line is in a function that needs an end, although it is not
// indented further.
func (s *structure) isUnended() bool {
	for _, l := range s.levels {
		isFunction := l.now.is != nothing && l.now.hasBody && !l.now.isClosed
		if isFunction && s.indent <= l.indent {
			return true
		}
	}
	return false
}
