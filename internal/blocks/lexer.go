package blocks

import (
	"bytes"
	"strings"
)

// A lexer finds the words and the marks of a language, line by line. It is in one text at a time: a
// comment or a string that a later line ends.
type lexer struct {
	l     *Language
	to    *structure
	line  []byte
	at    int
	text  openText
	docs  []hereDoc // the here documents that begin after this line
	ended bool      // no code follows
	macro bool      // the directive goes on in the next line
	fence string    // which is open in Markdown, or ""
	noEnd bool      // no regular expression ends in this line
}

// An openText is a comment or a string whose end has not been seen. The zero openText is none.
type openText struct {
	end       string // what ends it
	escapes   bool   // a backslash hides the next character
	isComment bool
	isCode    bool   // ${...} in it is code
	nests     string // what begins another one in it
	depth     int    // of those
	next      int    // the number of parts that follow, as in s/.../.../
}

// A hereDoc ends with a line that is its name.
type hereDoc string

// The classes of bytes.
const (
	other byte = iota
	space
	letter
	digit
)

func classOf(c byte) byte { return classes[c] }

// classes has the class of each byte.
var classes = func() (table [256]byte) {
	for i := range table {
		switch c := byte(i); {
		case c == ' ' || c == '\t' || c == '\r':
			table[i] = space
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', c == '_', c >= 0x80:
			table[i] = letter
		case '0' <= c && c <= '9':
			table[i] = digit
		}
	}
	return table
}()

func isWord(c byte) bool { return classOf(c) >= letter }

func (x *lexer) begin(l *Language, to *structure) {
	x.l, x.to = l, to
	if l.php {
		x.text = openText{end: "<?", isComment: true}
	}
}

// inText reports whether the next line begins in a comment or a string.
func (x *lexer) inText() bool { return x.text.end != "" || len(x.docs) > 0 || x.ended }

// inString reports whether the next line begins in a string.
func (x *lexer) inString() bool { return x.inText() && !x.text.isComment && !x.ended }

