package shell

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"gander/internal/files/workspace"
	"gander/internal/shell/command"
	"gander/internal/shell/regex"
)

// test runs [[ ]].
func (e *environment) test(c *syntax.TestClause) {
	ok, err := e.testResult(c.X)
	e.status = statusOf(ok)
	var wrong regex.Error
	switch {
	case errors.As(err, &wrong):
		e.errorf("[[: %v", err)
		e.status = 2
	case err != nil:
		e.errorf("[[: %v", err)
		e.status = 1
	}
}

func (e *environment) testResult(x syntax.TestExpr) (bool, error) {
	e.enter()
	defer e.leave()
	switch x := x.(type) {
	case *syntax.Word:
		return e.text(x) != "", nil
	case *syntax.ParenTest:
		return e.testResult(x.X)
	case *syntax.UnaryTest:
		if x.Op == syntax.TsNot {
			ok, err := e.testResult(x.X)
			return !ok, err
		}
		word, ok := x.X.(*syntax.Word)
		if !ok {
			return false, errors.New("a word is expected")
		}
		return e.testOne(x.Op.String(), e.text(word))
	case *syntax.BinaryTest:
		return e.testBoth(x)
	}
	return false, errors.New("this test is not available here")
}

func (e *environment) testBoth(x *syntax.BinaryTest) (bool, error) {
	if x.Op == syntax.AndTest || x.Op == syntax.OrTest {
		ok, err := e.testResult(x.X)
		if err != nil || ok == (x.Op == syntax.OrTest) {
			return ok, err
		}
		return e.testResult(x.Y)
	}
	left, okLeft := x.X.(*syntax.Word)
	right, okRight := x.Y.(*syntax.Word)
	if !okLeft || !okRight {
		return false, errors.New("a word is expected")
	}
	text := e.text(left)
	switch x.Op {
	case syntax.TsMatch, syntax.TsMatchShort:
		return e.pattern(right, e.options.nocasematch).Matches(e.account, text), nil
	case syntax.TsNoMatch:
		return !e.pattern(right, e.options.nocasematch).Matches(e.account, text), nil
	case syntax.TsReMatch:
		return e.matchExpression(text, right)
	case syntax.TsEql, syntax.TsNeq, syntax.TsLss, syntax.TsGtr, syntax.TsLeq, syntax.TsGeq:
		a, errA := e.evaluateText(text, 0)
		b, errB := e.evaluateText(e.text(right), 0)
		return compareIntegers(x.Op.String(), a, b), errors.Join(errA, errB)
	}
	return e.testTwo(x.Op.String(), text, e.text(right))
}

// compareIntegers is -eq and its relatives.
func compareIntegers(op string, a, b int64) bool {
	switch op {
	case "-eq":
		return a == b
	case "-ne":
		return a != b
	case "-lt":
		return a < b
	case "-gt":
		return a > b
	case "-le":
		return a <= b
	}
	return a >= b
}

// testOne tests one operand.
func (e *environment) testOne(op, s string) (bool, error) {
	switch op {
	case "-n":
		return s != "", nil
	case "-z":
		return s == "", nil
	case "-v":
		_, isSet := e.value(s)
		return isSet, nil
	case "-t":
		return false, nil
	}
	if !isAvailableTest(op) {
		refuse("test %s: this test is not available here", op)
	}
	return e.testFile(op, s)
}

// isAvailableTest reports whether a test of one operand is available. The others depend on the user
// or the process.
func isAvailableTest(op string) bool { return strings.Contains("abcdefghknprstuvxzLS", op[1:]) }

