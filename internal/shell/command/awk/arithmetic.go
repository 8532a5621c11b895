package awk

import "math"

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
	right := operand()
	if c := right.constant; c != nil && c.n == 0 && c.kind == number && (op == "/" || op == "%") {
		p.fail("a division by zero")
	}
	x, y := left.eval, right.eval
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
			return orUndefined(math.Mod(x, y), x, y)
		}
	}
	return func(_ *machine, x, y float64) float64 { return orUndefined(math.Pow(x, y), x, y) }
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
