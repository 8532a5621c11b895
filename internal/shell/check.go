package shell

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"gander/internal/files/text"
	"gander/internal/shell/command"
)

const (
	maxProblems = 5   // in one refusal
	maxNesting  = 400 // nodes of a script in each other
)

// check returns an error with what is not available here in a script, except for what depends on
// values.
func (e *environment) check(file *syntax.File) error {
	c := checker{e: e, functions: make(map[string]bool)}
	c.file(file)
	switch len(c.problems) {
	case 0:
		return nil
	case 1:
		return command.Refuse("%s", c.problems[0])
	}
	list := strings.Join(c.problems, "\n- ") // each is one line
	return command.Refusal{Text: fmt.Sprintf("%d problems\n- %s", len(c.problems), list)}
}

// A checker finds what is not available here.
type checker struct {
	e         *environment
	functions map[string]bool // of the script
	late      bool            // functions can come from a file or from eval
	problems  []string
	depth     int
}

func (c *checker) file(file *syntax.File) {
	syntax.Walk(file, c.declaration)
	syntax.Walk(file, c.node)
}

func (c *checker) declaration(n syntax.Node) bool {
	switch n := n.(type) {
	case *syntax.FuncDecl:
		if n.Name != nil {
			c.functions[n.Name.Value] = true
		}
	case *syntax.CallExpr:
		if len(n.Args) > 0 {
			name, _ := c.e.literalText(n.Args[0])
			c.late = c.late || name == "." || name == "source" || name == "eval"
		}
	}
	return true
}

func (c *checker) add(err error) {
	problem := text.Escape(err.Error())
	if len(c.problems) < maxProblems && !slices.Contains(c.problems, problem) {
		c.problems = append(c.problems, problem)
	}
}

func (c *checker) refuse(format string, a ...any) { c.add(command.Refuse(format, a...)) }

func (c *checker) node(n syntax.Node) bool {
	if n == nil {
		c.depth--
		return true
	}
	c.depth++
	if c.depth > maxNesting {
		c.refuse("the command nests more than %d deep; write it simpler", maxNesting)
		c.depth--
		return false
	}
	switch n := n.(type) {
	case *syntax.Stmt:
		if n.Background || n.Coprocess || n.Disown {
			c.refuse("&: nothing runs in the background here; use ; or &&")
		}
		c.assigning(n)
	case *syntax.CoprocClause:
		c.refuse("coproc: nothing runs in the background here; use a pipe")
	case *syntax.ForClause:
		loop, ok := n.Loop.(*syntax.WordIter)
		switch {
		case n.Select:
			c.refuse("select: nobody answers here; use for")
		case ok && !syntax.ValidName(loop.Name.Value):
			c.refuse("for %s: this is not a name of a variable", loop.Name.Value)
		case ok:
			c.homes(loop.Items)
		}
	case *syntax.FuncDecl:
		if n.Name == nil || !isCompound(n.Body.Cmd) {
			c.refuse("syntax error: the body of a function is { }, ( ) or another compound command")
		}
	case *syntax.CmdSubst:
		if n.TempFile || n.ReplyVar {
			c.refuse("${ }: this form of $( ) is not available here")
		}
	case *syntax.ProcSubst:
		if n.Op != syntax.CmdIn {
			c.refuse(">( ): nothing can be written here; use a pipe")
		}
	case *syntax.TimeClause:
		if n.PosixFormat {
			c.refuse("time -p is not available here; leave it out")
		}
	case *syntax.ExtGlob:
		c.refuse("%s%s): extended patterns are not available here; use find or grep -E",
			n.Op, n.Pattern.Value)
	case *syntax.Assign:
		c.assignment(n)
	case *syntax.DeclClause:
		if variant := n.Variant.Value; variant != "export" && variant != "local" {
			c.refuse("%s is not available here; write NAME=VALUE", variant)
		}
	case *syntax.LetClause:
		c.refuse("let is not available here; use (( ))")
	case *syntax.CaseItem:
		if n.Op != syntax.Break {
			c.refuse("%s is not available here; use ;;", n.Op)
		}
	case *syntax.UnaryTest:
		c.test(n.Op.String(), 1)
	case *syntax.BinaryTest:
		c.test(n.Op.String(), 2)
	case *syntax.Redirect:
		if err := c.e.checkRedirect(n); err != nil {
			c.add(err)
		}
	case *syntax.ParamExp:
		c.parameter(n)
	case *syntax.CallExpr:
		c.call(n)
	}
	return true
}

