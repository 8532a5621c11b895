// Package pattern matches paths with globs. One matcher serves every syntax of the program; see
// [Syntax].
//
// A path is relative to some directory: components separated by slashes, none of which is empty,
// "." or "..". A pattern is matched with the whole path. In every syntax ? is one unit, * any
// number of units, and a dot at the beginning of a name is not special.
//
// Compiling and matching are bounded: a [Compiler] limits the patterns that it compiles together,
// and matching takes time proportional to the product of the lengths of pattern and path.
package pattern

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// A Syntax is a language of globs.
type Syntax uint8

const (
	// Path is the syntax for deny patterns, and the strictest: a pattern that can match no path is
	// an error.
	//
	//	?       one character
	//	*       any number of characters within a component
	//	**      as a whole component, any number of components; elsewhere the same as *
	//	[a-z]   a character of the class; [!a-z] and [^a-z] any other character except a slash
	//	{a,b}   one of the alternatives, which may be empty, contain slashes, and be nested
	//	\c      the character c
	//
	// The pattern dir/** matches dir and everything below it.
	Path Syntax = iota
	// Toolkit is the syntax of the toolkit's tree. It differs from Path in that a class may match a
	// slash, that dir/** does not match dir, and that a pattern which can match no path is valid.
	Toolkit
	// Gemini has only * and ?. They match UTF-16 units, including slashes but not line ends.
	Gemini
	// Minimatch is the syntax of the npm package minimatch 10.2.6 with its option dot, except that
	// !(...), *(...), +(...) and ranges in braces are errors. It matches UTF-16 units.
	Minimatch
	// Ripgrep is the syntax of ripgrep's --glob, for [CompileList].
	Ripgrep
	// Ignore is the syntax of git's wildmatch, for [Gitignore].
	Ignore
)

const (
	maxLength    = 4096      // of a pattern in bytes
	maxMinimatch = 1 << 16   // of a minimatch pattern in bytes
	maxCompiled  = 128 << 10 // bytes of all alternatives that one Compiler compiles
	maxExpanding = 4 << 20   // steps of expanding braces, for one Compiler
	perPattern   = 8         // bytes that an alternative counts in addition to its length
)

// ErrTooLarge reports patterns whose alternatives are too large together.
var ErrTooLarge = errors.New("its braces stand for too many alternatives")

var errNothing = errors.New("the pattern matches nothing")

// A Compiler compiles patterns that are used together, and limits their total size.
type Compiler struct {
	ctx   context.Context
	left  int // bytes of alternatives
	steps int // of expanding braces
}

// NewCompiler returns a Compiler. It fails with the error of ctx once that is done.
func NewCompiler(ctx context.Context) *Compiler {
	return &Compiler{ctx: ctx, left: maxCompiled, steps: maxExpanding}
}

// A Pattern is a compiled glob. It is immutable and safe for concurrent use.
type Pattern struct {
	alternatives []Program
	negated      bool // it matches what the alternatives do not match
}

// A Program is a compiled pattern without braces.
type Program struct {
	prefix, suffix string // of every path that matches
	code           string // for the text after prefix
	bySuffix       bool   // every path that ends with suffix matches
	utf16          bool   // units are UTF-16 units
}

// Compile compiles a pattern in any syntax except Ripgrep and Ignore. If fold is set, which the
// syntax Path allows, the paths to match are those that [text.Fold] returns. The error does not
// name the pattern.
func (c *Compiler) Compile(s Syntax, pattern string, fold bool) (*Pattern, error) {
	if c.ctx.Err() != nil {
		return nil, c.ctx.Err()
	}
	p := new(Pattern)
	var alternatives []string
	var err error
	switch s {
	case Minimatch:
		return p, c.minimatch(p, pattern)
	case Gemini:
		alternatives, err = []string{units(pattern)}, c.take(pattern)
	case Path:
		alternatives, err = c.Alternatives(pattern)
	default:
		alternatives, err = c.Expand(s, pattern)
	}
	if err != nil {
		return nil, err
	}
	for _, a := range alternatives {
		if s == Path {
			if err := checkStart(a); err != nil {
				return nil, err
			}
		}
		from := &parser{Compiler: c, syntax: s, s: a, fold: fold, head: -1}
		if err := p.add(from, from.parse()); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// Alternatives returns the globs without braces that a path glob stands for.
func (c *Compiler) Alternatives(glob string) ([]string, error) {
	if err := checkSyntax(glob); err != nil {
		return nil, err
	}
	return c.Expand(Path, glob)
}

// Check returns an error if a path glob is malformed or can match no path. If anyDepth is set, a
// glob without a slash matches at any depth. The error names the glob.
func (c *Compiler) Check(glob string, anyDepth bool) error {
	err := checkSyntax(glob)
	if err == nil {
		full := glob
		if anyDepth && !strings.Contains(glob, "/") {
			full = "**/" + glob
		}
		_, err = c.Compile(Path, full, false)
	}
	if err != nil {
		return fmt.Errorf("glob %.100q: %w", glob, err)
	}
	return nil
}

// add adds the program of a parser, unless err is that it matches nothing.
func (p *Pattern) add(from *parser, err error) error {
	if err == errNothing && from.syntax != Path {
		return nil
	}
	if err == nil {
		p.alternatives = append(p.alternatives, from.program())
	}
	return err
}

// Match reports whether the pattern matches path, with a fresh [Work].
func (p *Pattern) Match(path string) bool { return p.MatchWork(new(Work), path) }

// MatchWork reports whether the pattern matches path.
func (p *Pattern) MatchWork(w *Work, path string) bool {
	converted := ""
	for i := range p.alternatives {
		a, text := &p.alternatives[i], path
		if a.utf16 {
			if converted == "" {
				converted = units(path)
			}
			text = converted
		}
		if matches(w, a, text, false) {
			return !p.negated
		}
	}
	return p.negated
}

func matches[Text string | []byte](w *Work, p *Program, path Text, narrow bool) bool {
	w.steps++
	n, m := len(p.prefix), len(p.suffix)
	if len(path) < max(n, m) || string(path[:n]) != p.prefix ||
		string(path[len(path)-m:]) != p.suffix {
		return false
	}
	if p.bySuffix || p.code == "" && len(path) == n {
		return true
	}
	return p.code != "" && run(w, p.code, path[n:], narrow)
}

// Gitignore compiles a pattern of git's wildmatch, which has no braces and matches bytes. It
// reports false if the pattern can match nothing.
func Gitignore(pattern string) (p Program, ok bool) {
	from := &parser{syntax: Ignore, s: pattern, narrow: true, head: -1}
	if from.parse() != nil {
		return Program{}, false
	}
	return from.program(), true
}

// MatchBytes reports whether a pattern of git matches path.
func (p *Program) MatchBytes(w *Work, path []byte) bool { return matches(w, p, path, true) }
