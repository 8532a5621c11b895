package blocks

import (
	"bytes"
	"cmp"
	"regexp"
	"strings"
)

// A statement has what has been seen of the current statement of a level. The zero statement has
// not begun.
type statement struct {
	first        int // with the comments above
	head         int // the line with the name of a function
	body         int // the last line of what is before the body
	indent       int
	from         int  // where its words and marks begin in the text of the structure
	angles       int  // that are open
	ended        int  // the line with its end, unless the next token continues it
	byBlock      bool // a block is its end
	isAnnotation bool // it is only an annotation so far
	isControl    bool
	isAssigned   bool // to a name, before any parentheses
	hasGroup     bool // name(...)
	hasColon     bool // after these
	hasBody      bool
	isClosed     bool // its end has been seen in a layout
	is           role // once it has a body
}

// A role says what a statement defines.
type role uint8

const (
	nothing      role = iota
	weakFunction      // unless a function is around it
	strongFunction
)

// A wordKind says what a word means to the statement that it is in.
type wordKind uint8

const (
	plainWord   wordKind = iota
	definesWord          // before the name of a function that needs an end
	controlWord
	middleWord
	operatorWord // an operand follows
	elseWord     // continues what a block ended
	labelWord
	overloadWord // part of the name of a function, or after its parameters
	beginWord
	endWord
)

// A grammar is what a language says about statements, ready for use.
type grammar struct {
	words    map[string]wordKind
	function *regexp.Regexp
	other    *regexp.Regexp // what is no function although name(...) is in it
}

// noMatch is a regular expression that nothing matches.
const noMatch = `[^\s\S]`

func newGrammar(l *Language) *grammar {
	g := &grammar{words: make(map[string]wordKind)}
	// A word of two lists is of the kind that is added last: the language's own lists come after
	// those that all languages share.
	add := func(words string, kind wordKind) {
		for w := range strings.FieldsSeq(words) {
			g.words[w] = kind
		}
	}
	add("return typeof case in of do yield await throw and or not new", operatorWord)
	if !l.layout {
		add("else catch finally where throws extends implements with elif elsif", elseWord)
		add("if for while do switch try case", controlWord)
		add("default", labelWord)
	}
	if l.directives {
		add("operator const override final noexcept", overloadWord)
		add("public private protected signals slots Q_SIGNALS", labelWord)
	}
	add(l.control, controlWord)
	add(l.middle, middleWord)
	if l.begins {
		add("begin case", beginWord)
	}
	if l.begins || l.ends {
		add("end", endWord)
		add("def", definesWord)
	}
	other := `\bnew\b|\bfunction ?\(|=>`
	if l.types != "" {
		other += `|\b(?:` + strings.ReplaceAll(l.types, " ", "|") + `) [\w"]`
	}
	if l.directives {
		other += `[^)]*$` // struct x *f()
	}
	g.function, g.other = regexp.MustCompile(cmp.Or(l.function, noMatch)), regexp.MustCompile(other)
	return g
}

func (g *grammar) kindOf(l *Language, w []byte) wordKind {
	if l.begins {
		w = bytes.ToLower(w)
	}
	return g.words[string(w)]
}

// longName is the words before the parentheses of a function with more than a name.
var longName = regexp.MustCompile(`^[^(]*\w[^(\w]+\w+[^(]*\(`)

// oldParameters is a function of C before its body, with declarations of parameters as before 1989.
var oldParameters = regexp.MustCompile(`^\w[\w *]*\(\)(?:(?:\w+[ *]+)+\w[\w *,\[\]]*;?)+$`)

// roleOf returns what a statement with a body, or the beginning of one, defines by its text.
func (s *structure) roleOf(now *statement, hasBody bool) role {
	text := s.text[now.from:]
	canBeAny := !s.l.layout || len(s.levels) == 1
	canBeNamed := s.l.paren && now.hasGroup && !now.isAssigned
	switch {
	case s.l.any && hasBody && canBeAny:
		return strongFunction
	case s.function.Match(text) && !(now.isControl && s.l.isScript):
		return strongFunction
	case now.isControl:
		return nothing
	case !canBeNamed || s.other.Match(text):
		return nothing
	}
	isLong := longName.Match(text)
	switch {
	case hasBody && (isLong || s.l.isScript):
		return strongFunction
	case hasBody || isLong && !s.l.isScript:
		return weakFunction // or a declaration
	default:
		return nothing
	}
}
