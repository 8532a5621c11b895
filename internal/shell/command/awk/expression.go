package awk

import (
	"math"
	"slices"
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
	op, isAssignment := strings.CutSuffix(p.token.text, "=")
	_, isArithmetic := arithmetic[op]
	if p.token.kind != operator || !isAssignment || op != "" && !isArithmetic {
		return e
	}
	p.take()
	return p.assignment(e, op)
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
	calculate := arithmetic[op]
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
	op := p.token.text
	holds := relations[op]
	if p.token.kind != operator || holds == nil || op == ">" && p.noGreater {
		return e
	}
	p.take()
	x, y := e.eval, p.concatenation().eval
	return evalOnly(func(m *machine) value {
		left := x(m)
		return boolean(slices.Contains(holds, m.compare(left, y(m))))
	})
}

// relations are the results of machine.compare with which a comparison holds.
var relations = map[string][]int{
	"<": {-1}, "<=": {-1, 0}, "==": {0}, "!=": {-1, 1, 2}, ">": {1}, ">=": {0, 1},
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

func (p *parser) sum() expression { return p.chain(p.product, "+", "-") }

func (p *parser) product() expression { return p.chain(p.unary, "*", "/", "%") }

// chain parses operands with some operators between them, from the left.
func (p *parser) chain(operand func() expression, ops ...string) expression {
	e := operand()
	for slices.ContainsFunc(ops, p.at) {
		e = p.binary(e, p.take().text, operand)
	}
	return e
}

func (p *parser) binary(left expression, op string, operand func() expression) expression {
	right := operand()
	if c := right.constant; c != nil && c.n == 0 && c.kind == number && (op == "/" || op == "%") {
		p.fail("a division by zero")
	}
	x, y := left.eval, right.eval
	calculate := arithmetic[op]
	return evalOnly(func(m *machine) value {
		a := x(m).number()
		return numeric(calculate(m, a, y(m).number()))
	})
}

// arithmetic are the operators that calculate.
var arithmetic = map[string]func(m *machine, x, y float64) float64{
	"+": func(_ *machine, x, y float64) float64 { return x + y },
	"-": func(_ *machine, x, y float64) float64 { return x - y },
	"*": func(_ *machine, x, y float64) float64 { return x * y },
	"/": func(m *machine, x, y float64) float64 {
		if y == 0 {
			m.fatalf("division by zero attempted")
		}
		return x / y
	},
	"%": func(m *machine, x, y float64) float64 {
		if y == 0 {
			m.fatalf("division by zero attempted in `%%'")
		}
		return orUndefined(math.Mod(x, y), x, y)
	},
	"^": raise, "**": raise,
}

func raise(_ *machine, x, y float64) float64 { return orUndefined(math.Pow(x, y), x, y) }

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
