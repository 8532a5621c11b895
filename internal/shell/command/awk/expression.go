package awk

import "strings"

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
		e = p.membershipOf(keyOf([]expression{e}))
	}
	return e
}

// membershipOf parses the array after "in".
func (p *parser) membershipOf(key func(m *machine) string) expression {
	array := p.arrayName()
	return evalOnly(func(m *machine) value {
		k := key(m)
		return boolean(m.arrayOf(array(m)).elements[k] != nil)
	})
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
	case numeral, quoted, ere, name, called, builtin:
		return true
	case operator:
		return strings.Contains(" $ ! ( ++ -- ", " "+t.text+" ")
	}
	return false
}
