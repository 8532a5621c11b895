package shell

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// maxIndirection is how often the value of a variable can be an expression in an expression.
const maxIndirection = 100

// maxExpression is the length of the longest expression in a variable, in bytes.
const maxExpression = 4096

// evaluate evaluates an expression. depth counts the variables whose values are expressions.
func (e *environment) evaluate(x syntax.ArithmExpr, depth int) (int64, error) {
	e.enter()
	defer e.ascend()
	switch x := x.(type) {
	case *syntax.Word:
		return e.evaluateText(e.text(x), depth)
	case *syntax.ParenArithm:
		return e.evaluate(x.X, depth)
	case *syntax.UnaryArithm:
		return e.evaluateUnary(x, depth)
	case *syntax.BinaryArithm:
		return e.evaluateBinary(x, depth)
	}
	return 0, errors.New("this kind of expression is not available here")
}

// evaluateText evaluates a number, the name of a variable, or another expression.
func (e *environment) evaluateText(s string, depth int) (int64, error) {
	s = strings.TrimSpace(s)
	switch {
	case s == "":
		return 0, nil
	case strings.Contains(s, "#"):
		refuse("%.40s: only decimal, octal and hexadecimal numbers are available here", s)
	case depth > maxIndirection:
		return 0, errors.New("expression recursion level exceeded")
	case syntax.ValidName(s):
		value, isSet := e.value(s)
		if !isSet && e.options.nounset {
			e.end(failure{text: s + ": unbound variable", status: 127, exits: true})
		}
		return e.evaluateText(value, depth+1)
	}
	if number.MatchString(s) {
		return parseNumber(s), nil
	}
	wrong := fmt.Errorf("%.100s: syntax error: invalid arithmetic operator", s)
	if len(s) > maxExpression {
		return 0, wrong
	}
	file, err := parse("((" + s + "))")
	if err != nil || len(file.Stmts) != 1 {
		return 0, wrong
	}
	c, ok := file.Stmts[0].Cmd.(*syntax.ArithmCmd)
	if !ok || !isPlain(c.X) {
		return 0, wrong
	}
	if _, isWord := c.X.(*syntax.Word); isWord {
		return 0, wrong
	}
	return e.evaluate(c.X, depth+1)
}

// isPlain reports whether an expression has only operators, numbers and names. The expressions in
// values must be plain, because nothing has checked what else is in them.
func isPlain(x syntax.ArithmExpr) bool {
	switch x := x.(type) {
	case *syntax.Word:
		if p, ok := x.Parts[0].(*syntax.ParamExp); ok && p.Index != nil {
			refuse("%s[...]: arrays are not available here", p.Param.Value)
		}
		return x.Lit() != "" && !strings.ContainsAny(x.Lit(), `\~`)
	case *syntax.ParenArithm:
		return isPlain(x.X)
	case *syntax.UnaryArithm:
		return isPlain(x.X)
	case *syntax.BinaryArithm:
		return isPlain(x.X) && isPlain(x.Y)
	}
	return false
}

// number matches a number as C writes integers.
var number = regexp.MustCompile(`^[+-]?(0[xX][0-9a-fA-F]+|0[0-7]*|[1-9][0-9]*)$`)

// parseNumber parses a number. It refuses one that is too large, which bash makes another one.
func parseNumber(s string) int64 {
	n, err := strconv.ParseInt(s, 0, 64)
	if err != nil {
		refuse("%s: numbers of more than 63 bits are not available here", s)
	}
	return n
}

func (e *environment) evaluateUnary(x *syntax.UnaryArithm, depth int) (int64, error) {
	n, err := e.evaluate(x.X, depth)
	if err != nil {
		return 0, err
	}
	switch x.Op {
	case syntax.Not:
		return fromBool(n == 0), nil
	case syntax.BitNegation:
		return ^n, nil
	case syntax.Minus:
		return -n, nil
	case syntax.Plus:
		return n, nil
	}
	changed := n + 1
	if x.Op == syntax.Dec {
		changed = n - 1
	}
	if err := e.store(x.X, changed); err != nil {
		return 0, err
	}
	if x.Post {
		return n, nil
	}
	return changed, nil
}

func fromBool(ok bool) int64 {
	if ok {
		return 1
	}
	return 0
}

