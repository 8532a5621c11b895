package blocks

import (
	"cmp"
	"strings"
)

const (
	maxLevels   = 200 // blocks that are open at a time; those within are not seen
	maxBranches = 16  // conditions of a preprocessor in each other; those within are not read
	maxText     = 400 // bytes of the words and marks of a statement that are kept
)

// A structure follows the statements of a text and the brackets around them.
type structure struct {
	l *Language
	*grammar
	isAsked  func(first, last int) bool
	emit     func(b Block, isOutermost bool)
	line     int // the number of the current line
	indent   int // its indentation
	levels   []level
	text     []byte   // the words and marks of the statements of all levels
	deeper   int      // the number of brackets that are open beyond maxLevels
	branches []int    // the number of levels at each condition of the preprocessor
	unseen   int      // the number of conditions that are open beyond maxBranches
	skipped  int      // the number of branches up to one that is not read, or 0
	last     byte     // the last token
	lastWord wordKind // what the last word was
	arrow    bool     // the last marks were => or ->
	code     int      // the last line with code
	comments int      // the first of the adjacent lines of comments above, or 0
	aside    int      // the indentation of these comments
	hasCode  bool     // the current line has code
	ending   bool     // the last word was end
}

// A token is a mark, or one of these.
const (
	noToken     = 0 // at the start
	wordToken   = 'a'
	stringToken = '"'
	separator   = ';' // between statements; in a shell & counts as one
)

func (s *structure) start(l *Language, first int) {
	s.l, s.line, s.grammar = l, first, l.ready().grammar
	s.levels = []level{{}}
}

// startLine begins a line, which may begin in a string.
func (s *structure) startLine(indent int, isBlank, inText, inString bool) {
	s.indent, s.hasCode = indent, inString
	if !isBlank || inText {
		return
	}
	s.comments = 0
	isMacro := s.l.directives && (s.last == ')' || s.last == wordToken)
	if isMacro && s.inner().now.first != 0 && !s.inGroup() {
		s.end(s.code) // such as Q_OBJECT
	}
}

// endLine ends a line. In many languages a statement ends with it.
func (s *structure) endLine(inString bool) {
	now := &s.inner().now
	isOpen := now.first != 0 && now.ended == 0
	canEnd := s.l.newline && !inString && !s.inGroup()
	if !s.hasCode || now.isAnnotation || !isOpen {
		return
	}
	if canEnd && !s.continues() {
		now.ended, now.byBlock = s.line, false
	}
}

// continues reports whether a statement cannot end after the last mark.
func (s *structure) continues() bool {
	if s.l.shell {
		return s.last == '|' || s.last == '&'
	}
	switch s.last {
	case wordToken:
		return s.lastWord == operatorWord || s.lastWord == elseWord
	case stringToken, ')', ']', '}', noToken, separator:
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
		if next != wordToken || kind != controlWord { // end if
			s.pop(beginBracket)
			s.lastWord = endWord
		}
	}
	if !s.hasCode {
		s.hasCode = true
		if s.l.layout {
			s.align(next, kind)
		}
	}
	now := &s.inner().now
	if now.ended != 0 && !s.joins(now, next, kind) {
		s.end(now.ended)
	}
	now.ended = 0
	if now.first == 0 {
		*now = statement{
			first: s.line, head: s.line, indent: s.indent, isAnnotation: next == '@', from: len(s.text),
		}
		if s.comments != 0 && (!s.l.layout || s.aside <= s.indent) {
			now.first = s.comments
		}
		s.last, s.lastWord = noToken, plainWord
	}
	s.comments, s.code = 0, s.line
	return now
}

// joins reports whether a token continues a statement that would otherwise have ended:
//
//	token  language    example                    continues
//	else   all         if (a) { } else { }        after the block of an if, not of a function
//	,      C           struct s { int a; } x, y;  after a block only on the same line
//	.      Go, Kotlin  f { }.g()                  on any line; in JavaScript not after a block
//	=      all         struct s { } x\n= y;       on any line
//	;      C           struct s { };              after a block only on the same line
//	{      Go          func f() interface{} {     after a block only as the body of a result
//	(      JavaScript  function () { }()          only on the same line
//
// In languages whose lines end statements other tokens do if they are indented further.
func (s *structure) joins(now *statement, next byte, kind wordKind) bool {
	isSameLine := now.ended == s.line
	isOperator := strings.IndexByte(".,?;:=&|+<>", next) >= 0
	if isOperator && !now.byBlock {
		return true
	}
	switch next {
	case ',':
		return isSameLine && !s.l.isScript
	case '.', '?':
		return s.l.newline || isSameLine && !s.l.isScript
	case '=':
		return true
	case ';', ':', '&', '|', '+', '<', '>':
		return isSameLine
	case '{':
		isResult := isSameLine && s.l.newline
		return !now.hasBody || now.hasColon || isResult
	}
	isElse := kind == elseWord && now.takesElse()
	isCall := next == '(' && isSameLine && s.l.isScript
	return isElse || isCall || s.isContinuation(now)
}

// takesElse reports whether else and its relatives continue a statement.
func (now *statement) takesElse() bool {
	return now.isControl || now.isAssigned || !now.hasBody
}

// isContinuation reports whether the current line continues a statement by its indentation.
func (s *structure) isContinuation(now *statement) bool {
	isDeeper := s.indent > now.indent && now.ended != s.line
	canContinue := s.l.newline && !s.inner().isValue
	return canContinue && isDeeper && !now.byBlock
}

// end ends the statement of the innermost level with a line.
func (s *structure) end(line int) {
	now := &s.inner().now
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
		s.closeInner(s.code)
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

// endAnnotation ends an annotation before a token that is no part of it.
func (s *structure) endAnnotation(now *statement) {
	isPart := s.last == '@' || s.last == '.' || s.last == ':'
	if now.isAnnotation && !s.l.layout && !isPart {
		s.dropAnnotation(now)
	}
}

func (s *structure) dropAnnotation(now *statement) {
	now.isAnnotation, now.hasGroup, now.head = false, false, s.line
	s.text = s.text[:now.from]
}

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
