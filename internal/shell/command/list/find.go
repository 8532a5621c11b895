package list

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"gander/internal/shell/command"
	"gander/internal/shell/glob"
	"gander/internal/shell/regex"
)

const findOptions command.Options = "-maxdepth=, -mindepth=, -regextype=, -name=, " +
	"-iname=, -path= -wholename=, -ipath= -iwholename=, -regex=, -iregex=, -type=, -size=, -empty, " +
	"-mtime=, -mmin=, -newer=, -not, -and -a, -or -o, -print, " +
	"-print0, -printf=, -prune, -quit, -exec="

// A finder is a prepared find.
type finder struct {
	starts      []string
	least, most int // depth
	now         time.Time
	test        test
	batches     []*batch // of -exec +
	references  []string // of -newer
}

// A test is an expression. It reports whether an entry satisfies it.
type test func(w *walking, e *found) bool

// A finderParser parses an expression. It fails if that is invalid.
type finderParser struct {
	*finder
	args      []string
	acts      bool // there is an action
	regexType regex.Syntax
	isEmacs   bool
}

func prepareFind(_ string, args []string) (command.Run, error) {
	p, err := parseFind(args)
	if err != nil {
		return command.Failing(err, 1)
	}
	return func(ctx context.Context, c *command.Call) int {
		f := *p.finder
		f.now = time.Now()
		return f.run(ctx, c)
	}, nil
}

func parseFind(args []string) (p *finderParser, err error) {
	f := &finder{most: math.MaxInt}
	p = &finderParser{finder: f, args: args, isEmacs: true}
	defer command.Catch(&err)
	for len(p.args) > 0 && !isExpression(p.args[0]) {
		f.starts = append(f.starts, p.args[0])
		p.args = p.args[1:]
	}
	if len(f.starts) == 0 {
		f.starts = []string{"."}
	}
	f.test = func(*walking, *found) bool { return true }
	if len(p.args) > 0 {
		f.test = p.list()
	}
	if len(p.args) > 0 {
		p.fail("you have too many ')'")
	}
	if !p.acts {
		condition := f.test
		f.test = func(w *walking, e *found) bool { return condition(w, e) && w.print(e, '\n') }
	}
	return p, nil
}

func isExpression(arg string) bool {
	isOption := len(arg) > 1 && arg[0] == '-'
	return isOption || slices.Contains([]string{"(", ")", "!", ","}, arg)
}

func (p *finderParser) fail(format string, a ...any) {
	command.Fail(fmt.Errorf(format, a...))
}

func (p *finderParser) refuse(format string, a ...any) {
	command.Fail(command.Refuse(format, a...))
}

// take consumes the next argument if it is one of some words.
func (p *finderParser) take(words ...string) bool {
	if len(p.args) > 0 && slices.Contains(words, p.args[0]) {
		p.args = p.args[1:]
		return true
	}
	return false
}

// value consumes the argument of a predicate.
func (p *finderParser) value(name string) string {
	if len(p.args) == 0 {
		p.fail("missing argument to `%s'", name)
	}
	v := p.args[0]
	p.args = p.args[1:]
	return v
}

func (p *finderParser) list() test {
	left := p.or()
	for p.take(",") {
		first, second := left, p.or()
		left = func(w *walking, e *found) bool {
			first(w, e)
			return second(w, e)
		}
	}
	return left
}

func (p *finderParser) or() test {
	left := p.and()
	for p.take("-o", "-or") {
		first, second := left, p.and()
		left = func(w *walking, e *found) bool { return first(w, e) || second(w, e) }
	}
	return left
}

func (p *finderParser) and() test {
	left := p.not()
	for len(p.args) > 0 && !slices.Contains([]string{"-o", "-or", ",", ")"}, p.args[0]) {
		p.take("-a", "-and")
		first, second := left, p.not()
		left = func(w *walking, e *found) bool { return first(w, e) && second(w, e) }
	}
	return left
}

func (p *finderParser) not() test {
	switch {
	case len(p.args) == 0:
		p.fail("expected an expression")
	case p.take("!", "-not"):
		inner := p.not()
		return func(w *walking, e *found) bool { return !inner(w, e) }
	case p.take("("):
		inner := p.list()
		if !p.take(")") {
			p.fail("invalid expression; I was expecting to find a ')' somewhere but did not see one.")
		}
		return inner
	}
	name := p.args[0]
	p.args = p.args[1:]
	return p.predicate(name)
}

func yes(*walking, *found) bool { return true }

// predicate parses a predicate after its name.
func (p *finderParser) predicate(name string) test {
	switch name {
	case "-maxdepth", "-mindepth":
		n, err := strconv.ParseUint(p.value(name), 10, 31)
		if err != nil {
			p.fail("Expected a positive decimal integer argument to %s", name)
		}
		if name == "-maxdepth" {
			p.most = int(n)
		} else {
			p.least = int(n)
		}
		return yes
	case "-regextype":
		p.setRegexType(p.value(name))
		return yes
	}
	if t := p.action(name); t != nil {
		p.acts = p.acts || name != "-prune" && name != "-quit"
		return t
	}
	if t := p.nameTest(name); t != nil {
		return t
	}
	if t := p.propertyTest(name); t != nil {
		return t
	}
	if !isExpression(name) {
		p.fail("paths must precede expression: `%s'", name)
	}
	p.refuse("find %s: not available here; leave it out, or filter what find prints", name)
	return nil
}

