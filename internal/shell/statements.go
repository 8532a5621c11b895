package shell

import (
	"cmp"

	"mvdan.cc/sh/v3/syntax"
)

// runFile runs the statements of a script. An expansion that fails ends the line that it is in.
func (e *environment) runFile(file *syntax.File) {
	for rest := file.Stmts; len(rest) > 0 && !e.left(); {
		line := rest[0].Pos().Line()
		n := 1
		for n < len(rest) && rest[n].Pos().Line() == line {
			n++
		}
		e.contain(func() { e.statements(rest[:n]) })
		rest = rest[n:]
	}
}

// left reports whether the statements that run are being left.
func (e *environment) left() bool { return e.leaving != leaving{} }

func (e *environment) statements(list []*syntax.Stmt) {
	for _, s := range list {
		e.statement(s)
		if e.left() {
			return
		}
	}
}

func (e *environment) statement(s *syntax.Stmt) {
	e.account.Check()
	defer e.enter().ascend()
	defer e.endProcesses(len(e.processes))
	e.line = s.Pos().Line()
	if s.Negated {
		e.negations++
		defer func() { e.negations-- }()
		e.condition(func() { e.redirected(s) })
		if !e.leaving.environment && !e.leaving.function {
			e.status = statusOf(e.status != 0)
		}
		return
	}
	e.redirected(s)
	if endsShell(s.Cmd) {
		e.exitIfFailed()
	}
}

// exitIfFailed ends the shell with set -e if a command has failed.
func (e *environment) exitIfFailed() {
	failed := e.options.errexit && e.conditions == 0 && e.status != 0
	if failed && !e.left() {
		e.leaving.environment = true
	}
}

// endsShell reports whether set -e ends the shell when a command fails. The commands in a compound
// command do that themselves.
func endsShell(c syntax.Command) bool {
	switch c := c.(type) {
	case nil, *syntax.CallExpr, *syntax.Subshell, *syntax.TestClause, *syntax.ArithmCmd,
		*syntax.DeclClause:
		return true
	case *syntax.BinaryCmd:
		return c.Op == syntax.Pipe || c.Op == syntax.PipeAll
	}
	return false
}

// condition calls f for commands whose failure does not end the script, even with set -e.
func (e *environment) condition(f func()) {
	e.conditions++
	defer func() { e.conditions-- }()
	f()
}

func statusOf(ok bool) int {
	if ok {
		return 0
	}
	return 1
}

func (e *environment) run(c syntax.Command) {
	switch c := c.(type) {
	case nil:
		e.status = 0
	case *syntax.BinaryCmd:
		e.binary(c)
	case *syntax.Block:
		e.statements(c.Stmts)
	case *syntax.Subshell:
		e.subshell(func(s *environment) { s.statements(c.Stmts) })
	case *syntax.IfClause:
		e.ifClause(c)
	case *syntax.WhileClause:
		e.while(c)
	case *syntax.ForClause:
		e.forClause(c)
	case *syntax.CaseClause:
		e.caseClause(c)
	case *syntax.FuncDecl:
		e.define(c)
	case *syntax.ArithmCmd:
		e.arithmetic(c.X)
	case *syntax.TestClause:
		e.status = e.testStatus(c.X)
	case *syntax.DeclClause:
		e.declare(c)
	case *syntax.TimeClause:
		e.time(c)
	}
}

func (e *environment) binary(c *syntax.BinaryCmd) {
	if c.Op == syntax.Pipe || c.Op == syntax.PipeAll {
		e.pipeline(c)
		return
	}
	e.condition(func() { e.statement(c.X) })
	if !e.left() && (e.status == 0) == (c.Op == syntax.AndStmt) {
		e.statement(c.Y)
	}
}

func (e *environment) ifClause(c *syntax.IfClause) {
	for ; c != nil; c = c.Else {
		if !c.ThenPos.IsValid() { // else
			e.statements(c.Then)
			return
		}
		e.condition(func() { e.statements(c.Cond) })
		if e.left() {
			return
		}
		if e.status == 0 {
			e.statements(c.Then)
			return
		}
	}
	e.status = 0
}

