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
	isElse := kind == elseWord && (now.isControl || now.isAssigned || !now.hasBody)
	isCall := next == '(' && isSameLine && s.l.isScript
	isDeeper := s.indent > now.indent && !isSameLine
	canContinue := s.l.newline && !s.inner().isValue && !now.byBlock
	return isElse || isCall || canContinue && isDeeper
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