// scan reads a line without its indentation.
func (x *lexer) scan(line []byte) {
	x.line, x.at, x.noEnd = line, 0, false
	switch {
	case x.ended:
		return
	case len(line) == 0:
		x.macro = false
		return
	case x.fence != "":
		x.inFence()
		return
	case x.macro:
		x.macro = bytes.HasSuffix(line, []byte(`\`))
		return
	case len(x.docs) > 0:
		if string(bytes.TrimSpace(line)) == string(x.docs[0]) || x.endsPHPDoc() {
			x.docs = x.docs[1:]
			x.to.operand()
		}
		return
	case x.text.end == "" && x.wholeLine():
		return
	}
	for x.at < len(x.line) {
		if x.text.end != "" {
			x.pass()
			continue
		}
		x.token()
	}
}

// endsPHPDoc passes the name of a here document that code follows.
func (x *lexer) endsPHPDoc() bool {
	rest, ok := bytes.CutPrefix(x.line, []byte(x.docs[0]))
	return x.l.php && ok && (len(rest) == 0 || !isWord(rest[0]))
}

// wholeLine passes a line that is a directive, or begins documentation or the end of the code.
func (x *lexer) wholeLine() bool {
	l, line := x.l, x.line
	switch {
	case l.directives && x.to.directive(line):
		x.macro = bytes.HasSuffix(line, []byte(`\`))
		if bytes.LastIndex(line, []byte("/*")) > bytes.LastIndex(line, []byte("*/")) {
			x.text = openText{end: "*/", isComment: true}
		}
		return true
	case l.perl && len(line) > 1 && line[0] == '=' && classOf(line[1]) == letter && x.to.indent == 0:
		x.text = openText{end: "=cut", isComment: true}
		return true
	case l.percent && bytes.HasPrefix(line, []byte("=begin")) && x.to.indent == 0:
		x.text = openText{end: "=end", isComment: true}
		return true
	case l.headings:
		x.markdown()
		return true
	}
	x.ended = (l.perl || l.percent) && (bytes.HasPrefix(line, []byte("__END__")) ||
		bytes.HasPrefix(line, []byte("__DATA__")))
	return x.ended
}

// markdown reads a line of Markdown: a heading, or what opens a block of code. Its fence is at
// least as long at its end.
func (x *lexer) markdown() {
	rest := bytes.TrimLeft(x.line, "#")
	level := len(x.line) - len(rest)
	isHeading := 0 < level && level <= 6 && x.to.indent < tabWidth
	switch {
	case isHeading && (len(rest) == 0 || rest[0] == ' '):
		x.to.heading(level)
	default:
		x.to.operand()
	}
	for _, mark := range []string{"`", "~"} {
		rest := bytes.TrimLeft(x.line, mark)
		length := len(x.line) - len(rest)
		if length >= 3 && (mark == "~" || !bytes.Contains(rest, []byte(mark))) {
			x.fence = strings.Repeat(mark, length)
		}
	}
}

// inFence passes a line of a block of code in Markdown.
func (x *lexer) inFence() {
	mark := x.fence[:1]
	rest := bytes.TrimLeft(x.line, mark)
	isEnd := len(x.line)-len(rest) >= len(x.fence) && len(bytes.TrimSpace(rest)) == 0
	if isEnd {
		x.fence = ""
	}
	x.to.operand()
}

// pass reads up to the end of the open text, or of the line.
func (x *lexer) pass() {
	t := &x.text
	for i := x.at; i < len(x.line); i++ {
		c := x.line[i]
		rest := x.line[i:]
		switch {
		case c == '\\' && t.escapes:
			i++
		case c == t.end[0] && hasPrefix(rest, t.end) && t.depth > 0:
			t.depth--
			i += len(t.end) - 1
		case c == t.end[0] && hasPrefix(rest, t.end):
			x.at = i + len(t.end)
			x.close()
			return
		case t.nests != "" && c == t.nests[0] && hasPrefix(rest, t.nests):
			t.depth++
			i += len(t.nests) - 1
		case t.isCode && c == '$' && hasPrefix(rest, "${"):
			x.at = i + 2
			x.text = openText{}
			x.to.push('$')
			return
		}
	}
	x.at = len(x.line)
}

// close ends the open text.
func (x *lexer) close() {
	t := x.text
	x.text = openText{}
	switch {
	case t.next > 0 && t.nests != "": // s{...}{...}
		for x.at < len(x.line) && classOf(x.line[x.at]) == space {
			x.at++
		}
		if x.at < len(x.line) {
			x.at++
			x.delimited(x.line[x.at-1], t.next-1)
		}
	case t.next > 0:
		t.next--
		x.text = t
	case x.l.perl && t.end == "=cut", x.l.percent && t.end == "=end":
		x.at = len(x.line)
	case x.l.php && t.end == "<?":
		x.at += len("php")
	case !t.isComment:
		x.to.operand()
	}
}

// delimited opens a text that a delimiter begins, and the same number of others after it.
func (x *lexer) delimited(open byte, next int) {
	x.text = openText{end: string(open), escapes: true, next: next}
	if i := strings.IndexByte("([{<", open); i >= 0 {
		x.text.end, x.text.nests = ")]}>"[i:i+1], string(open)
	}
}

func hasPrefix(b []byte, prefix string) bool {
	return len(b) >= len(prefix) && string(b[:len(prefix)]) == prefix
}

// hasOne returns the one of several prefixes, with spaces between them, that b has, or "".
func hasOne(b []byte, prefixes string) string {
	for prefix := range strings.FieldsSeq(prefixes) {
		if prefix[0] == b[0] && hasPrefix(b, prefix) {
			return prefix
		}
	}
	return ""
}

// token reads the next word, mark, string or comment.
func (x *lexer) token() {
	c := x.line[x.at]
	switch classOf(c) {
	case space:
		x.at++
	case letter:
		x.word()
	case digit:
		x.number()
	default:
		x.mark(c)
	}
}

func (x *lexer) number() {
	for x.at < len(x.line) && (isWord(x.line[x.at]) || x.isSeparator()) {
		x.at++
	}
	x.to.operand()
}

// isSeparator reports whether ' is between digits.
func (x *lexer) isSeparator() bool {
	next := x.at + 1
	return x.l.char && x.line[x.at] == '\'' && next < len(x.line) && classOf(x.line[next]) == digit
}

func (x *lexer) word() {
	start := x.at
	for x.at < len(x.line) && (isWord(x.line[x.at]) || x.line[x.at] == '$') {
		x.at++
	}
	w := x.line[start:x.at]
	rest := x.line[x.at:]
	switch {
	case len(rest) == 0:
	case x.l.perl && !x.isMember(start) && x.perlQuote(w, rest):
		return
	case len(w) <= 3 && x.rawString(w, rest):
		return
	case x.l.regexp && rest[0] == '\'' && len(rest) > 1 && classOf(rest[1]) == letter:
		x.at++ // an apostrophe of text in JSX
	}
	x.to.word(w)
}

// rawString opens r"..." and r#"..."#, and R"x(...)x" of C++.
func (x *lexer) rawString(w, rest []byte) bool {
	last := w[len(w)-1]
	marks := len(rest) - len(bytes.TrimLeft(rest, "#"))
	isQuoted := marks < len(rest) && rest[marks] == '"'
	switch {
	case !isQuoted || !x.l.char:
		return false
	case last == 'R' && marks == 0 && x.l.directives:
		name, _, ok := bytes.Cut(rest[1:], []byte("("))
		if !ok || len(name) > 16 {
			return false
		}
		x.at += 2 + len(name)
		x.text = openText{end: ")" + string(name) + `"`}
		return true
	case last == 'r' && x.l.nested:
		x.at += marks + 1
		x.text = openText{end: `"` + strings.Repeat("#", marks)}
		return true
	default:
		return false
	}
}

// isMember reports whether the word that begins at an offset is a variable or a method of Perl.
func (x *lexer) isMember(start int) bool {
	before := x.line[:start]
	isVariable := start > 0 && strings.IndexByte("$@%&", before[start-1]) >= 0
	return isVariable || bytes.HasSuffix(before, []byte("->"))
}

// perlQuote opens q(...), qw(...), s/.../.../ and their like.
func (x *lexer) perlQuote(w, rest []byte) bool {
	parts := 0
	switch string(w) {
	case "q", "qq", "qw", "qr", "m":
	case "s", "y", "tr":
		parts = 1
	default:
		return false
	}
	begin := bytes.TrimLeft(rest, " \t")
	isSpaced := len(begin) < len(rest)
	isOther := len(begin) == 0 || classOf(begin[0]) != other || hasPrefix(begin, "=>")
	if isOther || strings.IndexByte(",;)}", begin[0]) >= 0 {
		return false
	}
	if isSpaced && strings.IndexByte("#=", begin[0]) >= 0 {
		return false
	}
	x.at = len(x.line) - len(begin) + 1
	x.delimited(begin[0], parts)
	return true
}

// mark reads what is neither a word nor space.
func (x *lexer) mark(c byte) {
	l, rest := x.l, x.line[x.at:]
	switch {
	case l.longBracket && x.longBracket(rest):
		return
	case l.line != "" && x.isLineComment(rest):
		x.to.comment()
		x.at = len(x.line)
		if i := bytes.Index(rest, []byte("?>")); l.php && i >= 0 {
			x.at -= len(rest) - i
		}
		return
	case l.comment[0] != "" && c == l.comment[0][0] && hasPrefix(rest, l.comment[0]):
		x.to.comment()
		x.at += len(l.comment[0])
		x.text = openText{end: l.comment[1], isComment: true}
		if l.nested {
			x.text.nests = l.comment[0]
		}
		return
	case l.php && hasPrefix(rest, "?>"):
		x.at += 2
		x.to.mark(';')
		x.text = openText{end: "<?", isComment: true}
		return
	case l.hereDoc != "" && c == '<' && x.hereDoc(rest):
		return
	case x.quoted(c, rest):
		return
	case c == '/' && (l.regexp || l.perl) && x.regularExpression(rest):
		return
	case c == '$' && l.perl && len(rest) > 1 && strings.IndexByte("\"'`/\\#&!<>|@", rest[1]) >= 0:
		x.at += 2
		x.to.operand()
		return
	case c == '$' && len(rest) > 1 && rest[1] == '{' && !l.layout:
		x.at += 2
		x.to.push('$')
		return
	case c == '\\':
		x.at += 2
		return
	}
	x.at++
	x.to.after = ' '
	if len(rest) > 1 {
		x.to.after = rest[1]
	}
	if x.to.mark(c) && l.template { // the code in a string has ended
		x.text = openText{end: "`", escapes: true, isCode: true}
	}
}

// isLineComment reports whether a comment of one line begins here. After a word, # begins none.
func (x *lexer) isLineComment(rest []byte) bool {
	mark := hasOne(rest, x.l.line)
	switch {
	case mark == "":
		return false
	case mark == "#":
		isAttribute := x.l.php && hasPrefix(rest, "#[")
		return !isAttribute && (x.at == 0 || strings.IndexByte(" \t;(){}", x.line[x.at-1]) >= 0)
	case mark == "//" && x.l.any: // part of an address in CSS
		return x.at == 0 || x.line[x.at-1] != ':'
	default:
		return true
	}
}

// longBracket opens [[...]] and [==[...]==], or a comment of this form.
func (x *lexer) longBracket(rest []byte) bool {
	begin, isComment := bytes.CutPrefix(rest, []byte("--"))
	outer, ok := bytes.CutPrefix(begin, []byte("["))
	inner := bytes.TrimLeft(outer, "=")
	if !ok || !hasPrefix(inner, "[") {
		return false
	}
	if isComment {
		x.to.comment()
	}
	level := len(outer) - len(inner)
	x.at = len(x.line) - len(inner) + 1
	x.text = openText{end: "]" + strings.Repeat("=", level) + "]", isComment: isComment}
	return true
}

// hereDoc notes the name of a here document, as in <<EOF, <<-"EOF" and <<~eof. In Perl and Ruby, <<
// can also shift, so that a plain name has capital letters.
func (x *lexer) hereDoc(rest []byte) bool {
	after, ok := bytes.CutPrefix(rest, []byte(x.l.hereDoc))
	if !ok || hasPrefix(after, "<") {
		return false
	}
	name := bytes.TrimLeft(after, "-~")
	isMarked := len(name) < len(after)
	if !x.l.percent {
		name = bytes.TrimLeft(name, " ")
	}
	quoted := bytes.TrimLeft(name, "\"'`\\")
	isMarked = isMarked || len(quoted) < len(name)
	size := 0
	for size < len(quoted) && isWord(quoted[size]) {
		size++
	}
	name = quoted[:size]
	canShift := x.l.perl || x.l.percent
	switch {
	case size == 0 || classOf(name[0]) == digit:
		return false
	case canShift && !isMarked && !bytes.Equal(name, bytes.ToUpper(name)):
		return false
	}
	x.docs = append(x.docs, hereDoc(name))
	x.at = len(x.line) - len(quoted) + size
	if x.at < len(x.line) && strings.IndexByte("\"'`", x.line[x.at]) >= 0 {
		x.at++
	}
	x.to.operand()
	return true
}

// quoted reads or opens a string.
func (x *lexer) quoted(c byte, rest []byte) bool {
	l := x.l
	isIn := func(set string) bool { return strings.IndexByte(set, c) >= 0 }
	switch {
	case c == '$' && l.dollars:
		return x.dollars(rest)
	case c == '%' && l.percent:
		return x.percent(rest)
	case isIn(l.tripled) && len(rest) > 2 && rest[1] == c && rest[2] == c:
		x.at += 3
		x.text = openText{end: strings.Repeat(string(c), 3)}
	case isIn(l.raw):
		x.at++
		x.text = openText{end: string(c), escapes: l.template, isCode: l.template}
	case isIn(l.long):
		x.at++
		x.text = openText{end: string(c), escapes: true}
	case c == '\'' && l.char:
		x.character(rest)
	case !isIn(l.quotes):
		return false
	case c == '"' && l.char && x.isVerbatim():
		x.at++
		x.text = openText{end: `"`}
	default:
		x.shortString(c, rest)
	}
	return true
}

// dollars opens $x$...$x$.
func (x *lexer) dollars(rest []byte) bool {
	name, _, ok := bytes.Cut(rest[1:], []byte("$"))
	if !ok || bytes.ContainsFunc(name, func(r rune) bool { return r < 0x80 && !isWord(byte(r)) }) {
		return false
	}
	x.at += len(name) + 2
	x.text = openText{end: "$" + string(name) + "$"}
	return true
}

// percent opens %w(...), or %(...) where an operand is expected.
func (x *lexer) percent(rest []byte) bool {
	begin := bytes.TrimLeft(rest[1:], "wWiIqQr")
	size := len(rest) - len(begin)
	isSigned := size == 2 || size == 1 && x.to.expectsOperand()
	if !isSigned || len(begin) == 0 || strings.IndexByte("([{<|!", begin[0]) < 0 {
		return false
	}
	x.at += size + 1
	x.delimited(begin[0], 0)
	return true
}

// isVerbatim reports whether @ is before the string of C#.
func (x *lexer) isVerbatim() bool {
	before := bytes.TrimRight(x.line[:x.at], "$")
	return bytes.HasSuffix(before, []byte("@"))
}

// character reads 'x', or only the mark of a name such as 'a in Rust.
func (x *lexer) character(rest []byte) {
	end := bytes.IndexByte(rest[1:], '\'')
	isEscape := len(rest) > 1 && rest[1] == '\\'
	if isEscape && len(rest) > 2 {
		end = bytes.IndexByte(rest[3:], '\'') + 2
	}
	if end < 0 || (!isEscape && end > 4) {
		x.at++
		return
	}
	x.at += end + 2
	x.to.operand()
}

// shortString reads a string that ends in this line, unless its end is escaped.
func (x *lexer) shortString(quote byte, rest []byte) {
	for i := 1; i < len(rest); i++ {
		switch rest[i] {
		case '\\':
			i++
			if i == len(rest) {
				x.text = openText{end: string(quote), escapes: true}
			}
		case quote:
			x.at += i + 1
			x.to.operand()
			return
		}
	}
	x.at = len(x.line)
	x.to.operand()
}

// regularExpression reads /.../ if an operand is expected here.
func (x *lexer) regularExpression(rest []byte) bool {
	if x.noEnd || x.to.last == '<' || !x.to.expectsOperand() {
		return false
	}
	inClass := false
	for i := 1; i < len(rest); i++ {
		switch c := rest[i]; {
		case c == '\\':
			i++
		case c == '[':
			inClass = true
		case c == ']':
			inClass = false
		case c == '/' && !inClass:
			x.at += i + 1
			x.to.operand()
			return true
		}
	}
	x.noEnd = true
	return false
}
