// Package rg is ripgrep of the shell.
package rg

import (
	"context"
	_ "embed" // for the types of files
	"errors"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"gander/internal/files/ignore"
	"gander/internal/files/walk"
	"gander/internal/search"
	"gander/internal/search/match"
	"gander/internal/search/syntax"
	"gander/internal/shell/command"
	"gander/internal/shell/regex"
)

const options = "-e= --regexp=, -f= --file=, -F --fixed-strings, -i --ignore-case, " +
	"-S --smart-case, -s --case-sensitive, -n --line-number, -N --no-line-number, " +
	"-v --invert-match, -w --word-regexp, -x --line-regexp, -l --files-with-matches, " +
	"--files-without-match, -c --count, --count-matches, -o --only-matching, -q --quiet, " +
	"-A= --after-context=, -B= --before-context=, -C= --context=, -g= --glob=, --iglob=, " +
	"-t= --type=, -T= --type-not=, -m= --max-count=, -H --with-filename, -I --no-filename, " +
	"-u --unrestricted, -. --hidden, --no-hidden, --no-ignore, --no-ignore-vcs, " +
	"--no-ignore-dot, --ignore, --files, --heading, --no-heading, --color=, --colors=, " +
	"--sort=, --sortr=, --sort-files, --column, --no-column, --vimgrep, -r= --replace=, " +
	"-P --pcre2, --no-pcre2, --engine=, -d= --max-depth= --maxdepth=, --trim, --no-trim, " +
	"-a --text, -0 --null, --include-zero, --no-config, --no-messages, --context-separator=, " +
	"--no-context-separator, -M= --max-columns=, --type-list, -j= --threads=, --mmap, " +
	"--no-mmap, --line-buffered, --block-buffered, --crlf, --no-multiline, --no-unicode, " +
	"--no-require-git, -h"

// Commands returns rg.
func Commands() []command.Command {
	return []command.Command{command.New("rg", "PATTERN [PATH]...", trouble, options, prepare)}
}

// trouble is the status after an error.
const trouble = 2

// A mode is what is printed.
type mode uint8

const (
	lines mode = iota
	names
	namesWithout
	counts
	matchCounts
	files
	typeList
)

// A ripgrep is a prepared call.
type ripgrep struct {
	options search.Options
	mode    mode

	patterns, patternFiles             []string
	literal, ignoreCase, smart, perl   bool
	word, line                         bool
	matcher                            *match.Matcher
	groups                             *regex.Regexp // for replace
	replace                            *string
	only, quiet, column, vimgrep, trim bool
	heading, null, zero, silent        bool
	numbers, names                     int // 1 with, -1 without, 0 by the others
	separator                          string
	hasSeparator                       bool
	after, most, maxColumns            int
	unrestricted                       int
	operands                           []string
}

func prepare(a command.Arguments) (command.Run, error) {
	r := &ripgrep{separator: "--", hasSeparator: true, most: math.MaxInt}
	r.options.Scope = search.Scope{Ignore: ignore.Options{
		Git: true, Nested: true, OpenGit: true, Tools: search.ToolIgnoreFiles(),
	}}
	for _, o := range a.Options {
		if err := r.set(o); err != nil {
			return nil, err
		}
	}
	if err := checkNames(a); err != nil {
		return nil, err
	}
	isExact := r.replace != nil || r.column || r.only
	if r.maxColumns > 0 && isExact {
		return nil, command.Refuse("rg -M: not supported together with -r, -o or --column; leave it out")
	}
	r.operands = a.Operands
	switch {
	case r.mode == files || r.mode == typeList || a.Has("-e") || a.Has("-f"):
	case len(a.Operands) == 0:
		return nil, errors.New("ripgrep requires at least one pattern to execute a search")
	default:
		r.patterns, r.operands = a.Operands[:1], a.Operands[1:]
	}
	if r.mode == counts && r.only {
		r.mode = matchCounts
	}
	if r.options.Invert && r.mode == matchCounts {
		r.mode = counts
	}
	r.setOutput()
	if len(r.patternFiles) > 0 || r.mode >= files {
		return r.run, nil
	}
	return r.run, r.compile(context.Background())
}

// checkNames refuses the short forms of long options, which ripgrep does not accept.
func checkNames(a command.Arguments) error {
	listed := " " + strings.ReplaceAll(options, ",", "") + " "
	isValue := false // of the option before
	for _, arg := range a.All {
		name, _, _ := strings.Cut(arg, "=")
		isKnown := strings.Contains(listed, " "+name+" ") || strings.Contains(listed, " "+name+"= ")
		switch {
		case isValue:
			isValue = false
			continue
		case arg == "--":
			return nil
		case strings.HasPrefix(arg, "--") && !isKnown:
			return errors.New("unrecognized flag " + name)
		case strings.HasPrefix(arg, "--"):
			isValue = strings.Contains(listed, " "+arg+"= ")
		case len(arg) > 1 && arg[0] == '-':
			isValue = strings.Contains(listed, " -"+arg[len(arg)-1:]+"= ")
		}
	}
	return nil
}

