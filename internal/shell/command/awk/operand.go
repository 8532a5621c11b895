package awk

import "strings"

func (p *parser) primary() expression {
	t := p.take()
	switch t.kind {
	case numeral:
		return constantOf(numeric(toNumber(t.text)))
	case quoted:
		return constantOf(textual(t.text))
	case ere:
		return p.ereExpression(t.text)
	case name:
		return p.variable(t.text)
	case builtin:
		return p.builtinCall(t.text)
	case called:
		return p.call(t)
	}
	switch {
	case t.is("getline"):
		return p.getline()
	case t.is("$"):
		return fieldOf(p.fieldIndex())
	case t.is("("):
		return p.group()
	}
	p.failAt(t)
	return expression{}
}

func (p *parser) ereExpression(source string) expression {
	pattern := p.constantPattern(source)
	e := evalOnly(func(m *machine) value { return boolean(pattern(m).Match(m.bytes(m.whole()))) })
	e.ere, e.isEre = source, true
	return e
}

// fieldIndex parses the operand of "$", which binds tighter than ++ and -- after it, unless it is a
// field itself.
func (p *parser) fieldIndex() expression {
	switch {
	case p.at("++"), p.at("--"), p.at("$"):
		return p.increment()
	case p.at("-"), p.at("+"), p.at("!"):
		return p.unary()
	case p.accept("("):
		list := p.inside(")")
		if len(list) > 1 {
			p.fail("a list in parentheses is no number of a field")
		}
		return list[0]
	}
	return p.primary()
}

func fieldOf(index expression) expression {
	if c := index.constant; c != nil && c.kind == number {
		n := int(c.n)
		return expression{
			eval:  func(m *machine) value { return m.field(n) },
			place: func(*machine) place { return place{field: n} },
		}
	}
	at := index.eval
	return expression{
		eval:  func(m *machine) value { return m.field(int(at(m).number())) },
		place: func(m *machine) place { return place{field: int(at(m).number())} },
	}
}

// group parses what follows an opening parenthesis.
func (p *parser) group() expression {
	list := p.inside(")")
	if len(list) == 1 {
		e := list[0]
		// It is no longer a regular expression, a constant or a place of its own.
		return evalOnly(e.eval)
	}
	if p.accept("in") {
		return p.membershipOf(keyOf(list))
	}
	if !p.inPrint {
		p.fail("a list in parentheses is only expected before \"in\" and after print")
	}
	return expression{list: list, eval: func(m *machine) value {
		m.refuse("a list in parentheses is only available as all that print prints")
		return value{}
	}}
}

// inside parses a list up to a closing token, in which "in" and ">" are operators.
func (p *parser) inside(closing string) []expression {
	noIn, noGreater := p.noIn, p.noGreater
	p.noIn, p.noGreater = false, false
	list := p.list(closing)
	p.noIn, p.noGreater = noIn, noGreater
	return list
}

// list parses expressions with commas between them up to a closing token.
func (p *parser) list(closing string) []expression {
	var list []expression
	p.newlines()
	for {
		list = append(list, p.expression())
		p.newlines()
		if !p.accept(",") {
			break
		}
		p.newlines()
	}
	p.expect(closing)
	return list
}

// keyOf returns the key that expressions make.
func keyOf(list []expression) func(m *machine) string {
	if len(list) == 1 {
		index := list[0].eval
		return func(m *machine) string { return m.text(index(m)) }
	}
	return func(m *machine) string {
		var b strings.Builder
		for i, e := range list {
			if i > 0 {
				b.WriteString(m.globals[subsep].s)
			}
			b.WriteString(m.text(e.eval(m)))
			m.checkSize(b.Len())
		}
		return b.String()
	}
}

// variable parses what follows the name of a variable: an index, or nothing.
func (p *parser) variable(name string) expression {
	cellOf, special := p.cell(name)
	if p.accept("[") {
		key := keyOf(p.inside("]"))
		if p.at("[") {
			p.fail("arrays of arrays are not available here; use a[x, y]")
		}
		at := func(m *machine) place {
			a := m.arrayOf(cellOf(m))
			return place{cell: m.element(a, key(m)), special: -1}
		}
		return expression{
			eval:  func(m *machine) value { return m.checked(at(m).cell.value) },
			place: at,
		}
	}
	e := expression{
		variable: cellOf,
		place:    func(m *machine) place { return place{cell: cellOf(m), special: special} },
		eval:     func(m *machine) value { return m.scalar(cellOf(m)) },
	}
	if special == nf {
		e.eval = func(m *machine) value {
			m.split()
			return m.globals[nf].value
		}
	}
	return e
}

func (m *machine) scalar(c *cell) value {
	if c.asArray() != nil {
		m.fatalf("attempt to use an array in a scalar context")
	}
	c.markScalar()
	return m.checked(c.value)
}

// cell returns the function that finds a variable, and its index if it has a meaning, or -1.
func (p *parser) cell(name string) (of func(m *machine) *cell, special int) {
	if i, ok := p.parameters[name]; ok {
		return func(m *machine) *cell { return &m.locals[i] }, -1
	}
	i, ok := p.program.variables[name]
	if !ok {
		i = len(p.program.variables)
		p.program.variables[name] = i
	}
	return func(m *machine) *cell { return &m.globals[i] }, specialAt(i)
}

// arrayName parses the name of an array.
func (p *parser) arrayName() func(m *machine) *cell {
	t := p.take()
	if t.kind != name {
		p.fail("the name of an array is expected")
	}
	of, _ := p.cell(t.text)
	return of
}
