package blocks

import (
	"cmp"
	"slices"
	"strings"
)

// maxLevels is the maximum number of blocks that are open at a time. Those within are not seen.
const maxLevels = 200

// maxBranches is the maximum number of conditions of a preprocessor in each other.
const maxBranches = 16

// maxCopied is the maximum number of levels that are copied for conditions.
const maxCopied = 1 << 16

// A structure follows the statements of a text and the brackets around them.
type structure struct {
	l        *Language
	words    map[string]wordKind
	emit     func(b Block, isTop bool)
	copied   int // levels, for branches
	line     int // the number of the current line
	indent   int // its indentation
	levels   []level
	deeper   int      // the number of brackets that are open beyond maxLevels
	branches []branch // of the preprocessor, from the outermost
	last     byte     // the last mark; 'a' after a word, '0' after another operand, 0 at the start
	lastWord wordKind
	arrow    bool // the last marks were => or ->
	after    byte // what follows the current mark, or a space
	code     int  // the last line with code
	comments int  // the first of the adjacent lines of comments above, or 0
	aside    int  // their indentation
	hasCode  bool // the current line has code
	ending   bool // the last word was end
}

// A level is what a bracket has opened, or in a layout what is indented further.
type level struct {
	bracket byte // 0 at the top; ' ' in a layout; '$' for code in a string
	indent  int  // in a layout
	isValue bool // the braces of an object, whose parts commas separate
	isCode  bool // statements that run, among which few define functions
	now     statement
}

// A statement is what has been seen of the current one of a level. The zero statement has not
// begun.
type statement struct {
	first, head int
	body        int // the last line of what is before the body
	indent      int
	words       int  // before the first parentheses
	angles      int  // that are open
	ended       int  // the line with its end, unless the next token continues it
	byBlock     bool // a block is its end
	isMark      bool // it is only an annotation so far
	isControl   bool
	isTyped     bool
	isAssigned  bool // to a name, before any parentheses
	isKeyed     bool // a colon follows its name
	isNew       bool
	hasGroup    bool // name(...)
	hasColon    bool
	isNamed     bool // a name follows a word that defines
	isLambda    bool
	isDefining  bool // the name may follow
	isTypeWord  bool // the name of a type may follow
	isLabel     bool // it is a label if a colon follows
	hasBody     bool
	isFunction  bool // once it has a body
	isClosed    bool // its end has been seen in a layout
}

// A branch is the state at a condition of the preprocessor.
type branch struct {
	before, after []level // after the first branch; nil while in it
}

type wordKind uint8

// maxWord is the size of the longest word that has a kind.
const maxWord = 12

const (
	plainWord wordKind = iota
	definesWord
	aloneWord
	typeWord
	controlWord
	middleWord
	operatorWord // an operand follows
	newWord
	elseWord // continues what a block ended
	beginWord
	endWord
	labelWord
	overloadWord
)

func (s *structure) begin(l *Language, first int) {
	s.l, s.line = l, first
	s.words = make(map[string]wordKind)
	add := func(words string, kind wordKind) {
		for w := range strings.FieldsSeq(words) {
			s.words[w] = kind
		}
	}
	add("return typeof case in of do yield await throw and or not", operatorWord)
	add("new", newWord)
	if !l.layout {
		add("else catch finally where throws extends implements with elif elsif", elseWord)
	}
	if !l.layout {
		add(controls, controlWord)
		add("case default", labelWord)
	}
	if l.directives {
		add("operator", overloadWord)
		add("public private protected signals Q_SIGNALS", labelWord)
	}
	add(l.controls, controlWord)
	add(l.middle, middleWord)
	if l.ends {
		add("end", endWord)
	}
	add(l.types, typeWord)
	add(l.defines, definesWord)
	add(l.alone, aloneWord)
	if l.begins {
		add("begin case", beginWord)
		add("end", endWord)
	}
	s.levels = []level{{}}
}

func (s *structure) top() *level { return &s.levels[len(s.levels)-1] }

// startLine begins a line, which may begin in a string.
func (s *structure) startLine(indent int, isBlank, inText, inString bool) {
	s.indent, s.hasCode = indent, inString
	if !isBlank || inText {
		return
	}
	s.comments = 0
	now := &s.top().now
	isMacro := s.last == ')' || s.last == 'a'
	if s.l.directives && isMacro && !s.top().isCode && !now.isTyped && s.endsInLine() {
		s.end(s.code) // such as Q_OBJECT
	}
}

// endsInLine reports whether the current statement can end before a bracket closes.
func (s *structure) endsInLine() bool {
	top := s.top()
	return top.now.first != 0 && strings.IndexByte("([$", top.bracket) < 0
}

