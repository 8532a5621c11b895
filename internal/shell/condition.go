package shell

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"gander/internal/files/workspace"
	"gander/internal/shell/command"
	"gander/internal/shell/regex"
)

// testStatus evaluates the test of [[ ]]: 0 if it holds, 1 if not, 2 if its last operand is wrong. "!" binds
// more than "&&", and that more than "||".
func (e *environment) testStatus(x syntax.TestExpr) int {
	defer e.enter().ascend()
	status := 0
	for _, o := range testOperands(x) {
		isOr := o.after == syntax.OrTest
		if isOr && status == 0 {
			return 0
		}
		if isOr || status == 0 {
			status = e.testOperand(o.x)
			if o.isNegated {
				status = statusOf(status != 0)
			}
		}
	}
	return status
}

// A testOperand is an operand of "&&" and "||".
type testOperand struct {
	after     syntax.BinTestOperator // AndTest for the first
	x         syntax.TestExpr
	isNegated bool
}

// testOperands returns the operands of a test. The parser takes all that follows as the operand of
// "!", "&&" and "||".
func testOperands(x syntax.TestExpr) []testOperand {
	switch x := x.(type) {
	case *syntax.UnaryTest:
		if x.Op != syntax.TsNot {
			break
		}
		list := testOperands(x.X)
		list[0].isNegated = !list[0].isNegated
		return list
	case *syntax.BinaryTest:
		if x.Op != syntax.AndTest && x.Op != syntax.OrTest {
			break
		}
		list := testOperands(x.Y)
		list[0].after = x.Op
		return append(testOperands(x.X), list...)
	}
	return []testOperand{{after: syntax.AndTest, x: x}}
}

func (e *environment) testOperand(x syntax.TestExpr) int {
	switch x := x.(type) {
	case *syntax.Word:
		return statusOf(e.text(x) != "")
	case *syntax.ParenTest:
		return e.testStatus(x.X)
	case *syntax.UnaryTest:
		return statusOf(e.testOne(x.Op.String(), e.text(x.X.(*syntax.Word))))
	}
	both := x.(*syntax.BinaryTest)
	if both.Op == syntax.TsReMatch {
		return e.matchesExpression(e.text(both.X.(*syntax.Word)), both.Y.(*syntax.Word))
	}
	return statusOf(e.testBoth(both))
}

func (e *environment) testBoth(x *syntax.BinaryTest) bool {
	text, right := e.text(x.X.(*syntax.Word)), x.Y.(*syntax.Word)
	switch x.Op {
	case syntax.TsMatch, syntax.TsMatchShort:
		return e.matchesPattern(text, right)
	case syntax.TsNoMatch:
		return !e.matchesPattern(text, right)
	case syntax.TsBefore:
		return text < e.text(right)
	case syntax.TsAfter:
		return text > e.text(right)
	}
	other := e.text(right)
	ok := false
	err := attempt(func() {
		ok = compareIntegers(x.Op.String(), e.evaluateText(text, 0), e.evaluateText(other, 0))
	})
	if err != nil {
		e.errorf("[[: %v", err)
	}
	return ok
}

// matchesPattern is "==". In [[ ]], patterns are extended even if they are in a variable.
func (e *environment) matchesPattern(text string, w *syntax.Word) bool {
	pattern := e.expand(w, true)
	for at := 1; at < len(pattern.Value); at++ {
		isExtended := pattern.Value[at] == '(' && strings.IndexByte("?*+@!", pattern.Value[at-1]) >= 0
		if isExtended && !pattern.IsQuoted(at) && !pattern.IsQuoted(at-1) {
			command.Stop("[[ %.40s: extended patterns are not available here; use =~", pattern.Value)
		}
	}
	return compilePattern(pattern).Matches(e.account, text)
}

// comparisons are the tests that compare integers.
var comparisons = map[string]syntax.BinAritOperator{
	"-eq": syntax.Eql, "-ne": syntax.Neq, "-lt": syntax.Lss, "-gt": syntax.Gtr, "-le": syntax.Leq,
	"-ge": syntax.Geq,
}

func compareIntegers(op string, a, b int64) bool { return operators[comparisons[op]](a, b) != 0 }

// tests are those that are available, with one operand and with two, otherTests those of bash that
// are not.
var (
	tests = [...][]string{
		1: {"-e", "-f", "-d", "-s", "-r", "-x", "-L", "-h", "-n", "-z"},
		2: {"=", "==", "!=", "<", ">", "-eq", "-ne", "-lt", "-gt", "-le", "-ge"},
	}
	otherTests = [...][]string{
		1: {
			"-a", "-b", "-c", "-g", "-k", "-o", "-p", "-t", "-u", "-v", "-w", "-G", "-N", "-O", "-R",
			"-S",
		},
		2: {"-a", "-o", "-nt", "-ot", "-ef"},
	}
)

func isTest(op string, operands int) bool { return slices.Contains(tests[operands], op) }

func isOtherTest(op string, operands int) bool { return slices.Contains(otherTests[operands], op) }