func (c *checker) test(op string, operands int) {
	if isOtherTest(op, operands) {
		c.refuse("[[ %s: this test is not available here", op)
	}
}

// isCompound reports whether a command can be the body of a function.
func isCompound(c syntax.Command) bool {
	switch c.(type) {
	case *syntax.Block, *syntax.Subshell, *syntax.IfClause, *syntax.WhileClause, *syntax.ForClause,
		*syntax.CaseClause, *syntax.ArithmCmd, *syntax.TestClause:
		return true
	}
	return false
}

// isAbsent reports whether bash sets a variable that is not here.
func isAbsent(name string) bool {
	switch name {
	case "$", "!", "-", "_", "PPID", "RANDOM", "SRANDOM", "SECONDS", "EPOCHSECONDS", "EPOCHREALTIME",
		"HOSTNAME", "HOSTTYPE", "MACHTYPE", "OSTYPE", "UID", "EUID", "GROUPS", "DIRSTACK", "COLUMNS",
		"LINES", "LINENO", "SHLVL", "SHELLOPTS", "PIPESTATUS", "FUNCNAME", "MAPFILE", "OPTIND":
		return true
	}
	return strings.HasPrefix(name, "BASH")
}

func (c *checker) assignment(a *syntax.Assign) {
	switch {
	case a.Array != nil, a.Index != nil:
		c.refuse("arrays are not available here; list the words in for, or use awk")
	case a.Name == nil:
		c.refuse("export and local: options and expansions are not available here; write NAME=VALUE")
	case a.Value != nil && slices.ContainsFunc(a.Value.Parts, hasColonTilde):
		c.refuse("~ beside a colon in an assignment is not available here; write $HOME")
	}
}

// hasColonTilde reports whether a part of an assigned value has a "~" that begins another path.
func hasColonTilde(p syntax.WordPart) bool {
	lit, ok := p.(*syntax.Lit)
	return ok && (strings.Contains(lit.Value, ":~") || strings.HasPrefix(lit.Value, "~:"))
}

// assigning checks the redirections of a command that only assigns: what is assigned is expanded
// before them.
func (c *checker) assigning(s *syntax.Stmt) {
	_, declares := s.Cmd.(*syntax.DeclClause)
	call, isCall := s.Cmd.(*syntax.CallExpr)
	if !declares && (!isCall || len(call.Args) > 0) {
		return
	}
	for _, r := range s.Redirs {
		if isInput(r) || declares && r.Op == syntax.DplOut {
			c.refuse("%s beside an assignment is not available here; write it in $( )", r.Op)
		}
	}
}

