package list

import (
	"context"
	"fmt"
	"math"
	"regexp"
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

// A finder is a find: first the parser of its arguments, then the run over its operands. The
// methods of the parser end it with [command.Fail] if the expression is invalid.
type finder struct {
	args      []string // that are not parsed yet
	regexType regex.Syntax
	isEmacs   bool
	acts      bool // there is an action

	starts      []string // the operands
	least, most int      // depth
	test        test
	batches     []*batch // of -exec +
	references  []string // the arguments of -newer

	ctx    context.Context // of the call
	c      *command.Call
	now    time.Time
	ended  bool // by -quit
	status int
	newer  map[string]time.Time // the times of the references, by their paths
}

// A test is a compiled expression: it reports whether an entry satisfies it. Actions and options
// are tests, too.
type test func(e *candidate) bool

func prepareFind(_ string, args []string) (command.Run, error) {
	f := &finder{
		args: args, isEmacs: true, most: math.MaxInt, newer: make(map[string]time.Time),
	}
	if err := f.parse(); err != nil {
		return command.Failing(err, 1)
	}
	return f.run, nil
}

func (f *finder) parse() (err error) {
	defer command.Catch(&err)
	for len(f.args) > 0 && !isExpression(f.args[0]) {
		f.starts = append(f.starts, f.args[0])
		f.args = f.args[1:]
	}
	if len(f.starts) == 0 {
		f.starts = []string{"."}
	}
	f.test = yes
	if len(f.args) > 0 {
		f.test = f.list()
	}
	if len(f.args) > 0 {
		f.fail("you have too many ')'")
	}
	if !f.acts {
		condition := f.test
		f.test = func(e *candidate) bool { return condition(e) && f.print(e, '\n') }
	}
	return nil
}

func isExpression(arg string) bool {
	isOption := len(arg) > 1 && arg[0] == '-'
	return isOption || slices.Contains([]string{"(", ")", "!", ","}, arg)
}

func (f *finder) fail(format string, a ...any) {
	command.Fail(fmt.Errorf(format, a...))
}

func (f *finder) refuse(format string, a ...any) {
	command.Fail(command.Refuse(format, a...))
}

// take consumes the next argument if it is one of some words.
func (f *finder) take(words ...string) bool {
	if len(f.args) > 0 && slices.Contains(words, f.args[0]) {
		f.args = f.args[1:]
		return true
	}
	return false
}

// value consumes the argument of a predicate.
func (f *finder) value(name string) string {
	if len(f.args) == 0 {
		f.fail("missing argument to `%s'", name)
	}
	v := f.args[0]
	f.args = f.args[1:]
	return v
}

// list compiles expressions that commas separate. The methods after it compile what binds tighter:
// or, and, not.
func (f *finder) list() test {
	left := f.or()
	for f.take(",") {
		first, second := left, f.or()
		left = func(e *candidate) bool {
			first(e)
			return second(e)
		}
	}
	return left
}

func (f *finder) or() test {
	left := f.and()
	for f.take("-o", "-or") {
		first, second := left, f.and()
		left = func(e *candidate) bool { return first(e) || second(e) }
	}
	return left
}

func (f *finder) and() test {
	left := f.not()
	for len(f.args) > 0 && !slices.Contains([]string{"-o", "-or", ",", ")"}, f.args[0]) {
		f.take("-a", "-and")
		first, second := left, f.not()
		left = func(e *candidate) bool { return first(e) && second(e) }
	}
	return left
}

func (f *finder) not() test {
	switch {
	case len(f.args) == 0:
		f.fail("expected an expression")
	case f.take("!", "-not"):
		inner := f.not()
		return func(e *candidate) bool { return !inner(e) }
	case f.take("("):
		inner := f.list()
		if !f.take(")") {
			f.fail("invalid expression; I was expecting to find a ')' somewhere but did not see one.")
		}
		return inner
	}
	name := f.args[0]
	f.args = f.args[1:]
	return f.primary(name)
}

func yes(*candidate) bool { return true }

// primary compiles a primary after its name.
func (f *finder) primary(name string) test {
	compile := primaries[name]
	switch {
	case compile != nil:
		return compile(f, name)
	case !isExpression(name):
		f.fail("paths must precede expression: `%s'", name)
	case slices.Contains([]string{"-delete", "-fprint", "-fprint0", "-fprintf", "-fls"}, name):
		f.refuse("find %s writes, and nothing can be written here; use -print", name)
	}
	f.refuse("find %s: not available here; leave it out, or filter what find prints", name)
	return nil
}

// primaries compile the primaries by their names.
var primaries = map[string]func(f *finder, name string) test{
	"-maxdepth": func(f *finder, name string) test {
		f.most = f.depth(name)
		return yes
	},
	"-mindepth": func(f *finder, name string) test {
		f.least = f.depth(name)
		return yes
	},
	"-regextype": (*finder).setRegexType,
	"-name":      (*finder).nameTest, "-iname": (*finder).nameTest,
	"-path": (*finder).nameTest, "-ipath": (*finder).nameTest,
	"-wholename": (*finder).nameTest, "-iwholename": (*finder).nameTest,
	"-regex": (*finder).regexTest, "-iregex": (*finder).regexTest,
	"-type": (*finder).typeTest, "-size": (*finder).sizeTest,
	"-empty": func(f *finder, _ string) test { return f.isEmpty },
	"-mtime": (*finder).ageTest, "-mmin": (*finder).ageTest,
	"-newer": func(f *finder, name string) test {
		other := f.value(name)
		f.references = append(f.references, other)
		return func(e *candidate) bool { return f.info(e).ModTime.After(f.newer[other]) }
	},
	"-print": func(f *finder, _ string) test {
		return f.action(func(e *candidate) bool { return f.print(e, '\n') })
	},
	"-print0": func(f *finder, _ string) test {
		return f.action(func(e *candidate) bool { return f.print(e, 0) })
	},
	"-printf": func(f *finder, name string) test { return f.action(f.printf(f.value(name))) },
	"-exec":   func(f *finder, _ string) test { return f.action(f.exec()) },
	"-prune": func(*finder, string) test {
		return func(e *candidate) bool {
			e.pruned = true
			return true
		}
	},
	"-quit": func(f *finder, _ string) test {
		return func(*candidate) bool {
			f.ended = true
			return false
		}
	},
}

// action returns an action, with which find does not print by itself.
func (f *finder) action(do test) test {
	f.acts = true
	return do
}

func (f *finder) depth(name string) int {
	n, err := strconv.ParseUint(f.value(name), 10, 31)
	if err != nil {
		f.fail("Expected a positive decimal integer argument to %s", name)
	}
	return int(n)
}

func (f *finder) setRegexType(option string) test {
	name := f.value(option)
	syntaxes := map[string]regex.Syntax{
		"posix-extended": regex.Extended, "posix-egrep": regex.Extended, "egrep": regex.Extended,
		"posix-basic": regex.Basic, "emacs": regex.Basic,
	}
	syntax, ok := syntaxes[name]
	if !ok {
		f.refuse("find -regextype %s: not available here; use posix-extended", name)
	}
	f.regexType, f.isEmacs = syntax, name == "emacs"
	return yes
}

// nameTest compiles a test of names: -name and -iname, or of whole paths: the others.
func (f *finder) nameTest(name string) test {
	isPath := !strings.HasSuffix(name, "-name") && name != "-iname"
	pattern, err := glob.Compile(glob.Text{Value: f.value(name)}, strings.HasPrefix(name, "-i"))
	if err != nil {
		command.Fail(err)
	}
	return func(e *candidate) bool {
		if isPath {
			return pattern.Matches(f.c.Account, e.path)
		}
		return pattern.Matches(f.c.Account, e.name)
	}
}

// regexTest compiles the test whether a regular expression matches the whole path.
func (f *finder) regexTest(name string) test {
	text := f.value(name)
	if f.isEmacs {
		text = f.fromEmacs(text)
	}
	o := regex.Options{Syntax: f.regexType, IgnoreCase: name == "-iregex", Line: true}
	re, err := regex.Compile(o, text)
	if err != nil {
		command.Fail(err)
	}
	var searcher *regex.Searcher
	return func(e *candidate) bool {
		if searcher == nil {
			searcher = re.NewSearcher(f.ctx, f.c.Account)
		}
		return searcher.Match([]byte(e.path))
	}
}

// emacsToken matches what fromEmacs translates or refuses.
var emacsToken = regexp.MustCompile(`(?s)\\.|[+?]|\[.[^\]]*\]|\[`)

// fromEmacs translates a regular expression from the syntax of Emacs, in which + and ? are
// operators, to the basic one.
func (f *finder) fromEmacs(s string) string {
	return emacsToken.ReplaceAllStringFunc(s, func(token string) string {
		switch {
		case token == "+", token == "?":
			return `\` + token
		case token == `\+`, token == `\?`, token == `\{`, token == `\}`:
			return token[1:]
		case token == "[", strings.Contains(token, "[:"):
			f.refuse("find -regex %q: the set is not supported; use -regextype posix-extended", s)
		}
		return token
	})
}

// nestedFind returns the commands of -exec, which are checked before find runs. The "{}" before a
// "+" is no argument of them.
func nestedFind(args []string) (nested [][]string) {
	for i, arg := range args {
		if arg != "-exec" {
			continue
		}
		rest := args[i+1:]
		end := 0 // a "+" ends the command after {} only
		for end < len(rest) && rest[end] != ";" && (rest[end] != "+" || !hasBraces(rest[:end])) {
			end++
		}
		if 0 < end && end < len(rest) {
			nested = append(nested, slices.DeleteFunc(slices.Clone(rest[:end]), func(s string) bool {
				return s == "{}" && rest[end] == "+"
			}))
		}
	}
	return nested
}

// hasBraces reports whether arguments end in {}.
func hasBraces(args []string) bool { return len(args) > 0 && args[len(args)-1] == "{}" }
