package ignore

import (
	"bytes"
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
	source  string
	base    []byte // ends in a slash, or is empty for the root
	rank    int    // orders the files of a [Chain]
	rules   []rule
	names   index // X: an entry called X, at any depth
	paths   index // X/Y: that path, relative to base
	endings index // *X: an entry whose name ends in X
	lengths []int // of the keys of endings, ascending
	globs   []globRule
}

type rule struct {
	text string
	line int
}

// An index finds the last rule whose pattern is a given literal.
type index map[string]last

// A last holds rule numbers, 0 meaning none: the last rule that applies to files, and the last that
// applies to directories.
type last struct{ file, dir int32 }

// A globRule is a pattern that no index can hold.
type globRule struct {
	rule    int32
	byName  bool // match the name alone
	dirOnly bool
	program pattern.Program
}

// Parse parses an ignore file. Its patterns are relative to the directory base, a slash-separated
// path relative to the root, or "" for the root itself. The source is only repeated in
// [Match.Source].
//
// Any data parses, as in git: a UTF-8 byte order mark at the start and one CR at the end of a line
// are dropped, a NUL ends its line, and a pattern that can match nothing (a broken class, a
// backslash at the end) is not an error. A pattern of more than 4096 bytes matches nothing; git may
// match it. The work is linear in the size of the data.
func Parse(source, base string, data []byte) *File {
	f := &File{source: source, names: index{}, paths: index{}, endings: index{}}
	if base != "" {
		f.base = []byte(base + "/")
	}
	text := strings.TrimPrefix(string(data), "\uFEFF")
	for line := 1; text != ""; line++ {
		var pattern string
		pattern, text, _ = strings.Cut(text, "\n")
		if strings.HasPrefix(pattern, "#") {
			continue
		}
		pattern, _, _ = strings.Cut(strings.TrimSuffix(pattern, "\r"), "\x00")
		f.add(trimSpaces(pattern), line)
	}
	for ending := range f.endings {
		f.lengths = append(f.lengths, len(ending))
	}
	slices.Sort(f.lengths)
	f.lengths = slices.Compact(f.lengths)
	return f
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

func (f *File) add(text string, line int) {
	glob := strings.TrimPrefix(text, "!")
	glob, dirOnly := strings.CutSuffix(glob, "/")
	byName := !strings.Contains(glob, "/")
	glob = strings.TrimPrefix(glob, "/")
	// **/X means the same as X: a name at any depth.
	if rest, ok := strings.CutPrefix(glob, "**/"); ok && !strings.Contains(rest, "/") {
		glob, byName = rest, true
	}
	if glob == "" || len(glob) > maxPattern {
		return
	}
	literal := !strings.ContainsAny(glob, wildcards)
	var program pattern.Program
	if !literal {
		var ok bool
		if program, ok = pattern.Gitignore(glob); !ok {
			return
		}
	}
	f.rules = append(f.rules, rule{text, line})
	number := int32(len(f.rules))
	switch {
	case literal && byName:
		f.names.put(glob, number, dirOnly)
	case literal:
		f.paths.put(glob, number, dirOnly)
	case byName && glob[0] == '*' && !strings.ContainsAny(glob[1:], wildcards):
		f.endings.put(glob[1:], number, dirOnly)
	default:
		f.globs = append(f.globs, globRule{number, byName, dirOnly, program})
	}
}

func (x index) put(key string, rule int32, dirOnly bool) {
	l := x[key]
	l.dir = rule
	if !dirOnly {
		l.file = rule
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

// match returns the last rule that matches path, whose last component begins at the offset name.
func (f *File) match(e *pattern.Work, path []byte, name int, isDir bool) Match {
	if !bytes.HasPrefix(path, f.base) {
		return Match{}
	}
	found := f.find(e, path[len(f.base):], path[name:], isDir)
	if found == 0 {
		return Match{}
	}
	r := f.rules[found-1]
	verdict := Ignore
	if r.text[0] == '!' {
		verdict = Include
	}
	return Match{verdict, f.source, r.line, r.text}
}

// find returns the number of that rule, or 0.
func (f *File) find(e *pattern.Work, path, name []byte, isDir bool) int32 {
	found := max(f.names.find(name, isDir), f.paths.find(path, isDir))
	for _, n := range f.lengths {
		if n > len(name) {
			break
		}
		found = max(found, f.endings.find(name[len(name)-n:], isDir))
	}
	for i := len(f.globs) - 1; i >= 0 && f.globs[i].rule > found; i-- {
		g := &f.globs[i]
		if e.Spend(1) {
			return 0
		}
		if g.match(e, path, name, isDir) {
			return g.rule
		}
	}
	return found
}

func (g *globRule) match(e *pattern.Work, path, name []byte, isDir bool) bool {
	if g.dirOnly && !isDir {
		return false
	}
	if g.byName {
		path = name
	}
	return g.program.MatchBytes(e, path)
}
