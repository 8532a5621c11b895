package blocks

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"unicode"
)

const (
	maxLevels   = 200 // blocks that are open at a time; those within are not seen
	maxBranches = 16  // conditions of a preprocessor in each other
	maxText     = 400 // bytes of the words and marks of a statement that are kept
)

// A structure follows the statements of a text and the brackets around them.
type structure struct {
	l *Language
	*grammar
	isAsked  func(first, last int) bool
	emit     func(b Block, isTop bool)
	line     int // the number of the current line
	indent   int // its indentation
	levels   []level
	text     []byte   // the words and marks of the statements of all levels
	deeper   int      // the number of brackets that are open beyond maxLevels
	branches []int    // the number of levels at each condition of the preprocessor
	unseen   int      // the number of conditions that are open beyond maxBranches
	skipped  int      // the number of branches up to one that is not read, or 0
	last     byte     // the last mark; 'a' after a word, '"' after another operand, 0 at the start
	lastWord wordKind // of the last word
	arrow    bool     // the last marks were => or ->
	code     int      // the last line with code
	comments int      // the first of the adjacent lines of comments above, or 0
	aside    int      // their indentation
	hasCode  bool     // the current line has code
	ending   bool     // the last word was end
}

// A level is what a bracket has opened, or in a layout what is indented further.
type level struct {
	bracket byte // 0 at the top; ' ' in a layout; '$' for code in a string; 'b' after begin
	indent  int  // in a layout
	isValue bool // the braces of an object, whose parts commas separate
	now     statement
}

func (s *structure) start(l *Language, first int) {
	s.l, s.line, s.grammar = l, first, l.ready().grammar
	s.levels = []level{{}}
}

func (s *structure) top() *level { return &s.levels[len(s.levels)-1] }

// open opens a level, unless there are too many.
func (s *structure) open(l level) {
	if len(s.levels) == maxLevels {
		s.deeper++
		return
	}
	l.now.from = len(s.text)
	s.levels = append(s.levels, l)
}

// closeTop ends the level at the top and its statement.
func (s *structure) closeTop(line int) {
	s.end(line)
	s.levels = s.levels[:len(s.levels)-1]
}

// inGroup reports whether the current statement cannot end before a bracket closes.
func (s *structure) inGroup() bool { return strings.IndexByte("([$", s.top().bracket) >= 0 }

// startLine begins a line, which may begin in a string.
func (s *structure) startLine(indent int, isBlank, inText, inString bool) {
	s.indent, s.hasCode = indent, inString
	if !isBlank || inText {
		return
	}
	s.comments = 0
	isMacro := s.l.directives && (s.last == ')' || s.last == 'a')
	if isMacro && s.top().now.first != 0 && !s.inGroup() {
		s.end(s.code) // such as Q_OBJECT
	}
}

// endLine ends a line. In many languages a statement ends with it.
func (s *structure) endLine(inString bool) {
	now := &s.top().now
	isOpen := s.hasCode && now.first != 0 && now.ended == 0 && !now.isMark
	canEnd := s.l.newline && !inString && !s.inGroup()
	if isOpen && canEnd && !s.continues() {
		now.ended, now.byBlock = s.line, false
	}
}

// continues reports whether a statement cannot end after the last mark.
func (s *structure) continues() bool {
	if s.l.shell {
		return s.last == '|' || s.last == '&'
	}
	switch s.last {
	case 'a':
		return s.lastWord == operatorWord || s.lastWord == elseWord
	case '"', ')', ']', '}', 0, ';':
		return false
	case ':', '?', '!':
		return s.l.isScript
	case '>':
		return s.arrow
	default:
		return true
	}
}

// comment begins a comment. Those on lines of their own belong to what follows.
func (s *structure) comment() {
	isFirst := s.comments == 0 || s.aside != s.indent
	if !s.hasCode && isFirst {
		s.comments, s.aside = s.line, s.indent
	}
}