// action parses an action, or returns nil.
func (p *finderParser) action(name string) test {
	switch name {
	case "-print":
		return func(w *walking, e *found) bool { return w.print(e, '\n') }
	case "-print0":
		return func(w *walking, e *found) bool { return w.print(e, 0) }
	case "-printf":
		return p.printf(p.value(name))
	case "-prune":
		return func(w *walking, e *found) bool {
			e.pruned = true
			return true
		}
	case "-quit":
		return func(w *walking, _ *found) bool {
			w.ended = true
			return false
		}
	case "-exec":
		return p.exec()
	case "-delete", "-fprint", "-fprint0", "-fprintf", "-fls":
		p.refuse("find %s writes, and nothing can be written here; use -print", name)
	}
	return nil
}

func (p *finderParser) setRegexType(name string) {
	types := map[string]regex.Syntax{
		"posix-extended": regex.Extended, "posix-egrep": regex.Extended, "egrep": regex.Extended,
		"posix-basic": regex.Basic, "emacs": regex.Basic,
	}
	kind, ok := types[name]
	if !ok {
		p.refuse("find -regextype %s: not available here; use posix-extended", name)
	}
	p.regexType, p.isEmacs = kind, name == "emacs"
}

// nameTest parses a test of names, or returns nil.
func (p *finderParser) nameTest(name string) test {
	fold := strings.HasPrefix(name, "-i")
	switch name {
	case "-regex", "-iregex":
		return p.regexTest(p.value(name), fold)
	case "-name", "-iname", "-path", "-ipath", "-wholename", "-iwholename":
	default:
		return nil
	}
	isPath := strings.HasSuffix(name, "path") || strings.HasSuffix(name, "wholename")
	pattern, err := glob.Compile(glob.Text{Value: p.value(name)}, fold)
	if err != nil {
		command.Fail(err)
	}
	return func(w *walking, e *found) bool {
		if isPath {
			return pattern.Matches(w.c.Account, e.path)
		}
		return pattern.Matches(w.c.Account, e.name)
	}
}

// regexTest returns the test whether a regular expression matches the whole path.
func (p *finderParser) regexTest(text string, fold bool) test {
	if p.isEmacs {
		text = p.basic(text)
	}
	re, err := regex.Compile(regex.Options{Syntax: p.regexType, IgnoreCase: fold, Line: true}, text)
	if err != nil {
		command.Fail(err)
	}
	return func(w *walking, e *found) bool { return w.searcher(re).Match([]byte(e.path)) }
}

// basic translates a regular expression in the syntax of Emacs, in which + and ? are operators.
func (p *finderParser) basic(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '\\' && i+1 < len(s):
			i++
			if strings.IndexByte("+?{}", s[i]) < 0 {
				b.WriteByte('\\')
			}
			b.WriteByte(s[i])
		case s[i] == '+', s[i] == '?':
			b.WriteString(`\` + s[i:i+1])
		case s[i] == '[':
			size := strings.IndexByte(s[min(i+2, len(s)):], ']') + 3
			if size < 3 || strings.Contains(s[i:i+size], "[:") {
				p.refuse("find -regex %q: the set is not supported; use -regextype posix-extended", s)
			}
			b.WriteString(s[i : i+size])
			i += size - 1
		default:
			b.WriteByte(s[i])
		}
	}
	return b.String()
}

// A batch is the arguments that a command of -exec + gets at once.
type batch struct {
	argv  []string
	paths []string
	size  int
}

const maxBatch = 100 << 10 // bytes of paths

// exec parses the command of -exec.
func (p *finderParser) exec() test {
	var argv []string
	for {
		arg := p.value("-exec")
		isEnd := arg == ";" || arg == "+" && len(argv) > 1 && argv[len(argv)-1] == "{}"
		if isEnd && len(argv) == 0 {
			p.fail("invalid argument `;' to `-exec'")
		}
		if isEnd && arg == ";" {
			return func(w *walking, e *found) bool { return w.exec(argv, e.path) }
		}
		if isEnd {
			break
		}
		argv = append(argv, arg)
	}
	argv = argv[:len(argv)-1]
	if slices.ContainsFunc(argv, func(s string) bool { return strings.Contains(s, "{}") }) {
		p.fail("Only one instance of {} is supported with -exec ... +")
	}
	index := len(p.batches)
	p.batches = append(p.batches, &batch{argv: argv})
	return func(w *walking, e *found) bool {
		b := w.batches[index]
		if b.size+len(e.path) >= maxBatch {
			w.runBatch(b)
		}
		const header = 16
		w.c.Account.Grab(len(e.path) + header)
		b.paths = append(b.paths, e.path)
		b.size += len(e.path) + 1
		return true
	}
}

// nestedFind returns the commands of -exec.
func nestedFind(args []string) (nested [][]string) {
	for i, arg := range args {
		if arg != "-exec" {
			continue
		}
		rest := args[i+1:]
		end := slices.IndexFunc(rest, func(s string) bool { return s == ";" || s == "+" })
		if end > 0 {
			nested = append(nested, slices.DeleteFunc(slices.Clone(rest[:end]), func(s string) bool {
				return s == "{}" && rest[end] == "+"
			}))
		}
	}
	return nested
}
