package awk

import "io"

// statement parses a statement with what ends it.
func (p *parser) statement() statement {
	p.enter()
	defer p.exit()
	switch {
	case p.at("{"):
		return p.block()
	case p.accept("if"):
		return p.ifStatement()
	case p.accept("while"):
		return loop(p.condition(), p.loopBody(), nil)
	case p.accept("do"):
		return p.doStatement()
	case p.accept("for"):
		return p.forStatement()
	case p.accept(";"):
		return func(*machine) flow { return proceed }
	}
	line := p.token.line
	s := p.simple()
	p.endStatement()
	if !p.isLong {
		return s
	}
	return func(m *machine) flow {
		m.line = line
		return s(m)
	}
}

// endStatement accepts what ends a simple statement. A closing brace and "else" can follow.
func (p *parser) endStatement() {
	switch {
	case p.token.kind == newline, p.at(";"):
		p.take()
	case p.at("}"), p.token.kind == end:
	default:
		p.failAt(p.token)
	}
}

// simple parses a statement that contains no other.
func (p *parser) simple() statement {
	switch {
	case p.at("print"), p.at("printf"):
		return p.print()
	case p.at("next"), p.at("nextfile"), p.at("break"), p.at("continue"):
		return p.jump()
	case p.accept("exit"):
		return p.exitStatement()
	case p.accept("delete"):
		return p.deleteStatement()
	case p.accept("return"):
		return p.returnStatement()
	}
	e := p.expression().eval
	return func(m *machine) flow {
		e(m)
		return proceed
	}
}

func (p *parser) jump() statement {
	jumps := map[string]flow{
		"next": skipRecord, "nextfile": skipFile, "break": breakLoop, "continue": continueLoop,
	}
	name := p.take().text
	state := jumps[name]
	isLoop := state == breakLoop || state == continueLoop
	switch {
	case isLoop && !p.inLoop:
		p.fail("%s is used outside of a loop", name)
	case !isLoop && !p.inAction:
		p.fail("%s is used in BEGIN or END", name)
	}
	return func(*machine) flow { return state }
}

// atEnd reports whether the statement has no operand.
func (p *parser) atEnd() bool {
	return p.token.kind == newline || p.token.kind == end || p.at(";") || p.at("}")
}

func (p *parser) exitStatement() statement {
	if p.atEnd() {
		return func(*machine) flow { return leave }
	}
	status := p.expression().eval
	return func(m *machine) flow {
		m.status = int(status(m).number()) & 255
		return leave
	}
}

func (p *parser) deleteStatement() statement {
	array := p.arrayName()
	if !p.accept("[") {
		return func(m *machine) flow {
			m.clear(m.arrayOf(array(m)))
			return proceed
		}
	}
	key := keyOf(p.inside("]"))
	return func(m *machine) flow {
		m.remove(m.arrayOf(array(m)), key(m))
		return proceed
	}
}

// condition parses an expression in parentheses.
func (p *parser) condition() func(m *machine) value {
	line := p.token.line
	p.expect("(")
	list := p.inside(")")
	if len(list) != 1 {
		p.fail("a condition is one expression")
	}
	return func(m *machine) value {
		m.line = line
		return list[0].eval(m)
	}
}

// body parses the statement that a loop or a condition governs.
func (p *parser) body() statement {
	p.newlines()
	return p.statement()
}

func (p *parser) loopBody() statement {
	outer := p.inLoop
	p.inLoop = true
	s := p.body()
	p.inLoop = outer
	return s
}

func (p *parser) ifStatement() statement {
	condition := p.condition()
	yes := p.body()
	no := statement(func(*machine) flow { return proceed })
	// If there is no "else", the line ends that are skipped do not matter to a list of statements.
	if p.newlines(); p.accept("else") {
		no = p.body()
	}
	return func(m *machine) flow {
		if condition(m).isTrue() {
			return yes(m)
		}
		return no(m)
	}
}

// loop returns a loop. condition and step can be nil.
func loop(condition func(m *machine) value, body statement, step func(m *machine) value) statement {
	return func(m *machine) flow {
		for condition == nil || condition(m).isTrue() {
			m.account.Check()
			if state, ends := turn(m, body); ends {
				return state
			}
			if step != nil {
				step(m)
			}
		}
		return proceed
	}
}

