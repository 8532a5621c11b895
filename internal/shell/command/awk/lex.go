package awk

import (
	"fmt"
	"regexp"
	"strings"

	"gander/internal/shell/command"
)

// A tokenKind is the kind of a token.
type tokenKind uint8

const (
	end tokenKind = iota
	newline
	numeral
	quoted
	ere
	name   // of a variable
	called // the name of a function of the program, before a parenthesis
	builtin
	keyword
	operator // also punctuation
)

// A token is a word of a program. The text of a quoted one is without its escapes.
type token struct {
	kind tokenKind
	text string
	line int
}

func (t token) is(text string) bool { return t.kind >= keyword && t.text == text }

const (
	keywords = " BEGIN END if else while for do break continue next nextfile exit delete in print " +
		"printf function func return getline "
	// absent are the words that have a meaning in gawk that they do not have here.
	absent = " BEGINFILE ENDFILE switch case default system " +
		"rand srand gensub asort asorti patsplit strtonum strftime systime mktime and or xor compl " +
		"lshift rshift typeof isarray mkbool bindtextdomain dcgettext dcngettext " +
		"ARGIND BINMODE ERRNO FIELDWIDTHS FPAT FUNCTAB IGNORECASE LINT PREC PROCINFO ROUNDMODE RT " +
		"SYMTAB TEXTDOMAIN "
	operators = "**= ** ++ -- += -= *= /= %= ^= == <= >= != !~ && || >> |& " +
		"{ } ( ) [ ] ; , + - * / % ^ ! > < | ? : ~ $ ="
)

// A lexer reads the tokens of a program.
type lexer struct {
	source  string
	at      int
	line    int
	last    token // decides whether a slash begins an expression
	symbols []string
	notices []notice
}

// A notice is a warning about a line of a program.
type notice struct {
	line int
	text string
}

func (l *lexer) warn(text string) { l.notices = append(l.notices, notice{l.line, text}) }

func (l *lexer) fail(format string, a ...any) {
	text := fmt.Sprintf(format, a...)
	if !strings.Contains(text, ";") {
		text += "; correct it"
	}
	command.Fail(command.Refuse("awk: line %d of the program: %s", l.line, text))
}

func (l *lexer) checkQuoted(text string) {
	if err := checkQuoted(text); err != nil {
		command.Fail(err)
	}
}

// The forms of tokens, and of what is between them.
var (
	blankForm   = regexp.MustCompile(`^([ \t\r]|\\\n|#[^\n]*)*`)
	wordForm    = regexp.MustCompile(`^[A-Za-z_][A-Za-z_0-9]*`)
	quotedForm  = regexp.MustCompile(`(?s)^"([^"\\\n]|\\.)*"`)
	ereForm     = regexp.MustCompile(`(?s)^/([^/\\\[\n]|\\.|\[\^?\]?([^\]\\\n]|\\.)*\])*/`)
	escapedForm = regexp.MustCompile(`(?s)\\.`)
)

// match consumes what a form matches, and counts its lines.
func (l *lexer) match(form *regexp.Regexp) string {
	text := form.FindString(l.source[l.at:])
	l.at += len(text)
	l.line += strings.Count(text, "\n")
	return text
}

func (l *lexer) next() token {
	l.match(blankForm)
	t := l.read()
	t.line = l.line
	l.last = t
	if t.kind == newline {
		l.line++
	}
	return t
}

func (l *lexer) read() token {
	if l.at >= len(l.source) {
		return token{kind: end}
	}
	rest := l.source[l.at:]
	c := rest[0]
	switch {
	case c == '\n':
		l.at++
		return token{kind: newline, text: "\n"}
	case c == '"':
		text := l.match(quotedForm)
		if text == "" {
			l.fail("a string has no end")
		}
		l.checkQuoted(text)
		return token{kind: quoted, text: unescape(text[1:len(text)-1], l.warn)}
	case c == '/' && l.beginsEre():
		return token{kind: ere, text: l.ere()}
	case isLetter(c):
		return l.word()
	case isDigit(c), c == '.' && len(rest) > 1 && isDigit(rest[1]):
		return l.numeral(rest)
	}
	for _, symbol := range l.symbols {
		if strings.HasPrefix(rest, symbol) {
			l.at += len(symbol)
			return token{kind: operator, text: symbol}
		}
	}
	l.fail("%q is not expected", c)
	return token{}
}

func (l *lexer) numeral(rest string) token {
	size := numberSize(rest)
	isDecimal := rest[0] != '0' || len(rest) == 1 || strings.IndexByte("xX01234567", rest[1]) < 0
	if !isDecimal {
		l.fail("hexadecimal and octal numbers are not available here; write a decimal one")
	}
	l.at += size
	return token{kind: numeral, text: rest[:size]}
}

// beginsEre reports whether a slash is not a division: no operand is before it.
func (l *lexer) beginsEre() bool {
	switch l.last.kind {
	case numeral, quoted, ere, name, builtin:
		return false
	}
	switch l.last.text {
	case ")", "]", "$", "++", "--":
		return l.last.kind != operator
	}
	return true
}

func (l *lexer) word() token {
	word := l.match(wordForm)
	kind := kindOf(word)
	switch {
	case kind == end:
		l.fail("%s is not available here; leave it out, or do it with a pipe", word)
	case kind == name && strings.HasPrefix(l.source[l.at:], "("):
		kind = called
	}
	return token{kind: kind, text: word}
}

// kindOf returns what a word is: a keyword, a builtin, a name, or end for what is absent here.
func kindOf(word string) tokenKind {
	_, isBuiltin := builtins[word]
	switch {
	case strings.Contains(absent, " "+word+" "):
		return end
	case strings.Contains(keywords, " "+word+" "):
		return keyword
	case isBuiltin:
		return builtin
	}
	return name
}

// ere reads a regular expression between slashes. A slash in brackets does not end it, and one that
// is escaped stands for itself.
func (l *lexer) ere() string {
	text := l.match(ereForm)
	if text == "" {
		l.fail("a regular expression has no end")
	}
	l.checkQuoted(text)
	checkEscapes(text[1:len(text)-1], l.warn)
	return escapedForm.ReplaceAllStringFunc(text[1:len(text)-1], func(s string) string {
		if s == `\/` {
			return "/"
		}
		return s
	})
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isLetter(c byte) bool { return c == '_' || c|0x20 >= 'a' && c|0x20 <= 'z' }
