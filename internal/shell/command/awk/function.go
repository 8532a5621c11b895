package awk

// A function is declared by the program.
type function struct {
	parameters int // the number of them
	body       statement
	size       int // an estimate of the stack that a call takes, in bytes
	calls      []call
}

// A call is one of a function, which can be declared later.
type call struct{ line, arguments int }

func (p *parser) functionNamed(name string) *function {
	f := p.program.functions[name]
	if f == nil {
		f = new(function)
		p.program.functions[name] = f
	}
	return f
}

// function parses the declaration of a function.
func (p *parser) function() {
	t := p.take()
	if t.kind != name && t.kind != called {
		p.failAt(t)
	}
	f := p.functionNamed(t.text)
	if f.body != nil {
		p.fail("the function %s is declared twice", t.text)
	}
	start := p.lexer.at
	p.parameters, p.inAction = make(map[string]int), true
	p.parameterList()
	f.parameters = len(p.parameters)
	p.newlines()
	f.body = p.block()
	p.parameters, p.inAction = nil, false
	f.size = 1024 + 64*(p.lexer.at-start)
}

func (p *parser) parameterList() {
	p.expect("(")
	for !p.at(")") {
		if len(p.parameters) > 0 {
			p.expect(",")
			p.newlines()
		}
		t := p.take()
		i, used := p.program.variables[t.text]
		isSpecial := used && specialAt(i) >= 0
		_, isTwice := p.parameters[t.text]
		if t.kind != name || isSpecial || isTwice {
			p.fail("%q is not the name of a parameter", t.text)
		}
		p.parameters[t.text] = len(p.parameters)
		p.names[t.text] = true
	}
	p.take()
}

// checkFunctions checks what is only known at the end of the program.
func (p *parser) checkFunctions() {
	for name, f := range p.program.functions {
		_, isVariable := p.program.variables[name]
		if isVariable || p.names[name] {
			p.fail("%s is a function and a variable", name)
		}
		for _, c := range f.calls {
			p.lexer.line = c.line
			switch {
			case f.body == nil:
				p.fail("the function %s is not available here; declare it", name)
			case c.arguments > f.parameters:
				p.fail("%s is called with more arguments than declared", name)
			}
		}
	}
}

// call parses the arguments of a function.
func (p *parser) call(t token) expression {
	f := p.functionNamed(t.text)
	var arguments []expression
	p.expect("(")
	if !p.accept(")") {
		arguments = p.inside(")")
	}
	f.calls = append(f.calls, call{line: t.line, arguments: len(arguments)})
	return evalOnly(func(m *machine) value { return m.invoke(f, arguments) })
}

// invoke calls a function.
func (m *machine) invoke(f *function, arguments []expression) value {
	const cellSize = 64
	m.account.Check()
	size := f.size + cellSize*f.parameters
	m.account.Grab(size)
	locals := make([]cell, f.parameters)
	caller, line := m.locals, m.line
	defer func() {
		m.locals, m.line = caller, line
		m.account.Drop(size)
		for i := range locals {
			m.forget(&locals[i])
		}
	}()
	for i, a := range arguments {
		m.pass(&locals[i], a)
	}
	m.locals = locals
	switch state := f.body(m); state {
	case giveBack:
		return m.result
	case leave, skipRecord, skipFile:
		panic(state) // for apply
	}
	return value{}
}

// pass passes an argument: an array by reference, and so a variable that can become one.
func (m *machine) pass(to *cell, argument expression) {
	if argument.variable == nil {
		m.keep(to, argument.eval(m))
		to.origin, to.isScalar = &m.nameless, false
		return
	}
	from := argument.variable(m)
	if from.asArray() == nil && from.kind != unset {
		m.keep(to, argument.eval(m))
		return
	}
	to.array, to.origin = from.array, from
	if from.origin != nil {
		to.origin = from.origin
	}
}

// forget releases a parameter.
func (m *machine) forget(c *cell) {
	m.account.Drop(len(c.s))
	if c.array != nil && c.origin == nil {
		m.clear(c.array)
	}
}

func (p *parser) returnStatement() statement {
	if p.parameters == nil {
		p.fail("return is used outside of a function")
	}
	result := func(*machine) value { return value{} }
	if !p.atEnd() {
		result = p.expression().eval
	}
	return func(m *machine) flow {
		m.result = result(m)
		return giveBack
	}
}
