package ignore

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"gander/internal/files/pattern"
)

// maxPattern is the longest pattern, in bytes, that matches anything. No path that Linux can name
// (PATH_MAX) is longer, so the limit only affects longer patterns with wildcards.
const maxPattern = 4096

// A Verdict is the result of matching an entry.
type Verdict uint8

const (
	None    Verdict = iota // no rule matches
	Ignore                 // the entry, or a directory above it, is ignored
	Include                // a rule that begins with ! includes the entry
)

// A Match is a verdict and the deciding rule, the last that matches. The zero value means no rule.
type Match struct {
	Verdict Verdict
	file    *File
	line    int32 // counted from 1
}

// HasRule reports whether a rule of a file decided. Git's directory is ignored without one.
func (m Match) HasRule() bool { return m.file != nil }

// String returns the rule as source:line:pattern, as git check-ignore -v prints it, or "" if no
// rule decided. The pattern is as written, without the spaces at its end.
func (m Match) String() string {
	if !m.HasRule() {
		return ""
	}
	number := int32(0)
	for line := range strings.Lines(m.file.text) {
		number++
		if number == m.line {
			return fmt.Sprintf("%s:%d:%s", m.file.source, m.line, trim(line))
		}
	}
	panic("ignore: the rule of a match is in no line")
}

// A File holds the rules of one ignore file. It is immutable and safe for concurrent use.
type File struct {
	source string
	base   string // ends in a slash, or is empty for the root
	rank   int    // orders the files of a [Chain]
	text   string
	names  map[string]last // for patterns X: an entry called X, at any depth
	globs  []glob          // for all other patterns, in the order of their lines

	tooLong int // the first line whose pattern is too long, or 0
}

// A rule is a line of a file. It counts lines in steps of two, from 2 on, and is odd for a line
// that begins with "!". Zero is no rule. So the larger of two rules decides.
type rule int32

// A last holds the last rule that applies to files, and the last that applies to directories.
type last struct{ file, dir rule }

type glob struct {
	*pattern.Pattern
	rule    rule
	byName  bool // match the name alone
	dirOnly bool
}

// parse parses an ignore file. Its patterns are relative to the directory base, a slash-separated
// path relative to the root, or "" for the root itself. The source is only repeated in
// [Match.String].
//
// Any text parses, as in git: a UTF-8 byte order mark at the start and one CR at the end of a line
// are dropped, a NUL ends its line, and a pattern that can match nothing (a broken class, a
// backslash at the end) is not an error. A pattern of more than 4096 bytes matches nothing and is
// tooLong; git may match it. The work is linear in the size of the text.
func parse(source, base, text string) *File {
	f := &File{source: source, names: map[string]last{}, text: strings.TrimPrefix(text, "\uFEFF")}
	if base != "" {
		f.base = base + "/"
	}
	number := rule(0)
	for line := range strings.Lines(f.text) {
		number++
		f.add(trim(line), 2*number)
	}
	return f
}

// trim returns the pattern in a line as written, without the spaces at its end, except one that a
// backslash quotes.
func trim(line string) string {
	line = strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r")
	line, _, _ = strings.Cut(line, "\x00")
	end := 0
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case ' ':
			continue
		case '\\':
			i++
		}
		end = i + 1
	}
	return line[:min(end, len(line))]
}

// add adds the rule in a line, if any.
func (f *File) add(line string, r rule) {
	if strings.HasPrefix(line, "#") {
		return
	}
	text, include := strings.CutPrefix(line, "!")
	if include {
		r++
	}
	text, dirOnly := strings.CutSuffix(text, "/")
	byName := !strings.Contains(text, "/")
	text = strings.TrimPrefix(text, "/")
	// **/X means the same as X: a name at any depth.
	if rest, ok := strings.CutPrefix(text, "**/"); ok && !strings.Contains(rest, "/") {
		text, byName = rest, true
	}
	switch {
	case text == "":
	case len(text) > maxPattern:
		f.tooLong = cmp.Or(f.tooLong, int(r/2))
	case byName && !strings.ContainsAny(text, `*?[\`):
		l := f.names[text]
		l.dir = r
		if !dirOnly {
			l.file = r
		}
		f.names[text] = l
	default:
		// Its length and its compiler, which is its own, allow every pattern.
		c := pattern.NewCompiler(context.Background())
		if p, err := c.Compile(pattern.Ignore, text, false); err == nil {
			f.globs = append(f.globs, glob{p, r, byName, dirOnly})
		}
	}
}

// match returns the last rule that matches a path below the base. The last component of the path
// begins at the offset name.
func (f *File) match(w *pattern.Work, path []byte, name int, isDir bool) Match {
	found := f.names[string(path[name:])].file
	if isDir {
		found = f.names[string(path[name:])].dir
	}
	for i := len(f.globs) - 1; i >= 0 && f.globs[i].rule > found; i-- {
		g := &f.globs[i]
		from := len(f.base)
		if g.byName {
			from = name
		}
		if (isDir || !g.dirOnly) && pattern.Match(w, g.Pattern, path[from:]) {
			found = g.rule
		}
	}
	verdicts := [...]Verdict{Ignore, Include}
	if found == 0 {
		return Match{}
	}
	return Match{verdicts[found%2], f, int32(found / 2)}
}
