// Package pattern matches paths with globs. One parser and one matcher serve every syntax of the
// program; see [Syntax].
//
// A path is relative to some directory. Slashes separate its components, which are not empty, "."
// or "..". A pattern matches whole paths. In every syntax ? is one unit, * any number of units, and
// a dot at the beginning of a name is not special.
//
// Compiling and matching are bounded: a [Compiler] limits the patterns that it compiles together,
// and matching takes time proportional to the product of the lengths of pattern and path.
package pattern

import (
	"context"
	"errors"

	"gander/internal/admission"
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
	Path Syntax = iota
	// Toolkit is the syntax of the toolkit's tree. It differs from Path in that a class may match a
	// slash, and that a pattern which can match no path is valid.
	Toolkit
	// Gemini has only * and ?. They match UTF-16 units, including slashes but not line ends.
	Gemini
	// Minimatch is the syntax of the npm package minimatch 10.2.6 with its option dot, except for
	// what an [UnsupportedError] reports. It matches UTF-16 units.
	Minimatch
	// Ripgrep is the syntax of ripgrep's --glob, for [CompileList], except that ** beside a brace
	// counts as in the expansion.
	Ripgrep
	// Ignore is the syntax of git's wildmatch, which has no braces and matches bytes.
	Ignore
)

// A language specifies how the expander and the parser read a syntax.
type language struct {
	units     unitKind
	malformed error // about a class, brace or backslash without an end; if nil, these are text
	plain     bool  // only * and ? are special
	strict    bool  // a pattern that can match no path is an error
	git       bool  // stars and [:space:] are those of git's wildmatch

	// Braces.
	bash        bool // {a} and ${a,b} are text, {1..9} is a range, and classes do not protect braces
	groups      bool // alternatives are in @(a|b) and ?(a|b) instead of braces
	strayIsText bool // an end that belongs to no group is text, as in a}
	skipsEmpty  bool // an empty alternative does not count beside others: {a,} is a

	// Classes.
	slashes     bool // a class may match a slash, as [!a] does
	slashEnds   bool // "[" is text if a slash comes before its "]", as in [a/b]
	closes      bool // "]" closes a class at its beginning too, as in []a], instead of being a member
	rawClass    bool // a backslash is a member of a class, as in [\]
	reversed    reversedRange
	quotedCaret error    // about \^ at the beginning of a class; if nil, it is a member
	named       bool     // classes may contain [:alpha:]
	otherNames  []string // those that are unknown, or mean something else than in Go
	unknownName error    // about such a class; if nil, an [UnsupportedError]
}

// A reversedRange is the meaning of a range such as z-a in a class.
type reversedRange uint8

const (
	reversedIsLow     reversedRange = iota // its first member
	reversedIsNothing                      // no member
	reversedIsError
)

// languages has the language of each Syntax.
var languages = [...]language{
	Path: {malformed: errMalformed, strict: true, reversed: reversedIsError},
	Toolkit: {
		malformed: errNothing, strayIsText: true, closes: true, slashes: true,
	},
	Gemini: {units: utf16Units, plain: true},
	Minimatch: {
		units: utf16Units, bash: true, slashEnds: true, reversed: reversedIsNothing,
		quotedCaret: &UnsupportedError{ // minimatch reads [\^a] as [^a]
			`[\^`, "a quoted ^ at the beginning is not supported; list it later",
		},
		named: true, otherNames: []string{"[:graph:]", "[:print:]", "[:punct:]"},
	},
	Ripgrep: {
		units: byteUnits, malformed: errMalformed, skipsEmpty: true, slashes: true, rawClass: true,
		reversed: reversedIsError,
	},
	Ignore: {
		units: byteUnits, malformed: errNothing, git: true,
		named: true, otherNames: []string{"[:word:]", "[:ascii:]"}, unknownName: errNothing,
	},
}

// minimatchGroups is the language of the groups of a pattern of Minimatch whose braces are
// expanded.
var minimatchGroups = language{groups: true, strayIsText: true}

const (
	maxLength    = 4096    // the maximum length of a pattern in bytes
	maxMinimatch = 1 << 16 // the same of a minimatch pattern
	maxSteps     = 5 << 20 // the maximum number of steps for one Compiler to expand and parse
	freeSteps    = 1 << 19 // the number of steps whose memory is not reserved
	stepsMemory  = 4 << 20 // the memory for all steps in bytes
	perByte      = 32      // steps that a byte of an alternative costs, so at most 160 KiB compile
	perPattern   = 8       // bytes that an alternative counts in addition to its length
)

// ErrTooLarge reports patterns whose alternatives are too large together.
var ErrTooLarge = errors.New("its braces stand for too many alternatives")

var (
	errNothing   = errors.New("the pattern matches nothing")
	errMalformed = errors.New(`every "[" needs a character and a "]", every "{" a "}", ` +
		`and every "\" a character after it`)
)

// A Compiler compiles the patterns of one call, and limits their total size. The memory for large
// ones remains reserved until the context is done (see [admission.Reserve]).
type Compiler struct {
	ctx      context.Context // of the call that the memory is reserved for
	steps    int             // left
	reserved bool
}

// NewCompiler returns a Compiler. It fails with the error of ctx once that is done.
func NewCompiler(ctx context.Context) *Compiler {
	return &Compiler{ctx: ctx, steps: maxSteps}
}

func (c *Compiler) spend(n int) error {
	c.steps -= n
	switch {
	case c.steps < 0:
		return ErrTooLarge
	case c.steps >= maxSteps-freeSteps, c.reserved:
		return c.ctx.Err()
	}
	if err := admission.Reserve(c.ctx, stepsMemory); err != nil {
		return err
	}
	c.reserved = true
	context.AfterFunc(c.ctx, func() { admission.Release(c.ctx, stepsMemory) })
	return nil
}

// A Pattern is a compiled glob. It is immutable and safe for concurrent use.
type Pattern struct {
	alternatives []program
	negated      bool // it matches what the alternatives do not match
}

// Compile compiles a pattern. If fold is set, which the syntax Path allows, the paths to match are
// those that [text.Fold] returns. The error does not name the pattern.
func (c *Compiler) Compile(s Syntax, pattern string, fold bool) (*Pattern, error) {
	err := c.ctx.Err()
	if err != nil {
		return nil, err
	}
	p := new(Pattern)
	alternatives := []string{pattern}
	switch s {
	case Path:
		alternatives, err = c.Alternatives(pattern)
	case Minimatch:
		alternatives, p.negated, err = c.minimatch(pattern)
	case Toolkit, Ripgrep:
		alternatives, err = c.expand(languages[s], pattern)
	}
	if err != nil && err != errNothing {
		return nil, err
	}
	for _, a := range alternatives {
		program, err := c.parse(languages[s], a, fold)
		switch {
		case err == nil:
			p.alternatives = append(p.alternatives, program)
		case err != errNothing:
			return nil, err
		}
	}
	return p, nil
}

// Match reports whether a pattern matches path.
func Match[Path string | []byte](w *Work, p *Pattern, path Path) bool {
	for i := range p.alternatives {
		a := &p.alternatives[i]
		// Of a list of patterns, the last byte of a name shows that most cannot match.
		canMatch := a.last == 0 || len(path) > 0 && path[len(path)-1] == a.last
		if canMatch && matches(w, a, path) {
			return !p.negated
		}
	}
	return p.negated
}
