package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"gander/internal/shell/command"
	"gander/internal/shell/glob"
)

// An expander expands words, in counted memory.
type expander struct {
	e       *environment
	account *command.Account // of the fields
	splits  bool             // expansions that are not quoted are split into fields
	// splitsLiterals reports whether text that is not quoted is split, as in ${x:-a b}.
	splitsLiterals bool

	text   []byte
	quoted []bool // which bytes of text are quoted
	held   int    // bytes that the fields hold
	begun  bool   // there is a field, even if it is empty
	fields []glob.Text
}

// fields expands words to arguments, and counts them.
func (e *environment) fields(account *command.Account, words []*syntax.Word) []string {
	var args []string
	x := &expander{e: e, account: e.newAccount("the arguments"), splits: true}
	defer x.account.Release()
	for _, word := range words {
		e.eachBrace(account, word, func(w *syntax.Word) {
			x.parts(w.Parts, true)
			x.end()
			for _, f := range x.fields {
				account.Grab(len(f.Value))
				args = e.addPaths(account, args, f)
			}
			clear(x.fields)
			x.fields = x.fields[:0]
			x.account.Drop(x.held)
			x.held = 0
		})
	}
	return args
}

// addPaths adds the paths that match a field, or its text.
func (e *environment) addPaths(account *command.Account, args []string, f glob.Text) []string {
	var paths []string
	if f.IsPattern() {
		paths = e.glob(account, f)
	}
	if len(paths) == 0 {
		paths = []string{f.Value}
	}
	return command.Append(account, args, paths...)
}

// expand expands a word to one field, without splitting. With tilde, "~" at its beginning is the
// home directory.
func (e *environment) expand(w *syntax.Word, tilde bool) glob.Text {
	if w == nil {
		return glob.Text{}
	}
	if text, ok := plain(w); ok {
		return glob.Text{Value: text}
	}
	account := e.newAccount("an expansion") // the caller counts what it keeps
	defer account.Release()
	x := &expander{e: e, account: account}
	x.parts(w.Parts, tilde)
	return x.whole()
}

// plain returns the text of a word without anything special.
func plain(w *syntax.Word) (string, bool) {
	if len(w.Parts) != 1 {
		return "", false
	}
	lit, ok := w.Parts[0].(*syntax.Lit)
	if !ok || strings.ContainsAny(lit.Value, `\~*?[`) {
		return "", false
	}
	return lit.Value, true
}

func (e *environment) text(w *syntax.Word) string { return e.expand(w, true).Value }

// document expands the text of a here-document.
func (e *environment) document(w *syntax.Word) string {
	account := e.newAccount("a here-document")
	defer account.Release()
	x := &expander{e: e, account: account}
	x.quotedParts(w.Parts, "$`\\")
	return x.whole().Value
}

// add adds text to the field.
func (x *expander) add(s string, isQuoted bool) {
	x.text = append(command.Grow(x.account, x.text, len(s)), s...)
	x.quoted = command.Grow(x.account, x.quoted, len(s))[:len(x.text)]
	marks := x.quoted[len(x.text)-len(s):]
	for i := range marks {
		marks[i] = isQuoted
	}
}

// end ends the field, if there is one.
func (x *expander) end() {
	if !x.begun && len(x.text) == 0 {
		return
	}
	x.account.Grab(2 * len(x.text))
	x.held += 2 * len(x.text)
	f := glob.Text{Value: string(x.text)}
	if strings.ContainsAny(f.Value, `*?[\`) {
		f.Quoted = slices.Clone(x.quoted)
	}
	x.fields = command.Append(x.account, x.fields, f)
	x.text, x.quoted, x.begun = x.text[:0], x.quoted[:0], false
}

// pattern compiles a word.
func (e *environment) pattern(w *syntax.Word) *glob.Pattern {
	return compilePattern(e.expand(w, true))
}

func compilePattern(t glob.Text) *glob.Pattern {
	p, err := glob.Compile(t, false)
	if err != nil {
		panic(command.Abort{Err: err})
	}
	return p
}

// whole returns what was added without splitting.
func (x *expander) whole() glob.Text { return glob.Text{Value: string(x.text), Quoted: x.quoted} }

// value adds the value of an expansion.
func (x *expander) value(s string, isQuoted bool) {
	if isQuoted || !x.splits {
		x.add(s, isQuoted)
		return
	}
	x.split(s)
}

// split adds the value of an expansion that is not quoted, split at the characters of IFS.
func (x *expander) split(s string) {
	fields := splitter{line: glob.Text{Value: s}, separators: x.e.separators()}
	for fields.at < len(s) {
		x.account.Tick()
		x.add(fields.next(), false)
		if fields.at == len(s) {
			return
		}
		x.begun = fields.skip(1) || x.begun
		x.end()
	}
}

// whiteSpace is what separates fields unless a script sets IFS.
const whiteSpace = " \t\n"

// separators returns the characters that separate fields.
func (e *environment) separators() string {
	separators, isSet := e.value("IFS")
	if !isSet {
		return whiteSpace
	}
	return separators
}
