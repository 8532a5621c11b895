// Package ignore knows what one ignore file says, and what a stack of them along a path says about an entry there,
// as git answers it. It does not know where ignore files lie or how to read them, and it touches no file system.
//
// Sources: the gitignore manual and git's wildmatch; `git check-ignore --no-index` of git 2.39 is the judge.
package ignore

import (
	"fmt"
	"slices"
	"strings"
)

// maxPattern is the length in bytes above which a rule is left out. No path that Linux can name (PATH_MAX) is longer,
// so only a longer pattern with wildcards differs from git: there it may match, here it never does.
const maxPattern = 4096

const wildcards = `*?[\`

// File is the rules of one ignore file. It never changes and may be shared.
type File struct {
	source  string
	base    string // with a slash at the end, or empty for the root
	rules   []rule
	names   index // X: an entry called X, at any depth
	paths   index // X/Y: that path, relative to base
	endings index // *X: an entry whose name ends in X
	lengths []int // of the keys of endings, ascending
	globs   []glob
}

type rule struct {
	text string
	line int
}

// index finds the last rule written with a literal.
type index map[string]last

// last is numbers of rules, 0 for none: the rule that counts for a file, and the one that counts for a directory.
type last struct{ file, dir int32 }

// glob is a pattern that no index can hold: its literal beginning is compared, the rest is matched.
type glob struct {
	rule    int32
	byName  bool // matched against the name alone
	dirOnly bool
	literal string
	rest    string
}

// Parse reads the ignore file source, whose patterns are relative to the directory base: slash-separated, relative to the
// root, "" for the root itself. The source is only repeated in answers. Every data parses, as in git: a UTF-8 byte order
// mark at the start and one CR before a line's end are dropped, a line ends at a NUL, and a pattern that can match nothing
// (a broken class, a lone backslash at the end) is no error. A pattern of more than 4096 bytes matches nothing. The work
// is linear in the data.
func Parse(source, base string, data []byte) *File {
	f := &File{source: source, names: index{}, paths: index{}, endings: index{}}
	if base != "" {
		f.base = base + "/"
	}
	text := strings.TrimPrefix(string(data), "\uFEFF")
	for line := 1; text != ""; line++ {
		var pattern string
		pattern, text, _ = strings.Cut(text, "\n")
		if strings.HasPrefix(pattern, "#") {
			continue
		}
		pattern, _, _ = strings.Cut(strings.TrimSuffix(pattern, "\r"), "\x00")
		f.add(trimBlanks(pattern), line)
	}
	for ending := range f.endings {
		f.lengths = append(f.lengths, len(ending))
	}
	slices.Sort(f.lengths)
	f.lengths = slices.Compact(f.lengths)
	return f
}

// trimBlanks drops the spaces at the end of a line, up to one that a backslash quotes.
func trimBlanks(line string) string {
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
	pattern := strings.TrimPrefix(text, "!")
	pattern, dirOnly := strings.CutSuffix(pattern, "/")
	byName := !strings.Contains(pattern, "/")
	pattern = strings.TrimPrefix(pattern, "/")
	// A name anywhere: **/X says what X says.
	if rest, ok := strings.CutPrefix(pattern, "**/"); ok && !strings.Contains(rest, "/") {
		pattern, byName = rest, true
	}
	if pattern == "" || len(pattern) > maxPattern {
		return
	}
	f.rules = append(f.rules, rule{text, line})
	number := int32(len(f.rules))
	at := strings.IndexAny(pattern, wildcards)
	switch {
	case at < 0 && byName:
		f.names.put(pattern, number, dirOnly)
	case at < 0:
		f.paths.put(pattern, number, dirOnly)
	case byName && pattern[0] == '*' && !strings.ContainsAny(pattern[1:], wildcards):
		f.endings.put(pattern[1:], number, dirOnly)
	default:
		f.globs = append(f.globs, glob{number, byName, dirOnly, pattern[:at], pattern[at:]})
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

// match finds the last rule that matches path, whose name begins at the given offset.
func (f *File) match(e *effort, path []byte, name int, isDir bool) Match {
	if !hasPrefix(path, f.base) {
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

func (f *File) find(e *effort, path, name []byte, isDir bool) int32 {
	found := max(f.names.find(name, isDir), f.paths.find(path, isDir))
	for _, n := range f.lengths {
		if n > len(name) {
			break
		}
		found = max(found, f.endings.find(name[len(name)-n:], isDir))
	}
	for i := len(f.globs) - 1; i >= 0 && f.globs[i].rule > found; i-- {
		g := &f.globs[i]
		if e.spend(len(g.rest)) {
			return 0
		}
		if g.match(e, path, name, isDir) {
			return g.rule
		}
	}
	return found
}

func (g *glob) match(e *effort, path, name []byte, isDir bool) bool {
	if g.dirOnly && !isDir {
		return false
	}
	text := path
	if g.byName {
		text = name
	}
	// As in git, a glob is matched from where its literal beginning ends: the stars of x**/y stand at the start of it.
	if !hasPrefix(text, g.literal) {
		return false
	}
	text = text[len(g.literal):]
	e.steps += len(g.rest) * len(text)
	return wildmatch(g.rest, text)
}

func hasPrefix(b []byte, prefix string) bool {
	return len(b) >= len(prefix) && string(b[:len(prefix)]) == prefix
}

// Verdict is what the rules say about an entry.
type Verdict uint8

const (
	None    Verdict = iota // no rule matches
	Ignore                 // the entry, or a directory above it, is ignored
	Include                // a rule with ! takes the entry back
)

// Match is an answer and the rule it rests on: the last that matches. The zero value says that none does.
type Match struct {
	Verdict Verdict
	Source  string // as given to Parse
	Line    int    // 1 is the first
	Pattern string // as written, blanks at its end dropped
}

// String is source:line:pattern, as git check-ignore -v puts it, and empty where no rule matches.
func (m Match) String() string {
	if m.Verdict == None {
		return ""
	}
	return fmt.Sprintf("%s:%d:%s", m.Source, m.Line, m.Pattern)
}