// testFile tests the file at a path.
func (e *environment) testFile(op, path string) (bool, error) {
	if _, isSpecial := e.files.Special[path]; isSpecial || path == "/dev/null" {
		return op == "-e" || op == "-r" || op == "-c" && path == "/dev/null", nil
	}
	location, err := e.files.Find(e.ctx, path)
	if err != nil {
		return false, nil
	}
	if op == "-L" || op == "-h" {
		info, err := location.Lstat()
		return err == nil && info.Kind == workspace.Symlink, nil
	}
	details, err := location.Describe(true)
	if err != nil {
		return false, nil
	}
	const kind, fifo, char, block, socket = 0o170000, 0o10000, 0o20000, 0o60000, 0o140000
	switch op {
	case "-f":
		return details.Kind == workspace.Regular, nil
	case "-d":
		return details.Kind == workspace.Directory, nil
	case "-s":
		return details.Size > 0, nil
	case "-r":
		return isReadable(location, details.Kind), nil
	case "-x":
		return details.Mode&0o111 != 0, nil
	case "-g":
		return details.Mode&0o2000 != 0, nil
	case "-k":
		return details.Mode&0o1000 != 0, nil
	case "-u":
		return details.Mode&0o4000 != 0, nil
	case "-b":
		return details.Mode&kind == block, nil
	case "-c":
		return details.Mode&kind == char, nil
	case "-p":
		return details.Mode&kind == fifo, nil
	case "-S":
		return details.Mode&kind == socket, nil
	}
	return true, nil
}

func isReadable(location workspace.Location, kind workspace.EntryKind) bool {
	if kind == workspace.Directory {
		dir, err := location.Dir()
		if err != nil {
			return false
		}
		dir.Close()
		return true
	}
	file, err := location.File()
	if err != nil {
		return false
	}
	file.Close()
	return true
}

// testTwo tests two operands.
func (e *environment) testTwo(op, a, b string) (bool, error) {
	switch op {
	case "=", "==":
		return a == b, nil
	case "!=":
		return a != b, nil
	case "<":
		return a < b, nil
	case ">":
		return a > b, nil
	case "-nt", "-ot":
		if op == "-ot" {
			a, b = b, a
		}
		infoA, errA := e.stat(a)
		infoB, errB := e.stat(b)
		return errA == nil && (errB != nil || infoA.ModTime.After(infoB.ModTime)), nil
	case "-ef":
		return e.isSame(a, b), nil
	}
	x, err := parseInteger(a)
	if err != nil {
		return false, err
	}
	y, err := parseInteger(b)
	return compareIntegers(op, x, y), err
}

// isSame reports whether two paths lead to the same file.
func (e *environment) isSame(a, b string) bool {
	describe := func(p string) (workspace.Details, error) {
		location, err := e.files.Find(e.ctx, p)
		if err != nil {
			return workspace.Details{}, err
		}
		return location.Describe(true)
	}
	first, errFirst := describe(a)
	second, errSecond := describe(b)
	isSame := first.Device == second.Device && first.Inode == second.Inode
	return errFirst == nil && errSecond == nil && isSame
}

func parseInteger(s string) (int64, error) {
	n, err := strconv.ParseInt(strings.Trim(s, " \t\n"), 10, 64)
	if err != nil {
		return 0, fmt.Errorf("%s: integer expression expected", s)
	}
	return n, nil
}

// isBinaryTest reports whether op tests two operands.
func isBinaryTest(op string) bool {
	switch op {
	case "=", "==", "!=", "<", ">", "-eq", "-ne", "-lt", "-gt", "-le", "-ge", "-nt", "-ot", "-ef":
		return true
	}
	return false
}

// isUnaryTest reports whether op tests one operand.
func isUnaryTest(op string) bool {
	return len(op) == 2 && op[0] == '-' && strings.Contains("abcdefghknoprstuvwxzGLNORS", op[1:])
}

// runTest is test and "[".
func runTest(e *environment, c *command.Call, _ []command.Option, args []string) int {
	if c.Name == "[" {
		if len(args) == 0 || args[len(args)-1] != "]" {
			c.Fatalf(2, "missing `]'")
		}
		args = args[:len(args)-1]
	}
	t := tester{e: e, args: args}
	ok, err := t.all()
	if err != nil {
		c.Fatalf(2, "%v", err)
	}
	return statusOf(ok)
}

