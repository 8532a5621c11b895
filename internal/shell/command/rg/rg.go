// Package rg is ripgrep of the shell.
package rg

import (
	"context"
	_ "embed" // for the types of files
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"gander/internal/files/ignore"
	"gander/internal/search"
	"gander/internal/search/match"
	"gander/internal/search/syntax"
	"gander/internal/shell/command"
	"gander/internal/shell/regex"
)

// Commands returns rg.
func Commands() []command.Command {
	return []command.Command{command.New("rg", "PATTERN [PATH]...", trouble, "-e= --regexp=, "+
		"-F --fixed-strings, -i --ignore-case, -S --smart-case, -s --case-sensitive, -n --line-number, "+
		"-N --no-line-number, -v --invert-match, -w --word-regexp, -x --line-regexp, "+
		"-l --files-with-matches, -c --count, "+
		"-o --only-matching, -q --quiet, -A= --after-context=, -B= --before-context=, -C= --context=, "+
		"-g= --glob=, -t= --type=, -T= --type-not=, -m= --max-count=, -H --with-filename, "+
		"-I --no-filename, -u --unrestricted, -. --hidden, --no-ignore, --no-ignore-vcs, --files, "+
		"--no-heading, --color=, --sort=, -P --pcre2, -d= --max-depth= --maxdepth=, --no-config, "+
		"--no-messages, -j= --threads=, --line-buffered", prepare)}
}

// trouble is the status after an error.
const trouble = 2

// A mode is what is printed.
type mode uint8

const (
	lines mode = iota
	names
	counts
	files
)

// A ripgrep is a prepared call.
type ripgrep struct {
	options search.Options
	mode    mode

	patterns                         []string
	literal, ignoreCase, smart, perl bool
	word, line                       bool
	matcher                          *match.Matcher
	only, quiet, silent              bool
	numbered                         bool
	names                            int // 1 with, -1 without, 0 by the operands
	after, most                      int
	unrestricted                     int
	operands                         []string
}

func prepare(a command.Arguments) (command.Run, error) {
	r := &ripgrep{most: math.MaxInt}
	r.options.Scope = search.Scope{Ignore: ignore.Options{
		Git: true, Nested: true, OpenGit: true, Tools: search.ToolIgnoreFiles(),
	}}
	// -A and -B prevail over -C, wherever that stands.
	slices.SortStableFunc(a.Options, func(x, y command.Option) int {
		return sign(x.Name != "-C") - sign(y.Name != "-C")
	})
	for _, o := range a.Options {
		if err := r.set(o); err != nil {
			return nil, err
		}
	}
	r.operands = a.Operands
	switch {
	case r.mode == files || a.Has("-e"):
	case len(a.Operands) == 0:
		return nil, errors.New("ripgrep requires at least one pattern to execute a search")
	default:
		r.patterns, r.operands = a.Operands[:1], a.Operands[1:]
	}
	if r.mode == counts && r.only {
		return nil, command.Refuse("rg -c -o: not available together; use rg -o | wc -l")
	}
	r.setOutput()
	switch {
	case r.mode == files:
		return r.run, nil
	case r.most == 0: // whatever the patterns are
		return func(context.Context, *command.Call) int { return 1 }, nil
	}
	return r.run, r.compile()
}

// setOutput sets what the search yields.
func (r *ripgrep) setOutput() {
	switch {
	case r.quiet, r.mode == names:
		r.options.Output = search.Names
	case r.mode == counts && r.most == math.MaxInt:
		r.options.Output = search.Counts
	}
	r.after = r.options.After
	if r.mode != lines {
		r.options.Before, r.options.After = 0, 0
	}
}

// set sets an option that changes what is searched.
func (r *ripgrep) set(o command.Option) (err error) {
	scope := &r.options.Scope
	switch o.Name {
	case "-e":
		r.patterns = append(r.patterns, o.Value)
	case "-F":
		r.literal = true
	case "-i", "-S", "-s":
		r.ignoreCase, r.smart = o.Name == "-i", o.Name == "-S"
	case "-P":
		r.perl = true
	case "-v":
		r.options.Invert = true
	case "-w", "-x":
		r.word, r.line = o.Name == "-w", o.Name == "-x"
	case "-g":
		scope.Globs = append(scope.Globs, o.Value)
	case "-t", "-T":
		return r.setType(o)
	case "-m":
		r.most, err = parseNumber(o)
	case "-u":
		r.unrestricted++
		return r.setUnrestricted()
	case "-.":
		scope.Hidden = true
	case "--no-ignore":
		scope.Ignore = ignore.Options{}
	case "--no-ignore-vcs":
		scope.Ignore.Git = false
	case "-d":
		scope.Depth, err = parseNumber(o)
		if scope.Depth == 0 {
			return command.Refuse("rg --max-depth 0: not supported; name the files")
		}
	case "--sort":
		if o.Value != "none" && o.Value != "path" {
			return command.Refuse("rg --sort %s: not available here; the order is by path", o.Value)
		}
	default:
		return r.setPrinting(o)
	}
	return err
}