// store assigns a number to the variable that an expression names.
func (e *environment) store(x syntax.ArithmExpr, n int64) error {
	w, ok := x.(*syntax.Word)
	if !ok {
		return errors.New("attempted assignment to non-variable")
	}
	if !syntax.ValidName(w.Lit()) {
		return errors.New("attempted assignment to non-variable")
	}
	e.set(w.Lit(), strconv.FormatInt(n, 10))
	return nil
}

// assignments are the operators in assignments such as "+=".
var assignments = map[syntax.BinAritOperator]syntax.BinAritOperator{
	syntax.AddAssgn: syntax.Add, syntax.SubAssgn: syntax.Sub, syntax.MulAssgn: syntax.Mul,
	syntax.QuoAssgn: syntax.Quo, syntax.RemAssgn: syntax.Rem, syntax.AndAssgn: syntax.And,
	syntax.OrAssgn: syntax.Or, syntax.XorAssgn: syntax.Xor, syntax.ShlAssgn: syntax.Shl,
	syntax.ShrAssgn: syntax.Shr,
}

func (e *environment) evaluateBinary(x *syntax.BinaryArithm, depth int) (int64, error) {
	switch x.Op {
	case syntax.Assgn:
		n, err := e.evaluate(x.Y, depth)
		if err == nil {
			err = e.store(x.X, n)
		}
		return n, err
	case syntax.TernQuest:
		return e.evaluateChoice(x, depth)
	}
	left, err := e.evaluate(x.X, depth)
	if err != nil {
		return 0, err
	}
	isDecided := x.Op == syntax.AndArit && left == 0 || x.Op == syntax.OrArit && left != 0
	if isDecided {
		return fromBool(left != 0), nil
	}
	right, err := e.evaluate(x.Y, depth)
	if err != nil {
		return 0, err
	}
	op, assigns := assignments[x.Op]
	if !assigns {
		return calculate(x.Op, left, right)
	}
	n, err := calculate(op, left, right)
	if err == nil {
		err = e.store(x.X, n)
	}
	return n, err
}

func (e *environment) evaluateChoice(x *syntax.BinaryArithm, depth int) (int64, error) {
	condition, err := e.evaluate(x.X, depth)
	choices, ok := x.Y.(*syntax.BinaryArithm)
	switch {
	case err != nil:
		return 0, err
	case !ok:
		return 0, errors.New("`:' expected for conditional expression")
	case condition != 0:
		return e.evaluate(choices.X, depth)
	}
	return e.evaluate(choices.Y, depth)
}

func calculate(op syntax.BinAritOperator, a, b int64) (int64, error) {
	switch op {
	case syntax.Add:
		return a + b, nil
	case syntax.Sub:
		return a - b, nil
	case syntax.Mul:
		return a * b, nil
	case syntax.Quo, syntax.Rem:
		return divide(op, a, b)
	case syntax.Pow:
		return power(a, b)
	case syntax.And:
		return a & b, nil
	case syntax.Or:
		return a | b, nil
	case syntax.Xor:
		return a ^ b, nil
	case syntax.Shl:
		return a << (uint64(b) & 63), nil
	case syntax.Shr:
		return a >> (uint64(b) & 63), nil
	case syntax.Comma:
		return b, nil
	case syntax.AndArit, syntax.OrArit:
		return fromBool(b != 0), nil
	}
	return compareNumbers(op, a, b)
}

func compareNumbers(op syntax.BinAritOperator, a, b int64) (int64, error) {
	switch op {
	case syntax.Eql:
		return fromBool(a == b), nil
	case syntax.Neq:
		return fromBool(a != b), nil
	case syntax.Lss:
		return fromBool(a < b), nil
	case syntax.Gtr:
		return fromBool(a > b), nil
	case syntax.Leq:
		return fromBool(a <= b), nil
	case syntax.Geq:
		return fromBool(a >= b), nil
	}
	return 0, fmt.Errorf("the operator %s is not available here", op)
}

func divide(op syntax.BinAritOperator, a, b int64) (int64, error) {
	switch {
	case b == 0:
		return 0, errors.New("division by 0")
	case op == syntax.Quo:
		return a / b, nil
	}
	return a % b, nil
}

func power(base, exponent int64) (int64, error) {
	if exponent < 0 {
		return 0, errors.New("exponent less than 0")
	}
	n := int64(1)
	for ; exponent > 0; exponent >>= 1 {
		if exponent&1 != 0 {
			n *= base
		}
		base *= base
	}
	return n, nil
}