// turn runs the body of a loop once. It reports whether the loop ends, and how.
func turn(m *machine, body statement) (state flow, ends bool) {
	switch state := body(m); state {
	case proceed, continueLoop:
		return proceed, false
	case breakLoop:
		return proceed, true
	default:
		return state, true
	}
}

func (p *parser) doStatement() statement {
	body := p.loopBody()
	p.newlines()
	p.expect("while")
	condition := p.condition()
	p.endStatement()
	again := loop(condition, body, nil)
	return func(m *machine) flow {
		if state, ends := turn(m, body); ends {
			return state
		}
		return again(m)
	}
}

func (p *parser) forStatement() statement {
	p.expect("(")
	var begin, condition, step func(m *machine) value
	if !p.accept(";") {
		p.noIn = true
		first := p.expression()
		p.noIn = false
		if first.variable != nil && p.accept("in") {
			return p.forIn(first)
		}
		begin = first.eval
		p.expect(";")
	}
	p.newlines()
	if !p.accept(";") {
		condition = p.expression().eval
		p.expect(";")
	}
	p.newlines()
	if !p.at(")") {
		step = p.expression().eval
	}
	p.expect(")")
	again := loop(condition, p.loopBody(), step)
	return func(m *machine) flow {
		if begin != nil {
			begin(m)
		}
		return again(m)
	}
}

func (p *parser) forIn(variable expression) statement {
	array := p.arrayName()
	p.expect(")")
	body := p.loopBody()
	return func(m *machine) flow {
		a := m.arrayOf(array(m))
		size := 64 * len(a.elements) // of the list of keys, and of what orders them
		m.account.Grab(size)
		defer m.account.Drop(size)
		for _, key := range m.ordered(a) {
			m.account.Tick()
			m.assign(variable.place(m), value{kind: input, s: key})
			if state, ends := turn(m, body); ends {
				return state
			}
		}
		return proceed
	}
}

func (p *parser) print() statement {
	isFormatted := p.take().text == "printf"
	p.inPrint, p.noGreater = true, true
	var list []expression
	if !p.atEnd() && !p.atRedirection() {
		list = p.printList()
	}
	p.inPrint = false
	toErrors := p.redirection()
	p.noGreater = false
	switch {
	case isFormatted && len(list) == 0:
		p.fail("printf needs a format")
	case isFormatted:
		return func(m *machine) flow {
			values := m.push(list)
			defer m.pop(values)
			text := m.formatted(values)
			io.WriteString(m.output(toErrors), text)
			return proceed
		}
	case len(list) == 0:
		list = []expression{fieldOf(constantOf(numeric(0)))}
	}
	return func(m *machine) flow {
		var few [8]string
		texts := few[:0]
		for _, e := range list { // all before anything is printed
			texts = append(texts, m.printed(e.eval(m)))
		}
		w := m.output(toErrors)
		for i, text := range texts {
			if i > 0 {
				io.WriteString(w, m.globals[ofs].s)
			}
			io.WriteString(w, text)
		}
		io.WriteString(w, m.globals[ors].s)
		return proceed
	}
}

func (p *parser) printList() []expression {
	list := []expression{p.expression()}
	for p.accept(",") {
		p.newlines()
		list = append(list, p.expression())
	}
	if len(list) == 1 && list[0].list != nil {
		return list[0].list
	}
	return list
}

func (p *parser) atRedirection() bool {
	return p.at(">") || p.at(">>") || p.at("|") || p.at("|&")
}

// redirection parses where print writes. It reports whether that is standard error.
func (p *parser) redirection() (toErrors bool) {
	switch {
	case !p.atRedirection():
		return false
	case p.at("|"), p.at("|&"):
		p.failAt(p.token)
	}
	p.take()
	toErrors = p.token.text == "/dev/stderr"
	if t := p.token; t.kind != quoted || !toErrors && t.text != "/dev/stdout" {
		p.fail("print > writes, and nothing can be written here; leave it out, or put a comparison in " +
			"parentheses")
	}
	p.take()
	return toErrors
}

// output returns standard output, or standard error.
func (m *machine) output(toErrors bool) io.Writer {
	if toErrors {
		m.call.Out.FlushBlocks()
		return m.call.Err
	}
	return m.call.Out
}