func (r *ripgrep) setUnrestricted() error {
	r.options.Scope.Ignore = ignore.Options{}
	r.options.Scope.Hidden = r.options.Scope.Hidden || r.unrestricted > 1
	if r.unrestricted > 2 {
		return command.Refuse("rg -uuu: not supported; use -uu, which leaves only binary files out")
	}
	return nil
}

// typeTable has the globs of the types of files of ripgrep 15, as its --type-list prints them.
//
//go:embed types.txt
var typeTable string

func (r *ripgrep) setType(o command.Option) error {
	_, list, ok := strings.Cut("\n"+typeTable, "\n"+o.Value+": ")
	if !ok {
		return fmt.Errorf("unrecognized file type: %s", o.Value)
	}
	list, _, _ = strings.Cut(list, "\n")
	for glob := range strings.SplitSeq(list, ", ") {
		if o.Name == "-T" {
			glob = "!" + glob
		}
		r.options.Types = append(r.options.Types, glob)
	}
	return nil
}

// setPrinting sets an option that changes what is printed.
func (r *ripgrep) setPrinting(o command.Option) error {
	switch o.Name {
	case "-l", "-c", "--files":
		r.mode = map[string]mode{"-l": names, "-c": counts, "--files": files}[o.Name]
	case "-n", "-N":
		r.numbered = o.Name == "-n"
	case "-H", "-I":
		r.names = sign(o.Name == "-H")
	case "-o":
		r.only = true
	case "-q":
		r.quiet = true
	case "-A", "-B", "-C":
		return r.setContext(o)
	case "--no-messages":
		r.silent = true
	case "--color":
		if o.Value == "always" || o.Value == "ansi" {
			return command.Refuse("rg --color=%s: colors are not available here; leave it out", o.Value)
		}
	}
	return nil
}

func sign(positive bool) int {
	if positive {
		return 1
	}
	return -1
}

// maxBefore is the maximum number of lines before a match, which are held for every line.
const maxBefore = 1000

func (r *ripgrep) setContext(o command.Option) error {
	n, err := parseNumber(o)
	if o.Name != "-A" {
		if n > maxBefore {
			return command.Refuse("rg %s %d: at most %d lines before a match are available here; use less",
				o.Name, n, maxBefore)
		}
		r.options.Before = n
	}
	if o.Name != "-B" {
		r.options.After = n
	}
	return err
}

func parseNumber(o command.Option) (int, error) {
	n, err := strconv.ParseUint(strings.TrimPrefix(o.Value, "="), 10, 31)
	if err != nil {
		return 0, fmt.Errorf("error parsing flag %s: value is not a valid number: %s", o.Name, o.Value)
	}
	return int(n), nil
}

// compile compiles the patterns.
func (r *ripgrep) compile() (err error) {
	ignoreCase := r.ignoreCase || r.smart && isLower(strings.Join(r.patterns, "\n"), r.literal)
	var parts []string
	for _, pattern := range r.patterns {
		if r.literal {
			pattern = regexp.QuoteMeta(pattern)
		}
		if r.perl {
			if strings.Contains(strings.ReplaceAll(pattern, `\\`, ""), `\K`) {
				return command.Refuse(`rg -P: \K is not supported; use sed`)
			}
			if pattern, err = regex.FromPerl(pattern, false); err != nil {
				return err
			}
		}
		parts = append(parts, "(?:"+pattern+")")
	}
	pattern := strings.Join(parts, "|")
	switch {
	case r.line:
		pattern = "^(?:" + pattern + ")$"
	case r.word:
		pattern = `\b{start-half}(?:` + pattern + `)\b{end-half}`
	}
	r.matcher, err = match.Compile(context.Background(), pattern, match.Options{IgnoreCase: ignoreCase})
	var wrong *syntax.Error
	isInvalid := errors.As(err, &wrong) && !r.perl && !isUnsupported.MatchString(wrong.Message)
	if err == nil || isInvalid || errors.As(err, &command.Refusal{}) {
		return err
	}
	return command.Refuse("rg: %v", err)
}

// isUnsupported matches what is wrong with patterns that ripgrep may accept.
var isUnsupported = regexp.MustCompile(
	"not supported|unknown property|too |line feed|flag|instructions")

// notLiteral are the parts of a pattern whose letters are no text.
var notLiteral = regexp.MustCompile(
	`\\[pPx]\{[^}]*\}|\(\?P?<\w*>|\(\?[A-Za-z-]*[:)]|\\x[0-9A-Fa-f]{2}|\\.`)

// isLower reports whether a pattern has letters, and none in upper case.
func isLower(pattern string, literal bool) bool {
	if !literal {
		pattern = notLiteral.ReplaceAllString(pattern, "")
	}
	return strings.ContainsFunc(pattern, unicode.IsLetter) &&
		!strings.ContainsFunc(pattern, unicode.IsUpper)
}
