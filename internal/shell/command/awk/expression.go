package awk

import (
	"math"
	"strings"
)

// An expression is compiled to functions.
type expression struct {
	eval func(m *machine) value
	// place is nil if nothing can be assigned to the expression.
	place func(m *machine) place
	// variable is not nil for the name of a variable alone, which can be an array.
	variable func(m *machine) *cell
	// ere is the source of an expression that is a regular expression between slashes.
	ere   string
	isEre bool
	// list has the members of a list in parentheses with more than one.
	list []expression
	// constant is the value of a text or a number, or nil.
	constant *value
}

func constantOf(v value) expression {
	return expression{eval: func(*machine) value { return v }, constant: &v}
}

func evalOnly(eval func(m *machine) value) expression { return expression{eval: eval} }

// expression parses an expression of any precedence.
func (p *parser) expression() expression {
	p.enter()
	defer p.exit()
	e := p.ternary()
	if e.place == nil {
		return e
	}
	for _, op := range []string{"=", "+=", "-=", "*=", "/=", "%=", "^=", "**="} {
		if p.accept(op) {
			return p.assignment(e, strings.TrimSuffix(op, "="))
		}
	}
	return e
}

func (p *parser) assignment(target expression, op string) expression {
	v := p.expression().eval
	to := target.place
	if op == "" {
		return evalOnly(func(m *machine) value {
			result := v(m)
			m.assign(to(m), result)
			return result
		})
	}
	calculate := arithmetic(op)
	return evalOnly(func(m *machine) value {
		right := v(m).number()
		at := to(m)
		result := numeric(calculate(m, m.load(at).number(), right))
		m.assign(at, result)
		return result
	})
}

func (p *parser) ternary() expression {
	condition := p.or()
	if !p.accept("?") {
		return condition
	}
	p.newlines()
	yes := p.expression().eval
	p.newlines()
	p.expect(":")
	p.newlines()
	no := p.expression().eval
	isTrue := condition.eval
	return evalOnly(func(m *machine) value {
		if isTrue(m).isTrue() {
			return yes(m)
		}
		return no(m)
	})
}

func (p *parser) or() expression {
	e := p.and()
	for p.accept("||") {
		p.newlines()
		x, y := e.eval, p.and().eval
		e = evalOnly(func(m *machine) value { return boolean(x(m).isTrue() || y(m).isTrue()) })
	}
	return e
}

func (p *parser) and() expression {
	e := p.membership()
	for p.accept("&&") {
		p.newlines()
		x, y := e.eval, p.membership().eval
		e = evalOnly(func(m *machine) value { return boolean(x(m).isTrue() && y(m).isTrue()) })
	}
	return e
}

// membership parses "key in array".
func (p *parser) membership() expression {
	e := p.matching()
	for !p.noIn && p.accept("in") {
		key := keyOf([]expression{e})
		if e.list != nil {
			key = keyOf(e.list)
		}
		array := p.arrayName()
		e = evalOnly(func(m *machine) value {
			k := key(m)
			return boolean(m.arrayOf(array(m)).elements[k] != nil)
		})
	}
	return e
}

func (p *parser) matching() expression {
	e := p.comparison()
	for {
		isNegated := p.at("!~")
		if !p.accept("~") && !p.accept("!~") {
			return e
		}
		x := e.eval
		matches := p.patternOf(p.comparison())
		e = evalOnly(func(m *machine) value {
			s := m.text(x(m))
			return boolean(matches(m).Match(m.bytes(s)) != isNegated)
		})
	}
}

func (p *parser) comparison() expression {
	e := p.concatenation()
	for _, op := range []string{"<", "<=", "==", "!=", ">", ">="} {
		if op == ">" && p.noGreater {
			continue
		}
		if !p.accept(op) {
			continue
		}
		x, y := e.eval, p.concatenation().eval
		holds := relation(op)
		return evalOnly(func(m *machine) value {
			left := x(m)
			return boolean(holds(m.compare(left, y(m))))
		})
	}
	return e
}

// relation returns the test of a comparison; see machine.compare.
func relation(op string) func(int) bool {
	switch op {
	case "<":
		return func(order int) bool { return order == -1 }
	case "<=":
		return func(order int) bool { return order == -1 || order == 0 }
	case "==":
		return func(order int) bool { return order == 0 }
	case "!=":
		return func(order int) bool { return order != 0 }
	case ">":
		return func(order int) bool { return order == 1 }
	}
	return func(order int) bool { return order == 0 || order == 1 }
}

// concatenation parses values side by side.
func (p *parser) concatenation() expression {
	e := p.sum()
	for p.beginsOperand() {
		x, y := e.eval, p.sum().eval
		e = evalOnly(func(m *machine) value {
			left := m.text(x(m))
			right := m.text(y(m))
			m.checkSize(len(left) + len(right))
			return textual(left + right)
		})
	}
	return e
}

