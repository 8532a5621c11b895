package blocks

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// A lexer finds the words and the marks of a language, line by line. It is in one text at a time: a
// comment or a string that a later line ends.
type lexer struct {
	l         *Language
	to        *structure
	lexicon   *lexicon
	line      []byte
	at        int
	text      openText
	template  openText // the last text with code in it
	documents []string // the ends of here documents that begin after this line
	failed    *rule    // begins nothing in this line
}

// An openText is a comment or a string whose end has not been seen. Its rule is nil if there is
// none.
type openText struct {
	*rule
	end   string
	begin byte // what begins another one in it, or 0
	depth int  // of those
	next  int  // the number of parts that follow, as in s/.../.../
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\r' }

func isLetter(c byte) bool {
	lower := c | 0x20
	isLatin := 'a' <= lower && lower <= 'z'
	return isLatin || c == '_' || c >= utf8.RuneSelf
}

func isWord(c byte) bool {
	isDigit := '0' <= c && c <= '9'
	return isDigit || isLetter(c)
}

func hasPrefix(b []byte, prefix string) bool {
	return len(b) >= len(prefix) && string(b[:len(prefix)]) == prefix
}

func (x *lexer) start(l *Language, to *structure) {
	x.l, x.to, x.lexicon = l, to, l.ready().lexicon
	if l.isPage {
		x.text = openText{rule: &rule{form: form{is: comment | page}}, end: "<?"}
	}
}

// inText reports whether the next line begins in a comment or a string.
func (x *lexer) inText() bool { return x.text.rule != nil || len(x.documents) > 0 }

// inString reports whether the next line begins in a string.
func (x *lexer) inString() bool {
	return len(x.documents) > 0 || x.text.rule != nil && x.text.is&comment == 0
}

// scan reads a line without its indentation.
func (x *lexer) scan(line []byte) {
	x.line, x.at, x.failed = line, 0, nil
	switch {
	case len(x.documents) > 0:
		if x.endsDocument() {
			x.documents = x.documents[1:]
		}
		x.to.operand()
		return
	case x.text.rule == nil && x.l.isDirective(line):
		x.directive()
	case x.text.rule == nil && x.to.skipped > 0:
		return
	}
	for x.at < len(x.line) {
		if x.text.rule != nil {
			x.pass()
		} else {
			x.token()
		}
	}
	isOver := len(line) == 0 && x.text.rule != nil // after a backslash
	if isOver && x.text.is&oneLine != 0 {
		x.text = openText{}
	}
}

// endsDocument reports whether the line is the end of a here document. Code can follow it in PHP.
func (x *lexer) endsDocument() bool {
	rest, ok := bytes.CutPrefix(bytes.TrimSpace(x.line), []byte(x.documents[0]))
	if len(rest) == 0 {
		return ok
	}
	return ok && x.l.isPage && !isWord(rest[0])
}

// directive reads a line of a preprocessor, which goes on after a backslash or in a comment.
func (x *lexer) directive() {
	x.to.directive(x.line)
	f := form{is: comment | oneLine | escapes}
	if bytes.LastIndex(x.line, []byte("/*")) > bytes.LastIndex(x.line, []byte("*/")) {
		f = starComment
		x.at = len(x.line)
	}
	x.text = openText{rule: &rule{form: f}, end: f.end}
}

// token reads the next word, mark, or beginning of a comment or a string.
func (x *lexer) token() {
	c := x.line[x.at]
	rest := x.line[x.at+1:]
	for _, r := range x.lexicon[c] {
		if x.opens(r) {
			return
		}
	}
	switch {
	case x.l.headings:
		x.at = len(x.line)
		x.to.operand()
	case isWord(c):
		x.word()
	case c == '\\':
		x.at += 2
	case c == '$' && hasPrefix(rest, "{") && !x.l.layout:
		x.at += 2
		x.to.push(codeBracket)
	case isSpace(c), c == '\'':
		x.at++
	default:
		x.at++
		after := byte(' ')
		if len(rest) > 0 {
			after = rest[0]
		}
		if x.to.mark(c, after) { // the code in a string has ended
			x.text = x.template
		}
	}
}

func (x *lexer) word() {
	begin := x.at
	x.skip(func(c byte) bool { return isWord(c) || c == '$' })
	x.to.word(x.line[begin:x.at])
	rest := x.line[x.at:]
	isApostrophe := len(rest) > 1 && rest[0] == '\'' && isLetter(rest[1])
	if x.l.isScript && isApostrophe { // of text in JSX
		x.at++
	}
}

// skip passes the bytes that belong to something.
func (x *lexer) skip(belongs func(c byte) bool) {
	for x.at < len(x.line) && belongs(x.line[x.at]) {
		x.at++
	}
}

// opens begins a text here if the rule applies.
func (x *lexer) opens(r *rule) bool {
	if r == x.failed || !x.mayOpen(r.is) {
		return false
	}
	size, end, ok := r.match(x.line[x.at:])
	if !ok {
		if r.is&operand != 0 {
			x.failed = r
		}
		return false
	}
	last := x.line[x.at+size-1]
	x.at += size
	switch {
	case r.is&heading != 0:
		x.at = 0
		x.skip(func(c byte) bool { return c == '#' })
		x.to.heading(x.at)
		x.at = len(x.line)
	case r.is&document != 0:
		x.documents = append(x.documents, end)
		x.to.operand()
	case r.is&delimited != 0:
		x.delimit(r, last, len(end)-1)
	case r.is&page != 0:
		x.to.mark(separator, ' ')
		x.open(r, end)
	case r.is&comment != 0:
		if r.is&margin == 0 {
			x.to.comment()
		}
		x.open(r, end)
	case r.is&whole != 0:
		x.to.operand()
	default:
		x.open(r, end)
	}
	return true
}

// mayOpen reports whether the traits of a rule allow a text here.
func (x *lexer) mayOpen(is traits) bool {
	before := x.line[:x.at]
	isFirst := len(before) == 0
	switch {
	case is&margin != 0:
		isMargin := x.to.indent == 0 || x.l.layout && x.to.indent < tabWidth
		return isFirst && isMargin
	case is&spaced != 0:
		return isFirst || strings.IndexByte(" \t;(){}", before[x.at-1]) >= 0
	case is&noMember != 0:
		isName := !isFirst && strings.IndexByte("$@%&", before[x.at-1]) >= 0
		return !isName && !bytes.HasSuffix(before, []byte("->"))
	case is&operand != 0:
		return x.to.last != '<' && x.to.expectsOperand()
	default:
		return true
	}
}

func (x *lexer) open(r *rule, end string) {
	x.text = openText{rule: r, end: end}
	switch {
	case r.is&whole != 0, r.is&oneLine != 0 && x.at == len(x.line):
		x.text = openText{}
	case r.is&nests != 0:
		x.text.begin = r.form.begin[0]
	case r.is&code != 0:
		x.template = x.text
	}
}

// delimit opens a text that a delimiter begins, and the same number of others after it.
func (x *lexer) delimit(r *rule, open byte, next int) {
	x.text = openText{rule: r, end: string(open), next: next}
	if i := strings.IndexByte("([{<", open); i >= 0 {
		x.text.end, x.text.begin = ")]}>"[i:i+1], open
	}
}

// pass reads up to the end of the open text, or of the line.
func (x *lexer) pass() {
	t := &x.text
	for i := x.at; i < len(x.line); i++ {
		rest := x.line[i:]
		isEnd := t.end != "" && rest[0] == t.end[0] && hasPrefix(rest, t.end)
		isBegin := t.begin != 0 && rest[0] == t.begin
		switch {
		case rest[0] == '\\' && t.is&escapes != 0:
			if len(rest) == 1 {
				x.at = len(x.line)
				return // the text goes on
			}
			i++
		case isEnd && t.is&doubled != 0 && hasPrefix(rest[1:], t.end):
			i++
		case isEnd && t.depth == 0:
			x.at = i + len(t.end)
			x.close()
			return
		case isEnd:
			t.depth--
			i += len(t.end) - 1
		case isBegin && (t.is&nests == 0 || hasPrefix(rest, t.form.begin)):
			t.depth++
			i += max(len(t.form.begin), 1) - 1
		case t.is&code != 0 && hasPrefix(rest, "${"):
			x.at = i + 2
			x.text = openText{}
			x.to.push(codeBracket)
			return
		}
	}
	x.at = len(x.line)
	if t.is&oneLine != 0 {
		x.close()
	}
}

// close ends the open text.
func (x *lexer) close() {
	t := x.text
	x.text = openText{}
	switch {
	case t.next > 0 && t.begin != 0: // s{...}{...}
		x.skip(isSpace)
		if x.at < len(x.line) {
			x.at++
			x.delimit(t.rule, x.line[x.at-1], t.next-1)
		}
	case t.next > 0:
		t.next--
		x.text = t
	case t.is&margin != 0:
		x.at = len(x.line)
	case t.is&page != 0:
		x.skip(isLetter) // <?php
	case t.is&comment == 0:
		x.to.operand()
	}
}
