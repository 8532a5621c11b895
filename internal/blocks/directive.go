package blocks

import (
	"bytes"
	"slices"
	"strings"
	"unicode"
)

// directive takes a line of a preprocessor. The first branch of a condition counts, and the others
// if it closes what it opens.
func (s *structure) directive(line []byte) {
	name := directiveName(line)
	n := len(s.branches)
	switch {
	case strings.HasPrefix(name, "if") && n == maxBranches:
		s.unseen++
	case strings.HasPrefix(name, "if"):
		s.branches = append(s.branches, len(s.levels))
	case s.unseen > 0 && name == "endif":
		s.unseen--
	case n == 0 || s.unseen > 0:
	case strings.HasPrefix(name, "el"):
		if s.skipped == 0 && s.branches[n-1] != len(s.levels) {
			s.skipped = n
		}
	case name == "endif":
		s.branches = s.branches[:n-1]
		if s.skipped == n {
			s.skipped = 0
		}
	}
	s.comments = 0
}

// isDirective reports whether a line is one of a preprocessor.
func (l *Language) isDirective(line []byte) bool {
	switch {
	case !hasPrefix(line, "#"):
		return false
	case l.conditions:
		conditions := []string{"if", "elseif", "else", "endif"}
		return slices.Contains(conditions, directiveName(line))
	default:
		return l.directives
	}
}

// directiveName returns the word after the # of a line, which a comment can follow at once.
func directiveName(line []byte) string {
	name := bytes.TrimLeft(line[1:], " \t")
	isOther := func(r rune) bool { return !unicode.IsLetter(r) }
	if end := bytes.IndexFunc(name, isOther); end >= 0 {
		name = name[:end]
	}
	return string(name)
}