// setOutput sets what the search yields.
func (r *ripgrep) setOutput() {
	isOnlyName := r.quiet && r.mode != namesWithout || r.mode == names
	switch {
	case isOnlyName:
		r.options.Output = search.Names
	case r.mode == counts && r.most == math.MaxInt, r.mode == namesWithout:
		r.options.Output = search.Counts
		r.options.Zero = r.zero || r.mode == namesWithout
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
	case "-f":
		r.patternFiles = append(r.patternFiles, o.Value)
	case "-F":
		r.literal = true
	case "-i", "-S", "-s":
		r.ignoreCase, r.smart = o.Name == "-i", o.Name == "-S"
	case "-P", "--no-pcre2":
		r.perl = o.Name == "-P"
	case "--engine":
		r.perl = o.Value == "pcre2"
	case "-v":
		r.options.Invert = true
	case "-w", "-x":
		r.word, r.line = o.Name == "-w", o.Name == "-x"
	case "-g":
		scope.Globs = append(scope.Globs, o.Value)
	case "--iglob":
		scope.Globs = append(scope.Globs, foldGlob(o.Value))
	case "-t", "-T":
		return r.setType(o)
	case "-m":
		r.most, err = parseNumber(o)
	case "-u":
		r.unrestricted++
		return r.setUnrestricted()
	case "-.", "--no-hidden":
		scope.Hidden = o.Name == "-."
	case "--no-ignore":
		scope.Ignore = ignore.Options{}
	case "--no-ignore-vcs":
		scope.Ignore.Git = false
	case "--no-ignore-dot":
		scope.Ignore.Tools = nil
	case "-d":
		scope.Depth, err = parseNumber(o)
		if scope.Depth == 0 {
			return command.Refuse("rg --max-depth 0: not supported; name the files")
		}
	case "--sort", "--sortr":
		isNewest := o.Name == "--sortr" && o.Value == "modified"
		if isNewest {
			scope.Order = walk.NewestFirst
		} else if o.Value != "none" && (o.Name != "--sort" || o.Value != "path") {
			return command.Refuse("rg %s %s: not supported; the order is by path, or --sortr modified",
				o.Name, o.Value)
		}
	case "--no-unicode", "--no-require-git", "--crlf", "-h", "--ignore", "-a":
		return command.Refuse("rg %s: not supported; leave it out", o.Name)
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
func (r *ripgrep) setPrinting(o command.Option) (err error) {
	switch o.Name {
	case "-l", "--files-without-match", "-c", "--count-matches", "--files", "--type-list":
		r.mode = map[string]mode{
			"-l": names, "--files-without-match": namesWithout, "-c": counts, "--count-matches": matchCounts,
			"--files": files, "--type-list": typeList,
		}[o.Name]
	case "-n", "-N":
		r.numbers = sign(o.Name == "-n")
	case "-H", "-I":
		r.names = sign(o.Name == "-H")
	case "-o":
		r.only = true
	case "-q":
		r.quiet = true
	case "-A", "-B", "-C":
		return r.setContext(o)
	case "--heading", "--no-heading":
		r.heading = o.Name == "--heading"
	case "--column", "--no-column":
		r.column = o.Name == "--column"
	case "--vimgrep":
		r.vimgrep, r.column = true, true
	case "-r":
		r.replace = &o.Value
	case "--trim", "--no-trim":
		r.trim = o.Name == "--trim"
	case "-0":
		r.null = true
	case "--include-zero":
		r.zero = true
	case "--no-messages":
		r.silent = true
	case "--context-separator", "--no-context-separator":
		r.separator, r.hasSeparator = o.Value, o.Name == "--context-separator"
	case "-M":
		r.maxColumns, err = parseNumber(o)
	case "--color":
		if o.Value == "always" || o.Value == "ansi" {
			return command.Refuse("rg --color=%s: colors are not available here; leave it out", o.Value)
		}
	}
	return err
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

// foldGlob returns a glob that matches in any case.
func foldGlob(glob string) string {
	var b strings.Builder
	inClass := false
	for _, c := range glob {
		switch {
		case c == '[' || c == ']':
			inClass = c == '['
			b.WriteRune(c)
		case unicode.IsLetter(c) && inClass:
			b.WriteString(string(unicode.ToLower(c)) + string(unicode.ToUpper(c)))
		case unicode.IsLetter(c):
			b.WriteString("[" + string(unicode.ToLower(c)) + string(unicode.ToUpper(c)) + "]")
		default:
			b.WriteRune(c)
		}
	}
	return b.String()
}

// compile compiles the patterns.
func (r *ripgrep) compile(ctx context.Context) (err error) {
	ignoreCase := r.ignoreCase || r.smart && isLower(strings.Join(r.patterns, "\n"), r.literal)
	var parts []string
	for _, pattern := range r.patterns {
		if r.literal {
			pattern = regexp.QuoteMeta(pattern)
		}
		if r.perl {
			if strings.Contains(strings.ReplaceAll(pattern, `\\`, ""), `\K`) {
				return command.Refuse(`rg -P: \K is not supported; use -o with -r '$1'`)
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
	r.matcher, err = match.Compile(ctx, pattern, match.Options{IgnoreCase: ignoreCase})
	if err == nil && r.replace != nil {
		r.groups, err = regex.Compile(
			regex.Options{Syntax: regex.Ripgrep, IgnoreCase: ignoreCase}, pattern)
	}
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