func (c *checker) parameter(p *syntax.ParamExp) {
	hasOperator := p.Exp != nil || p.Repl != nil || p.Slice != nil || p.Length
	switch {
	case p.Excl, p.Names != 0:
		c.refuse("this form of ${...} is not available here")
	case p.Index != nil:
		c.refuse("%s[...]: arrays are not available here; list the words in for, or use awk",
			p.Param.Value)
	case isList(p.Param.Value) && hasOperator:
		c.refuse("${%s...}: operators on all parameters are not available here; use for",
			p.Param.Value)
	case p.Param.Value == "#" && hasOperator:
		c.refuse("${#...}: operators on the number of parameters are not available here")
	case isAbsent(p.Param.Value):
		c.refuse("$%s: this variable is not available here", p.Param.Value)
	case p.Repl != nil && (p.Repl.Orig == nil || len(p.Repl.Orig.Parts) == 0):
		c.refuse("${%s//}: quote what is replaced if it is a slash", p.Param.Value)
	case p.Exp == nil:
	case isAssigning(p.Exp.Op) && !syntax.ValidName(p.Param.Value):
		c.refuse("${%s%s...}: only variables can be assigned", p.Param.Value, p.Exp.Op)
	case hasProcess(p.Exp.Word):
		c.refuse("${%s%s<()}: < and > before ( are quoted here", p.Param.Value, p.Exp.Op)
	case p.Exp.Op == syntax.OtherParamOps, p.Exp.Op == syntax.ErrorUnset,
		p.Exp.Op == syntax.ErrorUnsetOrNull:
		c.refuse("${%s%s...}: this operator is not available here", p.Param.Value, p.Exp.Op)
	}
}

func isAssigning(op syntax.ParExpOperator) bool {
	return op == syntax.AssignUnset || op == syntax.AssignUnsetOrNull
}

// hasProcess reports whether a word of an expansion has a process substitution, which is text for
// the parser.
func hasProcess(w *syntax.Word) bool {
	return w != nil && slices.ContainsFunc(w.Parts, func(p syntax.WordPart) bool {
		lit, ok := p.(*syntax.Lit)
		return ok && (strings.Contains(lit.Value, "<(") || strings.Contains(lit.Value, ">("))
	})
}

// assignedHome matches an argument that looks like an assignment of a home directory, where bash
// expands it, too.
var assignedHome = regexp.MustCompile(`^[a-zA-Z_][a-zA-Z0-9_]*\+?=(~|.*:~)`)

// homes refuses words that look like an assignment of a home directory.
func (c *checker) homes(words []*syntax.Word) {
	for _, w := range words {
		if lit, ok := w.Parts[0].(*syntax.Lit); ok && assignedHome.MatchString(lit.Value) {
			c.refuse("%s: ~ in a word such as NAME=~ is not available here; write $HOME", lit.Value)
		}
	}
}

// call checks a simple command.
func (c *checker) call(call *syntax.CallExpr) {
	for _, w := range call.Args {
		if user := userOf(w.Parts); user != "" {
			c.add(refuseUser(user))
		}
	}
	c.homes(call.Args)
	words, isLiteral := c.e.literalTexts(call.Args)
	if len(words) == 0 || words[0] == placeholder || c.functions[words[0]] ||
		c.e.functions[words[0]].body != nil {
		return
	}
	c.command(words, isLiteral)
}

// command checks a command and its arguments. Unless all of them are literal, only its options.
func (c *checker) command(words []string, isLiteral bool) {
	c.depth++
	defer func() { c.depth-- }()
	name, args := words[0], words[1:]
	if b, ok := c.e.shell.builtin(name); ok {
		a, err := b.parse(programName(name), args)
		c.addRefusal(err)
		if b.check != nil && err == nil && c.depth < maxNesting {
			b.check(c, a)
		}
		return
	}
	found, ok := c.e.shell.find(name)
	var err error
	switch {
	case !ok && c.late && instead(name) == "":
	case !ok:
		err = c.e.shell.unknown(name)
	case isLiteral:
		_, err = found.Prepare(programName(name), args)
	case found.Nested == nil && found.Options != "":
		_, err = found.Options.Parse(programName(name), args)
	}
	c.addRefusal(err)
	if found.Nested != nil {
		for _, nested := range found.Nested(args) {
			c.nested(nested)
		}
	}
}

// nested checks a command among the arguments of another.
func (c *checker) nested(words []string) {
	if len(words) > 0 && words[0] != placeholder {
		c.command(words, !slices.Contains(words, placeholder))
	}
}

// addRefusal adds an error if it is a refusal. Other errors are reported by the command itself.
func (c *checker) addRefusal(err error) {
	if errors.As(err, &command.Refusal{}) {
		c.add(err)
	}
}