// begin begins the statement of the current token unless it has begun.
func (s *structure) begin(next byte, kind wordKind) *statement {
	if s.ending {
		s.ending = false
		if next != 'a' || kind != controlWord { // end if
			s.pop('b')
			s.lastWord = endWord
		}
	}
	if !s.hasCode {
		s.hasCode = true
		if s.l.layout {
			s.align(next, kind)
		}
	}
	now := &s.top().now
	if now.ended != 0 && !s.joins(now, next, kind) {
		s.end(now.ended)
	}
	now.ended = 0
	if now.first == 0 {
		*now = statement{
			first: s.line, head: s.line, indent: s.indent, isMark: next == '@', from: len(s.text),
		}
		if s.comments != 0 && (!s.l.layout || s.aside <= s.indent) {
			now.first = s.comments
		}
		s.last, s.lastWord = 0, plainWord
	}
	s.comments, s.code = 0, s.line
	return now
}

// joins reports whether a token continues a statement that would otherwise have ended.
func (s *structure) joins(now *statement, next byte, kind wordKind) bool {
	isSameLine := now.ended == s.line
	switch next {
	case 'a':
		if kind == elseWord && (now.isControl || now.isAssigned || !now.hasBody) {
			return true
		}
	case '.', ',', '?':
		return !now.byBlock || isSameLine && !s.l.isScript || s.l.newline && next != ','
	case ';', ':', '=', '&', '|', '+', '<', '>':
		return !now.byBlock || isSameLine || next == '='
	case '{':
		isResult := isSameLine && s.l.newline // interface{} in Go
		return !now.hasBody || now.hasColon || isResult
	case '(':
		if isSameLine && s.l.isScript {
			return true
		}
	}
	isDeeper := s.indent > now.indent && !isSameLine
	return !now.byBlock && isDeeper && s.l.newline && !s.top().isValue
}

// end ends the statement of the top level with a line.
func (s *structure) end(line int) {
	now := &s.top().now
	isPlain := s.l.names == "" && !now.hasBody // in a text that may have no statements
	last := max(line, now.first)
	isSeen := now.first != 0 && (!isPlain || s.l.headings)
	if isSeen && s.isAsked(now.first, last) {
		now.is = max(now.is, s.roleOf(now, now.hasBody))
		s.emit(Block{
			First: now.first, Last: last, Head: now.head, Body: cmp.Or(now.body, now.head),
			IsFunction: now.is != nothing, isWeak: now.is == weakFunction,
			isOpening: now.hasBody && !now.isControl,
		}, len(s.levels) == 1)
	}
	s.text = s.text[:now.from]
	*now = statement{from: now.from}
}

func (s *structure) endAll() {
	for len(s.levels) > 1 {
		s.closeTop(s.code)
	}
	s.end(s.code)
}

// add adds to the text of a statement that has no body.
func (s *structure) add(now *statement, text ...byte) {
	last := len(s.text) - 1
	if now.hasBody || last-now.from > maxText {
		return
	}
	isSplit := last >= now.from && isWord(s.text[last]) && isWord(text[0])
	if isSplit || now.from <= last && text[0] == '=' {
		s.text = append(s.text, ' ')
	}
	s.text = append(s.text, text...)
}

// endMark ends an annotation before a token that is no part of it.
func (s *structure) endMark(now *statement) {
	isPart := s.last == '@' || s.last == '.' || s.last == ':'
	if now.isMark && !s.l.layout && !isPart {
		s.dropMark(now)
	}
}

func (s *structure) dropMark(now *statement) {
	now.isMark, now.hasGroup, now.head = false, false, s.line
	s.text = s.text[:now.from]
}

// word takes a word.
func (s *structure) word(w []byte) {
	kind := s.kindOf(s.l, w)
	if kind != plainWord && strings.IndexByte(".$@%", s.last) >= 0 {
		kind = plainWord // of a member
	}
	now := s.begin('a', kind)
	s.endMark(now)
	isFirst := s.last == 0 && len(s.text) == now.from
	switch kind {
	case controlWord, elseWord, operatorWord:
		now.isControl = now.isControl || isFirst
	case beginWord:
		isBlock := !isFirst || s.top().bracket == 'b'
		if isBlock && s.lastWord != endWord {
			s.openBody(now, s.line)
			s.last = 0
			s.open(level{bracket: 'b'})
			return
		}
	case endWord:
		s.ending = s.l.begins
	}
	s.add(now, w...)
	s.last, s.lastWord, s.arrow = 'a', kind, false
}

// heading takes a heading of Markdown of a level, which opens a block of all that is below it.
func (s *structure) heading(level int) {
	const most = 10
	s.indent = level - most
	s.begin('a', plainWord).is = strongFunction
}

// operand takes a string.
func (s *structure) operand() {
	now := s.begin('"', plainWord)
	s.endMark(now)
	s.add(now, '"')
	s.last, s.arrow = '"', false
}

