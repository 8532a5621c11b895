package shell

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"gander/internal/shell/command"
)

// maxIndirection is how often the value of a variable can be an expression in an expression.
const maxIndirection = 100

// maxExpression is the length of the longest expression in a variable, in bytes.
const maxExpression = 4096

// result evaluates an expression of the script. Values are written into it before it is read, so
// that their operators bind as if the script had them.
func (e *environment) result(x syntax.ArithmExpr) int64 {
	if !hasExpansion(x) {
		return e.evaluate(x, 0)
	}
	var text strings.Builder
	e.write(&text, x)
	return e.evaluateText(text.String(), 0)
}

// hasExpansion reports whether something in an expression is expanded before it is read.
func hasExpansion(x syntax.ArithmExpr) (found bool) {
	syntax.Walk(x, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Lit:
			if strings.Contains(n.Value, `\`) {
				wrong("syntax error: operand expected, not a backslash")
			}
		case *syntax.ParamExp, *syntax.CmdSubst, *syntax.ArithmExp, *syntax.DblQuoted:
			found = true
			return false
		case *syntax.SglQuoted:
			wrong("syntax error: operand expected, not a single quote")
		}
		return true
	})
	return found
}

// write writes an expression with the values of its expansions.
func (e *environment) write(to *strings.Builder, x syntax.ArithmExpr) {
	defer e.enter().ascend()
	switch x := x.(type) {
	case *syntax.Word:
		to.WriteString(e.text(x))
		if to.Len() > maxExpression {
			command.Stop("an expression can have at most %d bytes here", maxExpression)
		}
	case *syntax.ParenArithm:
		to.WriteByte('(')
		e.write(to, x.X)
		to.WriteByte(')')
	case *syntax.UnaryArithm:
		if x.Post {
			e.write(to, x.X)
			to.WriteString(x.Op.String())
			return
		}
		to.WriteString(x.Op.String() + " ")
		e.write(to, x.X)
	case *syntax.BinaryArithm:
		e.write(to, x.X)
		to.WriteString(" " + x.Op.String() + " ")
		e.write(to, x.Y)
	}
}

// evaluate evaluates an expression, which ends with command.Fail if it is wrong. depth counts the
// variables whose values are expressions.
func (e *environment) evaluate(x syntax.ArithmExpr, depth int) int64 {
	defer e.enter().ascend()
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
	return wrong("this kind of expression is not available here")
}

// wrong ends an expression.
func wrong(format string, a ...any) int64 {
	command.Fail(fmt.Errorf(format, a...))
	return 0
}

// attempt calls f, and returns the error of command.Fail.
func attempt(f func()) (err error) {
	defer command.Catch(&err)
	f()
	return nil
}

// evaluateText evaluates a number, the name of a variable, or another expression.
func (e *environment) evaluateText(s string, depth int) int64 {
	s = strings.TrimSpace(s)
	switch {
	case s == "":
		return 0
	case strings.Contains(s, "["):
		command.Stop("%.40s: arrays are not available here", s)
	case isAbsent(s):
		command.Stop("%s: this variable is not available here", s)
	case strings.Contains(s, "#"):
		command.Stop("%.40s: only decimal, octal and hexadecimal numbers are available here", s)
	case depth > maxIndirection:
		command.Stop("%s: the values of variables refer to each other more than %d deep", s,
			maxIndirection)
	case syntax.ValidName(s):
		value, isSet := e.value(s)
		e.checkSet(s, isSet)
		return e.evaluateText(value, depth+1)
	case number.MatchString(s):
		return parseNumber(s)
	}
	if x := expressionIn(s); x != nil {
		return e.evaluate(x, depth+1)
	}
	if e.options.nounset {
		command.Stop("%.40s: this is no expression; set -u could end the script in it", s)
	}
	return wrong("%.100s: syntax error: invalid arithmetic operator", s)
}

// expressionIn returns the expression in a value, or nil. It has only operators, numbers and names,
// because nothing has checked what else could be in it.
func expressionIn(s string) syntax.ArithmExpr {
	if len(s) > maxExpression {
		return nil
	}
	file, err := parse("((" + s + "))")
	if err != nil || len(file.Stmts) != 1 {
		return nil
	}
	c, ok := file.Stmts[0].Cmd.(*syntax.ArithmCmd)
	if !ok || c.X == nil {
		return nil
	}
	_, isWord := c.X.(*syntax.Word)
	isPlain := !isWord
	syntax.Walk(c.X, func(n syntax.Node) bool {
		switch n := n.(type) {
		case nil, *syntax.Word, *syntax.ParenArithm, *syntax.UnaryArithm, *syntax.BinaryArithm:
		case *syntax.Lit:
			isPlain = isPlain && !strings.ContainsAny(n.Value, `\~`)
		case *syntax.ParamExp:
			if n.Index != nil {
				command.Stop("%s[...]: arrays are not available here", n.Param.Value)
			}
			isPlain = false
		default:
			isPlain = false
		}
		return isPlain
	})
	if !isPlain {
		return nil
	}
	return c.X
}

// number matches a number as C writes integers.
var number = regexp.MustCompile(`^[+-]?(0[xX][0-9a-fA-F]+|0[0-7]*|[1-9][0-9]*)$`)

// parseNumber parses a number. It refuses one that is too large, which bash makes another one.
func parseNumber(s string) int64 {
	n, err := strconv.ParseInt(s, 0, 64)
	if err != nil {
		command.Stop("%s: numbers of more than 63 bits are not available here", s)
	}
	return n
}

func (e *environment) evaluateUnary(x *syntax.UnaryArithm, depth int) int64 {
	n := e.evaluate(x.X, depth)
	changed := n + 1
	switch x.Op {
	case syntax.Not:
		return fromBool(n == 0)
	case syntax.BitNegation:
		return ^n
	case syntax.Minus:
		return -n
	case syntax.Plus:
		return n
	case syntax.Dec:
		changed = n - 1
	}
	if !x.Post && !isName(x.X) {
		return n // of two signs
	}
	e.store(x.X, changed)
	if x.Post {
		return n
	}
	return changed
}

func fromBool(ok bool) int64 { return int64(1 - statusOf(ok)) }

func isName(x syntax.ArithmExpr) bool {
	w, ok := x.(*syntax.Word)
	return ok && syntax.ValidName(w.Lit())
}

// store assigns a number to the variable that an expression names.
func (e *environment) store(x syntax.ArithmExpr, n int64) {
	if !isName(x) {
		wrong("attempted assignment to non-variable")
	}
	e.set(x.(*syntax.Word).Lit(), strconv.FormatInt(n, 10))
}

// assignments are the operators in assignments such as "+=".
var assignments = map[syntax.BinAritOperator]syntax.BinAritOperator{
	syntax.AddAssgn: syntax.Add, syntax.SubAssgn: syntax.Sub, syntax.MulAssgn: syntax.Mul,
	syntax.QuoAssgn: syntax.Quo, syntax.RemAssgn: syntax.Rem, syntax.AndAssgn: syntax.And,
	syntax.OrAssgn: syntax.Or, syntax.XorAssgn: syntax.Xor, syntax.ShlAssgn: syntax.Shl,
	syntax.ShrAssgn: syntax.Shr,
}

func (e *environment) evaluateBinary(x *syntax.BinaryArithm, depth int) int64 {
	if x.Op == syntax.Assgn {
		n := e.evaluate(x.Y, depth)
		e.store(x.X, n)
		return n
	}
	left := e.evaluate(x.X, depth)
	switch {
	case x.Op == syntax.TernQuest:
		choices := x.Y.(*syntax.BinaryArithm)
		if left != 0 {
			return e.evaluate(choices.X, depth)
		}
		return e.evaluate(choices.Y, depth)
	case x.Op == syntax.AndArit && left == 0, x.Op == syntax.OrArit && left != 0:
		return fromBool(left != 0)
	}
	right := e.evaluate(x.Y, depth)
	op, assigns := assignments[x.Op]
	if !assigns {
		return calculate(x.Op, left, right)
	}
	n := calculate(op, left, right)
	e.store(x.X, n)
	return n
}

func calculate(op syntax.BinAritOperator, a, b int64) int64 {
	f := operators[op]
	if f == nil {
		return wrong("the operator %s is not available here", op)
	}
	return f(a, b)
}

var operators = map[syntax.BinAritOperator]func(a, b int64) int64{
	syntax.Add:     func(a, b int64) int64 { return a + b },
	syntax.Sub:     func(a, b int64) int64 { return a - b },
	syntax.Mul:     func(a, b int64) int64 { return a * b },
	syntax.Quo:     func(a, b int64) int64 { return a / nonzero(b) },
	syntax.Rem:     func(a, b int64) int64 { return a % nonzero(b) },
	syntax.Pow:     power,
	syntax.And:     func(a, b int64) int64 { return a & b },
	syntax.Or:      func(a, b int64) int64 { return a | b },
	syntax.Xor:     func(a, b int64) int64 { return a ^ b },
	syntax.Shl:     func(a, b int64) int64 { return a << (uint64(b) & 63) },
	syntax.Shr:     func(a, b int64) int64 { return a >> (uint64(b) & 63) },
	syntax.Comma:   func(_, b int64) int64 { return b },
	syntax.AndArit: func(_, b int64) int64 { return fromBool(b != 0) },
	syntax.OrArit:  func(_, b int64) int64 { return fromBool(b != 0) },
	syntax.Eql:     func(a, b int64) int64 { return fromBool(a == b) },
	syntax.Neq:     func(a, b int64) int64 { return fromBool(a != b) },
	syntax.Lss:     func(a, b int64) int64 { return fromBool(a < b) },
	syntax.Gtr:     func(a, b int64) int64 { return fromBool(a > b) },
	syntax.Leq:     func(a, b int64) int64 { return fromBool(a <= b) },
	syntax.Geq:     func(a, b int64) int64 { return fromBool(a >= b) },
}

func nonzero(n int64) int64 {
	if n == 0 {
		wrong("division by 0")
	}
	return n
}

func power(base, exponent int64) int64 {
	if exponent < 0 {
		wrong("exponent less than 0")
	}
	n := int64(1)
	for ; exponent > 0; exponent >>= 1 {
		if exponent&1 != 0 {
			n *= base
		}
		base *= base
	}
	return n
}