// endLine ends a line. In many languages a statement ends with it.
func (s *structure) endLine(inString bool) {
	now := &s.top().now
	isOpen := s.hasCode && now.ended == 0 && !now.isMark && !inString
	if s.l.newline && isOpen && s.endsInLine() && !s.continues() {
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
	case '0', ')', ']', '}', 0, ';':
		return false
	case ':', '?', '!':
		return s.l.regexp
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

// start begins the statement of the current token unless it has begun.
func (s *structure) start(next byte, kind wordKind) *statement {
	if s.ending {
		s.ending = false
		isLoop := next == 'a' && kind == controlWord // end if
		if !isLoop {
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
	top := s.top()
	now := &top.now
	if now.ended != 0 && !s.joins(now, next, kind) {
		s.end(now.ended)
		now = &s.top().now
	}
	now.ended = 0
	if now.first == 0 {
		*now = statement{first: s.line, head: s.line, indent: s.indent, isMark: next == '@'}
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
		return !now.byBlock || isSameLine && !s.l.regexp || s.l.newline && next != ','
	case ';', ':', '=', '&', '|', '+', '<', '>':
		return !now.byBlock || isSameLine || next == '='
	case '{':
		return !now.hasBody || now.hasColon
	case '(':
		if isSameLine && now.isLambda {
			return true
		}
	}
	isDeeper := s.indent > now.indent && !isSameLine
	return !now.byBlock && isDeeper && s.l.newline && !s.top().isValue
}

// end ends the statement of the top level with a line.
func (s *structure) end(line int) {
	top := s.top()
	now := &top.now
	isPlain := s.l.names == "" && !now.hasBody // in a text that may have no statements
	if now.first != 0 && (!isPlain || s.l.headings) {
		b := Block{First: now.first, Last: max(line, now.first), Head: now.head}
		b.Body = cmp.Or(now.body, now.head)
		b.IsFunction = s.isFunction(now, now.hasBody)
		b.isOpening = now.hasBody && !now.isControl
		s.emit(b, len(s.levels) == 1)
	}
	*now = statement{}
}

func (s *structure) endAll() {
	for len(s.levels) > 1 {
		s.end(s.code)
		s.levels = s.levels[:len(s.levels)-1]
	}
	s.end(s.code)
}

// isFunction reports whether a statement defines a function.
func (s *structure) isFunction(now *statement, hasBody bool) bool {
	l := s.l
	switch {
	case now.isFunction:
		return true
	case l.any:
		return hasBody
	case now.isNamed:
		return !now.isTyped
	case now.isLambda && (now.isAssigned || now.isKeyed):
		return !now.isControl
	case l.paren && now.hasGroup && !now.hasBody:
		isDefinition := !now.isControl && !now.isTyped && !now.isAssigned && !now.isNew
		isCode, isLong := s.top().isCode, now.words >= 2
		isDeclared := !hasBody && !l.newline && !isCode && isLong
		return isDefinition && (isDeclared || hasBody && (isLong || !isCode))
	default:
		return false
	}
}

// word takes a word.
func (s *structure) word(w []byte) {
	kind := plainWord
	switch {
	case len(w) > maxWord:
	case s.l.begins:
		kind = s.words[strings.ToLower(string(w))]
	default:
		kind = s.words[string(w)]
	}
	if kind != plainWord && strings.IndexByte(".$@%", s.last) >= 0 {
		kind = plainWord // of a member
	}
	now := s.start('a', kind)
	isFirst := s.last == 0 && now.words == 0
	if now.isMark && !s.l.layout && s.last != '@' && s.last != '.' {
		now.isMark = false
	}
	s.name(now)
	if !now.hasGroup {
		now.words++
	}
	switch kind {
	case definesWord:
		now.isDefining = true
		now.isLambda = now.isLambda || s.l.paren || s.l.layout
	case aloneWord:
		isHead := s.last == 0 || s.last == 'a' || s.last == ')'
		now.isNamed = now.isNamed || isHead && !now.isAssigned
	case typeWord:
		now.isTypeWord = !now.hasBody
	case controlWord, elseWord, operatorWord:
		now.isControl = now.isControl || isFirst
	case labelWord:
		now.isLabel = isFirst
		now.isControl = isFirst && !s.l.isAccess(w)
	case newWord:
		now.isNew = true
	case beginWord:
		isBlock := now.words > 1 || s.top().bracket == 'b'
		if isBlock && s.lastWord != endWord {
			now.hasBody = true
			s.push('b')
			return
		}
	case endWord:
		s.ending = s.l.begins
	}
	s.last, s.lastWord, s.arrow = 'a', kind, false
}

// heading takes a heading of Markdown of a level.
func (s *structure) heading(level int) {
	const most = 10 // a heading opens a block of all that is below it
	s.indent = level - most
	s.start('a', plainWord).isNamed = true
}

// operand takes a number or a string.
func (s *structure) operand() {
	now := s.start('0', plainWord)
	if now.isMark && !s.l.layout && s.last != '@' {
		now.isMark = false
	}
	s.name(now)
	s.last, s.arrow = '0', false
}

// name takes what can be the name of a function or a type.
func (s *structure) name(now *statement) {
	if now.isDefining {
		now.isDefining, now.isNamed = false, true
		now.head = s.line
	}
	if now.isTypeWord {
		now.isTypeWord, now.isTyped = false, true
	}
}

// expectsOperand reports whether / or % begins an operand here.
func (s *structure) expectsOperand() bool {
	switch s.last {
	case 'a':
		return s.lastWord == operatorWord || s.lastWord == controlWord
	case '0', ')', ']', '}':
		return s.last == '}' && s.top().now.first == 0
	default:
		return true
	}
}

// mark takes a mark. It reports whether this ends code in a string.
func (s *structure) mark(c byte) (endsCode bool) {
	if s.l.layout {
		s.operator(c)
		return false
	}
	switch c {
	case ')':
		s.pop('(')
	case ']':
		s.pop('[')
	case '}':
		return s.pop('{')
	case ';':
		s.semicolon()
	case ',':
		s.comma()
	default:
		s.operator(c)
	}
	return false
}

func (s *structure) semicolon() {
	top := s.top()
	if top.bracket == '(' || top.bracket == '[' {
		s.last = ';'
		return
	}
	s.start(';', plainWord)
	s.end(s.line)
	s.last = ';'
}

func (s *structure) comma() {
	top := s.top()
	isPart := top.isValue || top.bracket == '(' || top.bracket == '['
	isPart = isPart || s.l.regexp && top.now.byBlock && top.now.ended != 0
	if isPart {
		if top.now.ended == 0 {
			top.now.ended = s.line
		}
		s.end(top.now.ended)
		s.hasCode = true
		s.last = ','
		return
	}
	s.start(',', plainWord)
	s.last = ','
}

// operator takes a mark that separates nothing.
func (s *structure) operator(c byte) {
	now := s.start(c, plainWord)
	isArrow := c == '>' && (s.last == '=' || s.last == '-')
	switch {
	case c == '(':
		s.parenthesis(now)
	case c == '{' || c == '[':
	case c == '<':
		now.angles++
	case c == '>' && !isArrow:
		now.angles = max(now.angles-1, 0)
	case isArrow && s.last == '=':
		now.isLambda = now.isLambda || s.l.arrow
		if s.l.paren && !s.l.arrow {
			now.isFunction = s.isFunction(now, true)
			now.hasBody = true
		}
	case c == ':':
		s.colon(now)
	case c == '=':
		isComparison := strings.IndexByte("=!<>", s.last) >= 0 || strings.IndexByte("=>", s.after) >= 0
		isName := s.lastWord == overloadWord || now.angles > 0 || isComparison
		isValue := !now.hasGroup || !s.l.paren || s.l.regexp
		now.isAssigned = now.isAssigned || isValue && !isName
	}
	if now.isDefining && strings.IndexByte("*&<.[({", c) < 0 {
		s.name(now)
	}
	if now.isMark && !s.l.layout && strings.IndexByte("@.(:", c) < 0 {
		now.isMark = false
	}
	s.arrow = isArrow
	now.isTypeWord = false
	isBracket := c == '(' || c == '[' || c == '{'
	if isBracket && !s.l.layout {
		s.push(c)
		return
	}
	s.last = c
	if c == '&' && s.l.shell && s.after != c {
		s.last = ';'
	}
}

// parenthesis notes that parentheses follow a name.
func (s *structure) parenthesis(now *statement) {
	switch {
	case now.isDefining && s.l.receiver && len(s.levels) == 1:
	case now.isDefining:
		now.isDefining = false
	case s.last != 0 && s.last != '@':
		now.hasGroup = true
		if !now.hasBody && !now.hasColon && !now.isNamed {
			now.head = s.line
		}
	}
}

// colon notes that a name has a value, or passes a label.
func (s *structure) colon(now *statement) {
	if s.last == ':' {
		now.hasColon = false
		return
	}
	isShort := now.isControl || now.words <= 2 && !now.hasGroup
	if now.isLabel && isShort && s.endsInLine() && !s.top().isValue {
		*now = statement{}
		return
	}
	now.hasColon = now.hasGroup
	if s.top().isValue {
		now.isKeyed = true
	}
}

// push opens a level. The statement around it continues after it.
func (s *structure) push(c byte) {
	now := s.start(c, plainWord)
	top := s.top()
	next := level{bracket: c, isCode: top.isCode}
	if c == '{' {
		isBody := now.isNamed && !s.l.regexp // a comma can be before it
		next.isValue = !isBody && s.opensValue()
		if next.isValue {
			next.isCode = next.isCode && !s.l.regexp
		} else {
			s.openBody(now, &next)
		}
	}
	next.isCode = next.isCode || c == '('
	s.last, s.lastWord, s.arrow = 0, plainWord, false
	if len(s.levels) == maxLevels {
		s.deeper++
		return
	}
	s.levels = append(s.levels, next)
}

// openBody decides what the block of a statement is.
func (s *structure) openBody(now *statement, next *level) {
	now.isTypeWord = false
	if s.l.directives && now.isTyped && s.last == ')' {
		now.isTyped = false // struct x *f()
	}
	now.isFunction = s.isFunction(now, true)
	isType := now.isTyped || now.isNew
	next.isCode = !isType && (now.isFunction || now.isControl || s.top().isCode)
	if !now.hasBody {
		now.body = s.line
	}
	now.hasBody = true
}

// opensValue reports whether a brace opens an object rather than a block.
func (s *structure) opensValue() bool {
	switch s.last {
	case '=', '(', '[', ',', ':', '?', '&', '|', '+', '<':
		return !s.arrow
	case '>':
		return false
	case 'a': // also after export default
		return s.l.regexp && (s.lastWord == operatorWord || s.lastWord == labelWord)
	default:
		return len(s.levels) > 1 && s.last == 0 && strings.IndexByte("([", s.top().bracket) >= 0 ||
			s.last == 0 && s.top().isValue
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
	for at > 0 && bracket == '{' && strings.IndexByte("([", s.levels[at].bracket) >= 0 {
		at--
	}
	if !closes(s.levels[at].bracket, bracket) {
		return false
	}
	closed := s.levels[at]
	for len(s.levels) > at {
		s.end(cmp.Or(s.top().now.ended, s.code))
		s.levels = s.levels[:len(s.levels)-1]
	}
	s.code, s.comments = s.line, 0
	now := &s.top().now
	isBlock := closed.bracket == '{' || closed.bracket == 'b'
	if isBlock && !closed.isValue && s.endsInLine() && s.endsWithBlock(now) {
		now.ended, now.byBlock = s.line, true
	}
	s.last, s.lastWord, s.arrow = ends(bracket), plainWord, false
	return closed.bracket == '$'
}

// ends returns the mark that closes what a bracket opens.
func ends(bracket byte) byte {
	switch bracket {
	case '(':
		return ')'
	case '[':
		return ']'
	default:
		return '}'
	}
}

func closes(open, bracket byte) bool {
	return open == bracket || bracket == '{' && open == '$'
}

// endsWithBlock reports whether the block that ends here is the end of its statement.
func (s *structure) endsWithBlock(now *statement) bool {
	return s.l.newline || now.isFunction && !now.isLambda || now.isControl || !now.isAssigned
}

// directive takes a line of a preprocessor: the branches of a condition begin in the same state,
// and the first one counts. It reports false if the line is none.
func (s *structure) directive(line []byte) bool {
	if len(line) == 0 || line[0] != '#' {
		return false
	}
	name, _, _ := strings.Cut(strings.TrimSpace(string(line[1:min(len(line), 20)])), " ")
	n := len(s.branches)
	switch {
	case strings.HasPrefix(name, "if"):
		if n < maxBranches {
			s.branches = append(s.branches, branch{before: s.copyLevels()})
		}
	case n == 0:
	case strings.HasPrefix(name, "el"):
		b := &s.branches[n-1]
		if b.after == nil {
			b.after = s.copyLevels()
		}
		s.restore(b.before)
	case name == "endif":
		s.restore(s.branches[n-1].after)
		s.branches = s.branches[:n-1]
	}
	s.comments = 0
	return true
}

// copyLevels returns a copy of the levels, or nil if too many have been copied.
func (s *structure) copyLevels() []level {
	s.copied += len(s.levels)
	if s.copied > maxCopied {
		return nil
	}
	return slices.Clone(s.levels)
}

// restore returns to a state unless it is unknown.
func (s *structure) restore(levels []level) {
	if levels != nil && s.copied <= maxCopied {
		s.copied += len(levels)
		s.levels = slices.Clone(levels)
	}
}