// expectsOperand reports whether / or % begins an operand here.
func (s *structure) expectsOperand() bool {
	switch s.last {
	case 'a':
		return s.lastWord == operatorWord || s.lastWord == controlWord
	case '"', ')', ']':
		return false
	case '}':
		return s.top().now.first == 0
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
	case c == ';' && strings.IndexByte("([", s.top().bracket) >= 0:
		s.last = ';'
	case c == ';':
		now := s.begin(';', plainWord)
		if s.isOldParameter(now) {
			s.add(now, ';')
		} else {
			s.end(s.line)
		}
		s.last = ';'
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
	top := s.top()
	isPart := top.isValue || top.bracket == '(' || top.bracket == '['
	isPart = isPart || s.l.isScript && top.now.byBlock && top.now.ended != 0
	if isPart {
		s.end(cmp.Or(top.now.ended, s.line))
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
		s.endMark(now)
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
		isComparison := strings.IndexByte("=!", s.last) >= 0 || strings.IndexByte("=>", after) >= 0
		isName := s.lastWord == overloadWord || now.angles > 0 || isComparison
		isValue := !now.hasGroup || !s.l.paren || s.l.isScript
		now.isAssigned = now.isAssigned || isValue && !isName
	}
	s.add(now, c)
	isBracket := c == '(' || c == '[' || c == '{'
	switch {
	case isBracket && !s.l.layout:
		s.push(c)
	case c == '&' && s.l.shell && after != c:
		s.last = ';'
	default:
		s.last = c
	}
}

// parenthesis notes that parentheses follow a name.
func (s *structure) parenthesis(now *statement) {
	if s.last == 0 || s.last == '@' || now.isMark {
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
	isLabel := s.last == 'a' && s.lastWord == labelWord
	if isLabel && !s.inGroup() && !s.top().isValue {
		s.text = s.text[:now.from]
		*now = statement{from: now.from}
		return true
	}
	now.hasColon = now.hasGroup
	return false
}

// push opens a level. The statement around it continues after it.
func (s *structure) push(c byte) {
	now := s.begin(c, plainWord)
	next := level{bracket: c, isValue: c == '{' && s.opensValue()}
	if c == '{' && !next.isValue {
		s.openBody(now, s.line)
	}
	s.last, s.lastWord, s.arrow = 0, plainWord, false
	s.open(next)
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

// opensValue reports whether a brace opens an object rather than a block.
func (s *structure) opensValue() bool {
	top := s.top()
	switch s.last {
	case '=', ':', '?', '&', '|', '+', '<':
		return !s.arrow
	case 'a': // also after export default
		return s.l.isScript && (s.lastWord == operatorWord || s.lastWord == labelWord)
	case 0, ',':
		isPart := s.last == ',' && s.l.newline
		return isPart || top.isValue || top.bracket == '(' || top.bracket == '['
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
	open := [...]string{"(", "[", "{$", "b"}[strings.IndexByte(")]}b", bracket)]
	at := len(s.levels) - 1
	for at > 0 && bracket == '}' && strings.IndexByte("([", s.levels[at].bracket) >= 0 {
		at--
	}
	if at == 0 || strings.IndexByte(open, s.levels[at].bracket) < 0 {
		return false
	}
	closed := s.levels[at]
	for len(s.levels) > at {
		s.closeTop(cmp.Or(s.top().now.ended, s.code))
	}
	s.code, s.comments = s.line, 0
	now := &s.top().now
	isBlock := closed.bracket == '{' && !closed.isValue || closed.bracket == 'b'
	isEnd := s.l.newline || now.isControl || !now.isAssigned
	if isBlock && isEnd && !s.inGroup() {
		now.ended, now.byBlock = s.line, true
	}
	if bracket != 'b' {
		s.add(now, bracket)
	}
	s.last, s.lastWord, s.arrow = bracket, plainWord, false
	return closed.bracket == '$'
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
	case strings.HasPrefix(name, "el") && s.skipped == 0 && s.branches[n-1] != len(s.levels):
		s.skipped = n
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
	if !hasPrefix(line, "#") || !l.conditions {
		return hasPrefix(line, "#") && l.directives
	}
	conditions := []string{"if", "elseif", "else", "endif"}
	return slices.Contains(conditions, directiveName(line))
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