// iterate runs the body of a loop, or its condition. It reports whether the loop goes on.
func (e *environment) iterate(f func()) bool {
	e.account.Check()
	e.loops++
	f()
	e.loops--
	if e.leaving.loops == 0 {
		return !e.left()
	}
	e.leaving.loops--
	if e.leaving.loops > 0 {
		return false
	}
	goesOn := e.leaving.continues
	e.leaving.continues = false
	return goesOn
}

func (e *environment) while(c *syntax.WhileClause) {
	status := 0
	for goesOn := true; goesOn; {
		goesOn = e.iterate(func() {
			e.condition(func() { e.statements(c.Cond) })
			if e.left() {
				status = e.status
				return
			}
			if (e.status == 0) == c.Until {
				e.leaving.loops = 1
				return
			}
			e.statements(c.Do)
			status = e.status
		})
	}
	e.status = status
}

func (e *environment) forClause(c *syntax.ForClause) {
	status := 0
	body := func() {
		e.statements(c.Do)
		status = e.status
	}
	switch loop := c.Loop.(type) {
	case *syntax.WordIter:
		items := e.parameters
		account := e.newAccount("for")
		defer account.Release()
		if loop.InPos.IsValid() {
			items = e.fields(account, loop.Items)
		}
		for _, item := range items {
			e.set(loop.Name.Value, item)
			if !e.iterate(body) {
				break
			}
		}
	case *syntax.CStyleLoop:
		if err := attempt(func() { e.countingLoop(loop, body) }); err != nil {
			e.errorf("((: %v", err)
			status = 1
		}
	}
	e.status = status
}

func (e *environment) countingLoop(loop *syntax.CStyleLoop, body func()) {
	evaluate := func(x syntax.ArithmExpr) int64 {
		if x == nil {
			return 1
		}
		return e.result(x)
	}
	evaluate(loop.Init)
	for evaluate(loop.Cond) != 0 && e.iterate(body) {
		evaluate(loop.Post)
	}
}

func (e *environment) caseClause(c *syntax.CaseClause) {
	word := e.text(c.Word)
	e.status = 0
	for _, item := range c.Items {
		if e.matchesAny(item.Patterns, word) {
			e.statements(item.Stmts)
			return
		}
	}
}

func (e *environment) matchesAny(patterns []*syntax.Word, text string) bool {
	for _, p := range patterns {
		if e.pattern(p).Matches(e.account, text) {
			return true
		}
	}
	return false
}

// A syntaxTree is a parsed script. All of it stays as long as one of its functions.
type syntaxTree struct{ size, functions int }

// treeOf returns the tree of a script.
func treeOf(text string) *syntaxTree {
	const least, perByte = 4 << 10, 100
	return &syntaxTree{size: least + perByte*len(text)}
}

func (e *environment) define(c *syntax.FuncDecl) {
	if e.tree.functions == 0 {
		e.account.Grab(e.tree.size)
	}
	e.tree.functions++
	if old := e.functions[c.Name.Value].tree; old != nil {
		old.functions--
		if old.functions == 0 {
			e.account.Drop(old.size)
		}
	}
	e.functions[c.Name.Value] = function{body: c.Body, tree: e.tree}
	e.status = 0
}

// arithmetic is "((". The status is 1 if the value is 0.
func (e *environment) arithmetic(x syntax.ArithmExpr) {
	err := attempt(func() { e.status = statusOf(e.result(x) != 0) })
	if err != nil {
		e.errorf("((: %v", err)
		e.status = 1
	}
}

// call runs a function.
func (e *environment) call(f function, arguments []string) {
	e.account.Grab(256)
	parameters, loops, tree := e.parameters, e.loops, e.tree
	e.parameters, e.loops, e.tree = arguments, 0, cmp.Or(f.tree, tree)
	e.locals = append(e.locals, make(map[string]variable))
	defer func() {
		last := len(e.locals) - 1
		for name, v := range e.locals[last] {
			e.put(name, v)
		}
		e.locals = e.locals[:last]
		e.parameters, e.loops, e.tree = parameters, loops, tree
		e.leaving.function = false
		e.account.Drop(256)
	}()
	e.statement(f.body)
}
