package blocks

import "regexp"

// A form says how comments or strings of a language begin and end.
type form struct {
	begin   string // what begins it, unless there is a pattern
	pattern string // or a regular expression of that, and
	first   string // the bytes it can begin with
	end     string // "" is the end of the line, or of what is matched; $1 is a group of the pattern
	is      traits
}

type traits uint16

const (
	comment   traits = 1 << iota
	whole            // the pattern matches all of it
	oneLine          // it ends with its line at the latest, unless a backslash is before the end
	escapes          // a backslash hides the next character
	doubled          // its end twice is text, such as "" for one " in C#
	nests            // there can be others of the form in it
	code             // ${...} in it is code
	operand          // it begins only where an operand is expected
	spaced           // it begins only at the beginning of a line and after space or a bracket
	margin           // it begins only at the beginning of a line without indentation
	noMember         // it is no name of a variable or a method of Perl
	document         // a here document after this line, up to a line that is end
	delimited        // $1 is the delimiter of one text, and $2 the one of two
	heading          // of Markdown
	page             // what is around the code of PHP
)

// never ends no text, as no line has it.
const never = "\n"

var (
	slashComment = form{begin: `//`, is: comment | oneLine}
	hashComment  = form{begin: `#`, is: comment | oneLine | spaced}
	starComment  = form{begin: `/*`, end: `*/`, is: comment}
	starNested   = form{begin: `/*`, end: `*/`, is: comment | nests}
	dashComment  = form{begin: `--`, is: comment | oneLine}

	double       = form{begin: `"`, end: `"`, is: escapes | oneLine}
	single       = form{begin: `'`, end: `'`, is: escapes | oneLine}
	backtick     = form{begin: "`", end: "`", is: escapes | oneLine}
	longDouble   = form{begin: `"`, end: `"`, is: escapes}
	longSingle   = form{begin: `'`, end: `'`, is: escapes}
	longBacktick = form{begin: "`", end: "`", is: escapes}
	rawBacktick  = form{begin: "`", end: "`"}
	tripleDouble = form{begin: `"""`, end: `"""`, is: escapes}
	tripleSingle = form{begin: `'''`, end: `'''`, is: escapes}
	character    = form{first: `'`, pattern: `'(?:\\.[^']*|[^'\\]{1,4})'`, is: whole}
)

// A rule is a form whose pattern is compiled.
type rule struct {
	form
	regexp *regexp.Regexp
}

// A lexicon has the rules that can apply at a byte.
type lexicon [256][]*rule

func newLexicon(forms []form) *lexicon {
	var all lexicon
	for _, f := range forms {
		r := &rule{form: f}
		first := f.first
		if f.pattern == "" {
			first = f.begin[:1]
		} else {
			r.regexp = regexp.MustCompile("^(?:" + f.pattern + ")")
		}
		for _, c := range []byte(first) {
			all[c] = append(all[c], r)
		}
	}
	return &all
}

// match returns the size of what begins a text, and the text's end.
func (r *rule) match(rest []byte) (size int, end string, ok bool) {
	if r.regexp == nil {
		return len(r.begin), r.end, hasPrefix(rest, r.begin)
	}
	m := r.regexp.FindSubmatchIndex(rest)
	if m == nil {
		return 0, "", false
	}
	return m[1], string(r.regexp.ExpandString(nil, r.end, string(rest[:m[1]]), m)), true
}