// A tester evaluates the arguments of test.
type tester struct {
	e    *environment
	args []string // that follow
}

// all evaluates all arguments. As in POSIX, their number decides what the first of them mean.
func (t *tester) all() (bool, error) {
	args := t.args
	switch {
	case len(args) == 0:
		return false, nil
	case len(args) == 1:
		return args[0] != "", nil
	case len(args) == 3 && isBinaryTest(args[1]):
		return t.e.testTwo(args[1], args[0], args[2])
	case args[0] == "!" && len(args) <= 4:
		ok, err := (&tester{t.e, args[1:]}).all()
		return !ok, err
	case len(args) == 4 && args[0] == "(" && args[3] == ")":
		return (&tester{t.e, args[1:3]}).all()
	}
	ok, err := t.or()
	if err == nil && len(t.args) > 0 {
		err = errors.New("too many arguments")
	}
	return ok, err
}

func (t *tester) or() (bool, error) {
	t.e.enter()
	defer t.e.leave()
	ok, err := t.and()
	for err == nil && t.skip("-o") {
		var right bool
		right, err = t.and()
		ok = ok || right
	}
	return ok, err
}

func (t *tester) and() (bool, error) {
	ok, err := t.primary()
	for err == nil && t.skip("-a") {
		var right bool
		right, err = t.primary()
		ok = ok && right
	}
	return ok, err
}

// skip skips the next argument if it is word.
func (t *tester) skip(word string) bool {
	if len(t.args) == 0 || t.args[0] != word {
		return false
	}
	t.args = t.args[1:]
	return true
}

func (t *tester) primary() (bool, error) {
	t.e.enter()
	defer t.e.leave()
	args := t.args
	switch {
	case len(args) == 0:
		return false, errors.New("argument expected")
	case len(args) > 2 && isBinaryTest(args[1]):
		t.args = args[3:]
		return t.e.testTwo(args[1], args[0], args[2])
	case t.skip("!"):
		ok, err := t.primary()
		return !ok, err
	case t.skip("("):
		ok, err := t.or()
		if err == nil && !t.skip(")") {
			err = errors.New("`)' expected")
		}
		return ok, err
	case len(args) > 1 && isUnaryTest(args[0]):
		t.args = args[2:]
		return t.e.testOne(args[0], args[1])
	case len(args) > 1 && args[1] != "-a" && args[1] != "-o" && args[1] != ")":
		return false, fmt.Errorf("%s: unary operator expected", args[0])
	}
	t.args = args[1:]
	return args[0] != "", nil
}

// matchExpression is =~. It sets BASH_REMATCH to the match and its groups.
func (e *environment) matchExpression(text string, w *syntax.Word) (bool, error) {
	account := e.newAccount("=~")
	defer account.Release()
	re, err := regex.Compile(regex.Options{Syntax: regex.Extended, Spans: true}, e.expression(w))
	var refusal command.Refusal
	switch {
	case errors.As(err, &refusal):
		panic(command.Abort{Err: err})
	case err != nil:
		return false, err
	}
	account.Grab(len(text))
	bounds := re.NewSearcher(e.ctx, account).Find([]byte(text), 0)
	var groups []string
	for at := 0; at+1 < len(bounds); at += 2 {
		group := ""
		if bounds[at] >= 0 {
			group = text[bounds[at]:bounds[at+1]]
		}
		groups = append(groups, group)
	}
	return bounds != nil, e.setList("BASH_REMATCH", groups)
}

// expression returns the text of a regular expression, whose quoted parts are literal.
func (e *environment) expression(w *syntax.Word) string {
	f := e.expand(w, tildeNone)
	var b strings.Builder
	for at := range len(f.Value) {
		if f.IsQuoted(at) && strings.IndexByte(`\.[]{}()*+?^$|`, f.Value[at]) >= 0 {
			b.WriteByte('\\')
		}
		b.WriteByte(f.Value[at])
	}
	return b.String()
}