// testOne tests one operand.
func (e *environment) testOne(op, s string) bool {
	switch op {
	case "-n":
		return s != ""
	case "-z":
		return s == ""
	}
	if _, isSpecial := e.files.Special[s]; isSpecial || s == "/dev/null" {
		return op == "-e" || op == "-r"
	}
	location, err := e.files.Find(e.ctx, s)
	if err != nil {
		return false
	}
	if op == "-L" || op == "-h" {
		info, err := location.Lstat()
		return err == nil && info.Kind == workspace.Symlink
	}
	details, err := location.Describe(true)
	if err != nil {
		return false
	}
	switch op {
	case "-f":
		return details.Kind == workspace.Regular
	case "-d":
		return details.Kind == workspace.Directory
	case "-s":
		return details.Size > 0
	case "-r":
		return e.isReadable(s)
	case "-x":
		return details.Mode&0o111 != 0
	}
	return true
}

func (e *environment) isReadable(path string) bool {
	if dir, err := e.files.Directory(e.ctx, path); err == nil {
		dir.Close()
		return true
	}
	file, err := e.files.Open(e.ctx, path)
	if err == nil {
		file.Close()
	}
	return err == nil
}

// runTest is test and "[".
func runTest(e *environment, c *command.Call, a command.Arguments) int {
	args := a.Operands
	if a.Name == "[" {
		if len(args) == 0 || args[len(args)-1] != "]" {
			c.Fatalf(2, "missing `]'")
		}
		args = args[:len(args)-1]
	}
	ok, err := testArguments(args, e.testOne)
	if err != nil {
		stopIfRefused(err)
		c.Fatalf(2, "%v", err)
	}
	return statusOf(ok)
}

// checkTest refuses tests that are not available.
func checkTest(c *checker, a command.Arguments) {
	operands := a.Operands
	if a.Name == "[" {
		operands = operands[:max(len(operands)-1, 0)]
	}
	_, err := testArguments(operands, func(string, string) bool { return false })
	c.addRefusal(err)
}

// testArguments evaluates the arguments of test. Their number decides what they mean.
func testArguments(args []string, testOne func(op, s string) bool) (bool, error) {
	n := len(args)
	switch {
	case n == 0:
		return false, nil
	case n == 1:
		return args[0] != "", nil
	case n == 3 && isTest(args[1], 2):
		return testTwo(args[1], args[0], args[2])
	case n == 3 && isOtherTest(args[1], 2):
		return false, refuseTest(args[1])
	case args[0] == "!" && n <= 4:
		ok, err := testArguments(args[1:], testOne)
		return !ok, err
	case n == 2 && isTest(args[0], 1):
		return testOne(args[0], args[1]), nil
	case n == 2 && isOtherTest(args[0], 1):
		return false, refuseTest(args[0])
	case n == 2:
		return false, fmt.Errorf("%s: unary operator expected", args[0])
	case n == 3 && args[0] != "(":
		return false, fmt.Errorf("%s: binary operator expected", args[1])
	}
	for _, arg := range args {
		if arg == "-a" || arg == "-o" || arg == "(" || arg == "!" {
			return false, refuseTest(arg)
		}
	}
	return false, errors.New("too many arguments")
}

func refuseTest(op string) error {
	return command.Refuse("test %s: this test is not available here; use && or ||", op)
}

// testTwo tests two operands.
func testTwo(op, a, b string) (bool, error) {
	switch op {
	case "=", "==":
		return a == b, nil
	case "!=":
		return a != b, nil
	case "<":
		return a < b, nil
	case ">":
		return a > b, nil
	}
	x, errX := parseInteger(a)
	y, errY := parseInteger(b)
	return compareIntegers(op, x, y), cmp.Or(errX, errY)
}

func parseInteger(s string) (int64, error) {
	n, err := strconv.ParseInt(strings.TrimRight(strings.TrimLeft(s, " \t\n\v\f\r"), " \t"), 10, 64)
	if err != nil {
		return 0, fmt.Errorf("%s: integer expression expected", s)
	}
	return n, nil
}

// matchesExpression is =~. The status is 2 if the expression is wrong.
func (e *environment) matchesExpression(text string, w *syntax.Word) int {
	account := e.newAccount("=~")
	defer account.Release()
	expression := e.expression(w)
	if isInvalid(expression) {
		command.Stop("=~ %.60s: here, a bracket and *, +, ? at the beginning are quoted", expression)
	}
	re, err := regex.Compile(regex.Options{Syntax: regex.Extended}, expression)
	if err != nil {
		stopIfRefused(err)
		return 2
	}
	account.Grab(len(text))
	return statusOf(re.NewSearcher(e.ctx, account).Match([]byte(text)))
}

// others matches the parts of an expression that have no brace to complain about.
var others = regexp.MustCompile(`\\.|\[\^?\]?([^][]|\[[:.=][^]]*\])*\]|\{(\d+(,\d*)?|,\d+)\}`)

// isInvalid reports whether the regular expressions of the C library have an error that those of
// grep do not have.
func isInvalid(expression string) bool {
	isRepeated := expression != "" && strings.IndexByte("*+?{", expression[0]) >= 0
	return isRepeated || strings.Contains(others.ReplaceAllString(expression, ""), "{")
}

// expression returns the text of a regular expression, whose quoted parts are literal.
func (e *environment) expression(w *syntax.Word) string {
	f := e.expand(w, true)
	var b strings.Builder
	for at := range len(f.Value) {
		if f.IsQuoted(at) && strings.IndexByte(`\.[]{}()*+?^$|`, f.Value[at]) >= 0 {
			b.WriteByte('\\')
		}
		b.WriteByte(f.Value[at])
	}
	return b.String()
}
