package awk

import (
	"strings"

	"gander/internal/shell/command"
	"gander/internal/shell/regex"
)

const (
	maxProgram = 64 << 10 // bytes
	maxNesting = 200
)

// A flow tells how a statement ends.
type flow uint8

const (
	proceed flow = iota
	breakLoop
	continueLoop
	skipRecord
	skipFile
	leave
	giveBack // from a function, the result of the machine
)

// A statement is compiled to a function.
type statement func(m *machine) flow

// A rule is a pattern with its action.
type rule struct {
	from, to func(m *machine) value // nil if the rule has no such pattern
	inRange  bool
	line     int
	action   statement
}

func (r *rule) selects(m *machine) bool {
	switch {
	case r.from == nil:
		return true
	case r.to == nil:
		return r.from(m).isTrue()
	case !r.inRange && !r.from(m).isTrue():
		return false
	}
	r.inRange = !r.to(m).isTrue()
	return true
}

// A program is a compiled program, for one machine.
type program struct {
	begin, end []rule // without patterns
	rules      []rule
	variables  map[string]int // their indexes
	functions  map[string]*function
	notices    []notice
}

// A parser compiles a program in one pass.
type parser struct {
	lexer   lexer
	token   token // the next one
	program *program
	depth   int
	isLong  bool // the program has several lines, which errors tell apart

	noIn      bool // "in" belongs to a for statement
	noGreater bool // ">" is a redirection
	inPrint   bool
	inLoop    bool
	inAction  bool // of a rule that reads records or of a function, in which next is allowed

	parameters map[string]int  // of the function that is parsed, or nil
	names      map[string]bool // of all parameters
}

// parse compiles a program. The error is a command.Refusal.
func parse(source string) (_ *program, err error) {
	p := &parser{
		isLong: strings.Contains(source, "\n"),
		lexer:  lexer{source: source, line: 1, symbols: strings.Fields(operators)},
		program: &program{
			variables: make(map[string]int), functions: make(map[string]*function),
		},
		names: make(map[string]bool),
	}
	for i, special := range specials {
		p.program.variables[special.name] = i
	}
	defer command.Catch(&err)
	if len(source) > maxProgram {
		p.fail("the program has more than %d KiB", maxProgram>>10)
	}
	p.take()
	for p.newlines(); p.token.kind != end; p.newlines() {
		p.item()
		p.newlines()
		p.accept(";")
	}
	p.checkFunctions()
	p.program.notices = p.lexer.notices
	return p.program, nil
}

// take returns the next token and reads the one after it.
func (p *parser) take() token {
	t := p.token
	p.token = p.lexer.next()
	return t
}

func (p *parser) at(text string) bool { return p.token.is(text) }

func (p *parser) accept(text string) bool {
	if p.at(text) {
		p.take()
		return true
	}
	return false
}

func (p *parser) expect(text string) {
	if !p.accept(text) {
		p.failAt(p.token)
	}
}

func (p *parser) fail(format string, a ...any) { p.lexer.fail(format, a...) }

func (p *parser) failAt(t token) {
	switch t.kind {
	case end:
		p.fail("the program ends too early")
	case newline:
		p.fail("the line ends too early")
	}
	if t.is("|") || t.is("|&") {
		p.fail("| starts a program, and none is started here; pipe the output of awk")
	}
	p.fail("%q is not expected", t.text)
}

func (p *parser) enter() {
	if p.depth++; p.depth > maxNesting {
		p.fail("the program nests more than %d deep", maxNesting)
	}
}

func (p *parser) exit() { p.depth-- }

func (p *parser) newlines() {
	for p.token.kind == newline {
		p.take()
	}
}

// terminators skips line ends and semicolons.
func (p *parser) terminators() {
	for p.token.kind == newline || p.at(";") {
		p.take()
	}
}

// item parses a rule or a function.
func (p *parser) item() {
	line := p.token.line
	switch {
	case p.accept("BEGIN"):
		p.program.begin = append(p.program.begin, rule{line: line, action: p.block()})
	case p.accept("END"):
		p.program.end = append(p.program.end, rule{line: line, action: p.block()})
	case p.accept("function"), p.accept("func"):
		p.function()
	default:
		p.rule()
	}
}

func (p *parser) rule() {
	r := rule{line: p.token.line}
	p.inAction = true
	defer func() { p.inAction = false }()
	if !p.at("{") {
		r.from = p.expression().eval
		if p.accept(",") {
			p.newlines()
			r.to = p.expression().eval
		}
	}
	r.action = func(m *machine) flow {
		m.call.Out.WriteString(m.whole())
		m.call.Out.WriteString(m.globals[ors].s)
		return proceed
	}
	if p.at("{") {
		r.action = p.block()
	}
	p.program.rules = append(p.program.rules, r)
}

// block parses statements in braces.
func (p *parser) block() statement {
	p.enter()
	defer p.exit()
	p.expect("{")
	var list []statement
	for p.terminators(); !p.at("}"); p.terminators() {
		list = append(list, p.statement())
	}
	p.take()
	if len(list) == 1 {
		return list[0]
	}
	return func(m *machine) flow {
		for _, s := range list {
			if state := s(m); state != proceed {
				return state
			}
		}
		return proceed
	}
}

// constantPattern compiles a regular expression between slashes.
func (p *parser) constantPattern(source string) func(m *machine) *regex.Searcher {
	re, err := compile(source)
	if err != nil {
		command.Fail(err)
	}
	var s *regex.Searcher
	return func(m *machine) *regex.Searcher {
		if s == nil {
			s = re.NewSearcher(m.ctx, m.account)
		}
		return s
	}
}

// patternOf returns the regular expression that an operand of a match is.
func (p *parser) patternOf(e expression) func(m *machine) *regex.Searcher {
	if e.isEre {
		return p.constantPattern(e.ere)
	}
	source := e.eval
	return func(m *machine) *regex.Searcher { return m.pattern(m.text(source(m))) }
}