// beginsOperand reports whether an operand of a concatenation begins here.
func (p *parser) beginsOperand() bool {
	t := p.token
	switch t.kind {
	case numeral, quoted, ere, name, builtin:
		return true
	case operator:
		return strings.Contains(" $ ! ( ++ -- ", " "+t.text+" ")
	}
	return false
}

func (p *parser) sum() expression {
	e := p.product()
	for p.at("+") || p.at("-") {
		e = p.binary(e, p.take().text, p.product)
	}
	return e
}

func (p *parser) product() expression {
	e := p.unary()
	for p.at("*") || p.at("/") || p.at("%") {
		e = p.binary(e, p.take().text, p.unary)
	}
	return e
}

func (p *parser) binary(left expression, op string, operand func() expression) expression {
	x, y := left.eval, operand().eval
	calculate := arithmetic(op)
	return evalOnly(func(m *machine) value {
		a := x(m).number()
		return numeric(calculate(m, a, y(m).number()))
	})
}

func arithmetic(op string) func(m *machine, x, y float64) float64 {
	switch op {
	case "+":
		return func(_ *machine, x, y float64) float64 { return x + y }
	case "-":
		return func(_ *machine, x, y float64) float64 { return x - y }
	case "*":
		return func(_ *machine, x, y float64) float64 { return x * y }
	case "/":
		return func(m *machine, x, y float64) float64 {
			if y == 0 {
				m.fatalf("division by zero attempted")
			}
			return x / y
		}
	case "%":
		return func(m *machine, x, y float64) float64 {
			if y == 0 {
				m.fatalf("division by zero attempted in `%%'")
			}
			return math.Mod(x, y)
		}
	}
	return func(_ *machine, x, y float64) float64 { return math.Pow(x, y) }
}

func (p *parser) unary() expression {
	p.enter()
	defer p.exit()
	switch {
	case p.accept("!"):
		x := p.unary().eval
		return evalOnly(func(m *machine) value { return boolean(!x(m).isTrue()) })
	case p.accept("-"):
		x := p.unary().eval
		return evalOnly(func(m *machine) value { return numeric(-x(m).number()) })
	case p.accept("+"):
		x := p.unary().eval
		return evalOnly(func(m *machine) value { return numeric(x(m).number()) })
	}
	return p.power()
}

func (p *parser) power() expression {
	e := p.increment()
	if !p.accept("^") && !p.accept("**") {
		return e
	}
	// The power to the right binds tighter, also with a sign before it.
	return p.binary(e, "^", p.unary)
}

// increment parses ++ and -- before and after a variable.
func (p *parser) increment() expression {
	for _, op := range []string{"++", "--"} {
		if !p.accept(op) {
			continue
		}
		e := p.primary()
		if e.place == nil {
			p.fail("%s needs a variable", op)
		}
		return stepped(e, op, false)
	}
	e := p.primary()
	for _, op := range []string{"++", "--"} {
		if e.place != nil && p.accept(op) {
			return stepped(e, op, true)
		}
	}
	return e
}

func stepped(e expression, op string, isAfter bool) expression {
	step := 1.0
	if op == "--" {
		step = -1
	}
	to := e.place
	return evalOnly(func(m *machine) value {
		at := to(m)
		old := m.load(at).number()
		m.assign(at, numeric(old+step))
		if isAfter {
			return numeric(old)
		}
		return numeric(old + step)
	})
}

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
	}
	switch {
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

// fieldIndex parses the operand of "$", which binds tighter than ++ and -- after it.
func (p *parser) fieldIndex() expression {
	switch {
	case p.at("++"), p.at("--"):
		return p.increment()
	case p.at("-"), p.at("+"), p.at("!"):
		return p.unary()
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
		// It is no longer a regular expression or a constant of its own, but can be assigned to.
		return expression{eval: e.eval, place: e.place}
	}
	if !p.at("in") && !p.inPrint {
		p.fail("a list in parentheses is only expected before \"in\" and after print")
	}
	return expression{list: list, eval: func(m *machine) value { return value{} }}
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
		return func(m *machine) string {
			v := index(m)
			if v.kind == number && v.s == "" && v.n == math.Trunc(v.n) {
				return integerText(v.n)
			}
			return m.text(v)
		}
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
	if c.array != nil {
		m.fatalf("attempt to use an array in a scalar context")
	}
	return m.checked(c.value)
}

// cell returns the function that finds a variable, and its index if it has a meaning, or -1.
func (p *parser) cell(name string) (of func(m *machine) *cell, special int) {
	i, ok := p.program.variables[name]
	if !ok {
		i = len(p.program.variables)
		p.program.variables[name] = i
	}
	special = i
	if i >= countSpecials {
		special = -1
	}
	return func(m *machine) *cell { return &m.globals[i] }, special
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
