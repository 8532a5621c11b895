// Package grep is grep of the shell.
package grep

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"gander/internal/shell/command"
	"gander/internal/shell/glob"
	"gander/internal/shell/regex"
)

// Commands returns grep, egrep and fgrep.
func Commands() []command.Command {
	return []command.Command{command.New("grep egrep fgrep", "[PATTERNS] [FILE]...", trouble,
		"-E --extended-regexp, -F --fixed-strings, -G --basic-regexp, -P --perl-regexp, "+
			"-e= --regexp=, -i --ignore-case, -v --invert-match, -w --word-regexp, "+
			"-x --line-regexp, -c --count, -l --files-with-matches, -L --files-without-match, "+
			"-m= --max-count=, -o --only-matching, -q --quiet --silent, -s --no-messages, "+
			"-H --with-filename, -h --no-filename, -n --line-number, -A= --after-context=, "+
			"-B= --before-context=, -C= --context=, -NUM, -a --text, -I, "+
			"--exclude=, --exclude-dir=, --include=, -r --recursive, -R --dereference-recursive, "+
			"--color? --colour?, --line-buffered", prepare)}
}

// trouble is the status after an error.
const trouble = 2

// unset is a number of lines of context that was not given.
const unset = -1

// A grep is a prepared call.
type grep struct {
	regex    regex.Options
	isChosen bool // the syntax, by an option or the name of the command
	patterns []string
	re       *regex.Regexp

	invert, count, only, quiet, silent bool
	list, without                      bool // lists the files with matches, or those without
	number                             bool
	names                              int // 1 with, -1 without, 0 by the operands
	before, after, most                int
	around                             int // of -C and -NUM: before and after, unless -B and -A say it
	hasContext                         bool
	text, skipBinary                   bool
	recursive, follow                  bool
	rules                              []rule // about files
	dirs                               []rule // --exclude-dir
	operands                           []string
}

func prepare(a command.Arguments) (command.Run, error) {
	g := &grep{most: math.MaxInt, before: unset, after: unset}
	if a.Name != "grep" {
		_ = g.choose(a.Name) // what it could conflict with follows
	}
	for _, o := range a.Options {
		if err := g.set(o); err != nil {
			return nil, err
		}
	}
	if g.before == unset {
		g.before = g.around
	}
	if g.after == unset {
		g.after = g.around
	}
	g.operands = a.Operands
	if !a.Has("-e") {
		if len(a.Operands) == 0 {
			return nil, command.UsageError("no patterns")
		}
		g.patterns, g.operands = strings.Split(a.Operands[0], "\n"), a.Operands[1:]
	}
	g.regex.Spans = g.only
	if g.most == 0 && !g.without { // whatever the patterns are
		return func(context.Context, *command.Call) int { return 1 }, nil
	}
	if g.regex.Syntax == regex.Perl && len(g.patterns) > 1 {
		return nil, errors.New("the -P option only supports a single pattern")
	}
	re, err := regex.Compile(g.regex, g.patterns...)
	g.re = re
	return g.run, err
}

// choose sets the syntax that an option or the name of the command stands for. Two different ones
// conflict.
func (g *grep) choose(name string) error {
	chosen := map[string]regex.Syntax{
		"egrep": regex.Extended, "-E": regex.Extended, "fgrep": regex.Fixed, "-F": regex.Fixed,
		"-G": regex.Basic, "-P": regex.Perl,
	}[name]
	if g.isChosen && chosen != g.regex.Syntax {
		return errors.New("conflicting matchers specified")
	}
	g.regex.Syntax, g.isChosen = chosen, true
	return nil
}

// set sets an option that changes what is searched.
func (g *grep) set(o command.Option) (err error) {
	switch o.Name {
	case "-E", "-F", "-G", "-P":
		return g.choose(o.Name)
	case "-e":
		g.patterns = append(g.patterns, strings.Split(o.Value, "\n")...)
	case "-i":
		g.regex.IgnoreCase = true
	case "-w":
		g.regex.Word = true
	case "-x":
		g.regex.Line = true
	case "-v":
		g.invert = true
	case "-m":
		g.most, err = parseNumber(o.Value, "invalid max count")
	case "-a":
		g.text, g.skipBinary = true, false
	case "-I":
		g.text, g.skipBinary = false, true
	case "-r", "-R":
		g.recursive, g.follow = true, o.Name == "-R"
	case "--exclude", "--include":
		g.rules, err = addRule(g.rules, o)
	case "--exclude-dir":
		o.Value = cmp.Or(strings.TrimRight(o.Value, "/"), o.Value)
		g.dirs, err = addRule(g.dirs, o)
	default:
		return g.setOutput(o)
	}
	return err
}

// setOutput sets an option that changes what is printed.
func (g *grep) setOutput(o command.Option) error {
	switch o.Name {
	case "-c":
		g.count = true
	case "-l", "-L":
		g.list, g.without = true, o.Name == "-L"
	case "-o":
		g.only = true
	case "-q":
		g.quiet = true
	case "-s":
		g.silent = true
	case "-H":
		g.names = 1
	case "-h":
		g.names = -1
	case "-n":
		g.number = true
	case "-A", "-B", "-C", "-NUM":
		return g.setContext(o)
	case "--color":
		if o.Value == "always" || o.Value == "yes" || o.Value == "force" {
			return command.Refuse("grep --color=always: colors are not available here; leave it out")
		}
	}
	return nil
}

func (g *grep) setContext(o command.Option) error {
	n, err := parseNumber(o.Value, "invalid context length argument")
	switch o.Name {
	case "-A":
		g.after = n
	case "-B":
		g.before = n
	default:
		g.around = n
	}
	g.hasContext = true
	return err
}

func parseNumber(s, wrong string) (int, error) {
	n, err := strconv.ParseInt(s, 10, 64)
	switch {
	case errors.Is(err, strconv.ErrRange):
		return math.MaxInt, nil
	case err != nil, n < 0:
		return 0, fmt.Errorf("%s: %s", s, wrong)
	}
	return int(min(n, math.MaxInt)), nil
}

// A rule includes or excludes the files whose names match.
type rule struct {
	name    *glob.Pattern
	include bool
}

func addRule(rules []rule, o command.Option) ([]rule, error) {
	p, err := glob.Compile(glob.Text{Value: o.Value}, false)
	return append(rules, rule{p, o.Name == "--include"}), err
}

// A filter decides about files by rules. The last rule that matches decides; if none does, the
// opposite of the first.
type filter struct {
	rules   []rule
	account *command.Account
}

// excludes decides about the name of a file. An operand is excluded by the end of its path, too.
func (f filter) excludes(name string, isOperand bool) bool {
	for i := len(f.rules) - 1; i >= 0; i-- {
		matches := f.rules[i].name.Matches(f.account, name)
		for rest, found := name, isOperand; found && !matches; {
			if _, rest, found = strings.Cut(rest, "/"); found {
				matches = f.rules[i].name.Matches(f.account, rest)
			}
		}
		if matches {
			return !f.rules[i].include
		}
	}
	return len(f.rules) > 0 && f.rules[0].include
}
