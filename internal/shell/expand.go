package shell

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

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
	return x.joined()
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
	return x.joined().Value
}

// add adds text to the field.
func (x *expander) add(s string, isQuoted bool) {
	if need := len(x.text) + len(s); need > cap(x.text) {
		size := max(need, 2*cap(x.text), 64)
		x.account.Grab(2 * size)
		text, quoted := make([]byte, len(x.text), size), make([]bool, len(x.text), size)
		copy(text, x.text)
		copy(quoted, x.quoted)
		x.account.Drop(2 * cap(x.text))
		x.text, x.quoted = text, quoted
	}
	x.text = append(x.text, s...)
	x.quoted = x.quoted[:len(x.text)]
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

// joined returns the fields as one, with spaces between them.
func (x *expander) joined() glob.Text {
	if len(x.fields) == 0 {
		return glob.Text{Value: string(x.text), Quoted: x.quoted}
	}
	x.end()
	fields := x.fields
	x.fields = nil
	for i, f := range fields {
		if i > 0 {
			x.add(" ", true)
		}
		x.add(f.Value, true)
	}
	return glob.Text{Value: string(x.text), Quoted: x.quoted}
}

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
	separators := x.e.separators()
	for s != "" {
		x.account.Tick()
		n := strings.IndexAny(s, separators)
		if n < 0 {
			x.add(s, false)
			return
		}
		x.add(s[:n], false)
		rest, isHard := cutSeparator(s[n:], separators)
		x.begun = x.begun || isHard
		x.end()
		s = rest
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

// cutSeparator cuts off what separates two fields: white space, with at most one other separator.
func cutSeparator(s, separators string) (rest string, isHard bool) {
	for s != "" {
		r, n := utf8.DecodeRuneInString(s)
		isSpace := r == ' ' || r == '\t' || r == '\n'
		if !strings.ContainsRune(separators, r) || !isSpace && isHard {
			break
		}
		isHard = isHard || !isSpace
		s = s[n:]
	}
	return s, isHard
}

// parts adds parts that are not inside quotes. With tilde, "~" at the beginning is the home
// directory.
func (x *expander) parts(parts []syntax.WordPart, tilde bool) {
	for i, p := range parts {
		switch p := p.(type) {
		case *syntax.Lit:
			text := p.Value
			hasTilde := strings.HasPrefix(text, "~/") || text == "~" && len(parts) == 1
			if user := userOf(parts); tilde && user != "" {
				panic(command.Abort{Err: refuseUser(user)})
			}
			if tilde && hasTilde && i == 0 {
				home, _ := x.e.value("HOME")
				x.add(home, true)
				text = text[1:]
			}
			x.literal(text)
		case *syntax.SglQuoted:
			x.begun = true
			x.add(singleQuoted(p), true)
		case *syntax.DblQuoted:
			x.begun = x.begun || !isAllParameters(p.Parts)
			x.quotedParts(p.Parts, "$`\\\"")
		default:
			x.part(p, false)
		}
	}
}

// userOf returns the name in ~NAME at the beginning of a word, or "".
func userOf(parts []syntax.WordPart) string {
	if len(parts) == 0 {
		return ""
	}
	lit, ok := parts[0].(*syntax.Lit)
	if !ok || !strings.HasPrefix(lit.Value, "~") {
		return ""
	}
	name, _, isPath := strings.Cut(lit.Value[1:], "/")
	if strings.Contains(name, `\\`) || !isPath && len(parts) > 1 {
		return ""
	}
	return name
}

func refuseUser(name string) error {
	return command.Refuse("~%s: only ~ and ~/ are available here; write the path, or quote it", name)
}

// isAllParameters reports whether quoted parts are only $@, which can be no field.
func isAllParameters(parts []syntax.WordPart) bool {
	if len(parts) != 1 {
		return false
	}
	p, ok := parts[0].(*syntax.ParamExp)
	return ok && p.Param.Value == "@"
}

// literal adds text in which a backslash quotes the next character.
func (x *expander) literal(s string) {
	for s != "" {
		n := strings.IndexByte(s, '\\')
		if n < 0 {
			x.unquoted(s)
			return
		}
		x.unquoted(s[:n])
		if s = s[n+1:]; s == "" {
			x.add(`\`, true)
			return
		}
		_, size := utf8.DecodeRuneInString(s)
		x.add(s[:size], true)
		s = s[size:]
	}
}

// unquoted adds text that is not quoted.
func (x *expander) unquoted(s string) {
	if x.splitsLiterals {
		x.split(s)
	} else {
		x.add(s, false)
	}
}

// quotedParts adds parts inside double quotes, where a backslash quotes the characters of escapes.
func (x *expander) quotedParts(parts []syntax.WordPart, escapes string) {
	for _, p := range parts {
		switch p := p.(type) {
		case *syntax.Lit:
			x.add(quotedText(p.Value, escapes), true)
		case *syntax.SglQuoted: // in "${x:-'y'}"
			x.add("'"+p.Value+"'", true)
		case *syntax.DblQuoted:
			x.quotedParts(p.Parts, escapes)
		default:
			x.part(p, true)
		}
	}
}

// quotedText interprets backslashes inside double quotes. They quote the characters of escapes.
func quotedText(s, escapes string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	for {
		n := strings.IndexByte(s, '\\')
		if n < 0 || n == len(s)-1 {
			b.WriteString(s)
			return b.String()
		}
		b.WriteString(s[:n])
		next := s[n+1]
		switch {
		case next == '\n':
		case strings.IndexByte(escapes, next) >= 0:
			b.WriteByte(next)
		default:
			b.WriteString(s[n : n+2])
		}
		s = s[n+2:]
	}
}

func singleQuoted(q *syntax.SglQuoted) string {
	if !q.Dollar {
		return q.Value
	}
	text, _ := unescape(q.Value, escapesOfQuotes)
	text, _, _ = strings.Cut(text, "\x00")
	return text
}

// part adds the value of an expansion.
func (x *expander) part(p syntax.WordPart, isQuoted bool) {
	x.e.enter()
	defer x.e.ascend()
	switch p := p.(type) {
	case *syntax.ParamExp:
		x.parameter(p, isQuoted)
	case *syntax.CmdSubst:
		x.value(x.substitution(p), isQuoted)
	case *syntax.ArithmExp:
		x.value(strconv.FormatInt(x.e.number(p.X), 10), isQuoted)
	case *syntax.ProcSubst:
		x.add(x.e.process(p), true)
	default:
		refuse("line %d: this kind of expansion is not available here", x.e.line)
	}
}

// substitution returns what commands print.
func (x *expander) substitution(p *syntax.CmdSubst) string {
	e := x.e
	text := e.capture(x.account, func(s *environment) {
		s.options.errexit = false // as in bash outside of its POSIX mode
		if name := readsFile(p); name != nil {
			s.status = s.command([]string{"cat", "--", s.text(name)}, s.in, nil)
			return
		}
		s.contain(func() { s.statements(p.Stmts) })
	})
	status := e.status
	e.substituted = &status
	return text
}

// readsFile returns the name in $(<NAME), or nil.
func readsFile(p *syntax.CmdSubst) *syntax.Word {
	if len(p.Stmts) != 1 || p.Stmts[0].Cmd != nil || len(p.Stmts[0].Redirs) != 1 {
		return nil
	}
	redirect := p.Stmts[0].Redirs[0]
	if redirect.Op != syntax.RdrIn || redirect.N != nil {
		return nil
	}
	return redirect.Word
}

// process runs a process substitution, and returns the path of its output. The commands end before
// that is read.
func (e *environment) process(p *syntax.ProcSubst) string {
	status := e.status
	text := &capture{account: e.newAccount("<( )")}
	name := "/dev/fd/" + strconv.Itoa(63-len(e.processes))
	e.processes = append(e.processes, process{name: name, account: text.account})
	e.subshell(func(s *environment) {
		s.out = text
		s.contain(func() { s.statements(p.Stmts) })
	})
	e.status = status
	e.files.Special[name] = text.once()
	return name
}

// A process is a process substitution, which exists until its command has ended.
type process struct {
	name    string
	account *command.Account
}

// endProcesses ends the process substitutions after the first n.
func (e *environment) endProcesses(n int) {
	for _, p := range e.processes[n:] {
		delete(e.files.Special, p.name)
		p.account.Release()
	}
	e.processes = e.processes[:n]
}
