package ignore

import (
	"bytes"
	"context"
	"slices"
	"strings"

	"gander/internal/files/pattern"
)

// maxPattern is the longest pattern, in bytes, that matches anything. No path that Linux can name
// (PATH_MAX) is longer, so the limit only affects longer patterns with wildcards.
const maxPattern = 4096

const wildcards = `*?[\`

// A File holds the rules of one ignore file. It is immutable and safe for concurrent use.
type File struct {
	source   string
	base     string // ends in a slash, or is empty for the root
	rank     int    // orders the files of a [Chain]
	text     string
	starts   []int32            // of the lines in text
	names    index              // X: an entry called X, at any depth
	paths    index              // X/Y: that path, relative to base
	endings  index              // *X: an entry whose name ends in X
	lengths  []int              // of the keys of endings, ascending
	globs    []glob             // in the order of their lines
	programs []*pattern.Pattern // of the globs; nil if they are compiled for each match
}

// An index finds the last line whose pattern is a given literal.
type index map[string]last

// A last holds line numbers, 0 meaning none: the last line that applies to files, and the last that
// applies to directories.
type last struct{ file, dir int32 }

// A glob is a pattern that no index can hold.
type glob struct {
	line    int32
	byName  bool // match the name alone
	dirOnly bool
	literal string // what it matches contains this
}

// parse parses an ignore file. Its patterns are relative to the directory base, a slash-separated
// path relative to the root, or "" for the root itself. The source is only repeated in
// [Match.String]. If compiled is set, globs are compiled once, which takes much more memory than
// the text.
//
// Any text parses, as in git: a UTF-8 byte order mark at the start and one CR at the end of a line
// are dropped, a NUL ends its line, and a pattern that can match nothing (a broken class, a
// backslash at the end) is not an error. A pattern of more than 4096 bytes matches nothing; git may
// match it. The work is linear in the size of the text.
func parse(source, base, text string, compiled bool) *File {
	f := &File{source: source, names: index{}, paths: index{}, endings: index{}}
	if base != "" {
		f.base = base + "/"
	}
	f.text = strings.TrimPrefix(text, "\uFEFF")
	f.starts = make([]int32, 0, strings.Count(f.text, "\n")+1)
	start := 0
	for line := range strings.Lines(f.text) {
		f.starts = append(f.starts, int32(start))
		start += len(line)
		f.add(int32(len(f.starts)), compiled)
	}
	for ending := range f.endings {
		f.lengths = append(f.lengths, len(ending))
	}
	slices.Sort(f.lengths)
	f.lengths = slices.Compact(f.lengths)
	return f
}

// line returns the pattern in a line as written, without the spaces at its end.
func (f *File) line(number int32) string {
	rest := f.text[f.starts[number-1]:]
	line, _, _ := strings.Cut(rest, "\n")
	line, _, _ = strings.Cut(strings.TrimSuffix(line, "\r"), "\x00")
	return trimSpaces(line)
}

// trimSpaces removes the spaces at the end of a line, except one that a backslash quotes.
func trimSpaces(line string) string {
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

// split returns the pattern in a line, without the prefixes and suffixes that specify where and to
// what it applies.
func split(line string) (pattern string, byName, dirOnly bool) {
	pattern = strings.TrimPrefix(line, "!")
	pattern, dirOnly = strings.CutSuffix(pattern, "/")
	byName = !strings.Contains(pattern, "/")
	pattern = strings.TrimPrefix(pattern, "/")
	// **/X means the same as X: a name at any depth.
	if rest, ok := strings.CutPrefix(pattern, "**/"); ok && !strings.Contains(rest, "/") {
		return rest, true, dirOnly
	}
	return pattern, byName, dirOnly
}

// add adds the rule in a line, if any.
func (f *File) add(number int32, compiled bool) {
	line := f.line(number)
	text, byName, dirOnly := split(line)
	if text == "" || len(text) > maxPattern || line[0] == '#' {
		return
	}
	switch literal := !strings.ContainsAny(text, wildcards); {
	case literal && byName:
		f.names.put(text, number, dirOnly)
	case literal:
		f.paths.put(text, number, dirOnly)
	case byName && text[0] == '*' && !strings.ContainsAny(text[1:], wildcards):
		f.endings.put(text[1:], number, dirOnly)
	default:
		if compiled {
			f.programs = append(f.programs, compile(text))
		}
		f.globs = append(f.globs, glob{number, byName, dirOnly, literalOf(text)})
	}
}

// literalOf returns a literal that occurs in everything that a pattern matches. It is short enough
// to be converted without an allocation.
func literalOf(pattern string) string {
	if at := strings.IndexAny(pattern, `[\`); at >= 0 {
		pattern = pattern[:at]
	}
	longest := ""
	isSpecial := func(r rune) bool { return r == '*' || r == '?' || r == '/' }
	for part := range strings.FieldsFuncSeq(pattern, isSpecial) {
		if len(part) > len(longest) {
			longest = part[:min(len(part), 32)]
		}
	}
	return longest
}

func (x index) put(key string, line int32, dirOnly bool) {
	l := x[key]
	l.dir = line
	if !dirOnly {
		l.file = line
	}
	x[key] = l
}

func (x index) find(key []byte, isDir bool) int32 {
	l := x[string(key)]
	if isDir {
		return l.dir
	}
	return l.file
}

// match returns the last rule that matches a path below the base. The last component of the path
// begins at the offset name.
func (f *File) match(w *pattern.Work, path []byte, name int, isDir bool) Match {
	line := f.find(w, path[len(f.base):], path[name:], isDir)
	switch {
	case line == 0:
		return Match{}
	case f.text[f.starts[line-1]] == '!':
		return Match{Include, f, line}
	}
	return Match{Ignore, f, line}
}

// find returns the line of that rule, or 0.
func (f *File) find(w *pattern.Work, path, name []byte, isDir bool) int32 {
	found := max(f.names.find(name, isDir), f.paths.find(path, isDir))
	for _, n := range f.lengths {
		if n > len(name) {
			break
		}
		found = max(found, f.endings.find(name[len(name)-n:], isDir))
	}
	for i := len(f.globs) - 1; i >= 0 && f.globs[i].line > found; i-- {
		if w.Spend(1) {
			return 0
		}
		if g := f.globs[i]; isDir || !g.dirOnly {
			subject := path
			if g.byName {
				subject = name
			}
			if f.matchGlob(w, i, subject) {
				return g.line
			}
		}
	}
	return found
}

func (f *File) matchGlob(w *pattern.Work, i int, path []byte) bool {
	if f.programs != nil {
		return pattern.Match(w, f.programs[i], path)
	}
	const searched = 4 // bytes in a step, at worst
	if g := f.globs[i]; !w.Spend(len(path)/searched) && bytes.Contains(path, []byte(g.literal)) {
		text, _, _ := split(f.line(g.line))
		program := compile(text)
		return !w.Spend(len(text)) && pattern.Match(w, program, path)
	}
	return false
}

// compile compiles a glob, which has at most maxPattern bytes and thus cannot be too large.
func compile(text string) *pattern.Pattern {
	p, err := pattern.NewCompiler(context.Background()).Compile(pattern.Ignore, text, false)
	if err != nil {
		return new(pattern.Pattern)
	}
	return p
}
