package results

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"gander/internal/files/walk"
	"gander/internal/files/workspace"
	"gander/internal/native/wording"
	"gander/internal/search"
)

// Meanings returns the clauses about a pattern without a match that probably has another meaning:
// they name the pattern with that meaning and say how many paths it matches. noun is that for the
// paths.
func Meanings(ctx context.Context, s *Report, noun string, o search.FindOptions) (clauses string) {
	clauses = linkClause(ctx, s, o.Pattern)
	if regexpSign.MatchString(o.Pattern) {
		return clauses + "; a pattern is a glob or a part of the path, not a regular expression"
	}
	meanings := meaningsOf(ctx, o.Pattern)
	if len(meanings) == 0 {
		return clauses
	}
	isComplete := countPaths(ctx, s, meanings, o)
	for _, m := range meanings {
		switch {
		case m.found > 0:
			found := wording.Counted(m.found, noun)
			if !isComplete {
				found = "at least " + found
			}
			return clauses + fmt.Sprintf("%s; %.300q matches %s", m.fact, m.pattern, found)
		case m.fact != "":
			return clauses + m.fact
		case !isComplete:
			clauses += m.guess
		}
	}
	return clauses
}

// linkClause returns the clause about a link on the way of a glob, which a walk does not follow.
func linkClause(ctx context.Context, s *Report, glob string) string {
	at := s.Start.Location
	for name := range strings.SplitSeq(strings.TrimPrefix(glob, "/"), "/") {
		if strings.ContainsAny(name, "*?[{\\") {
			break
		}
		at = at.Join(name)
		info, err := at.Lstat()
		switch {
		case err != nil:
			return ""
		case info.Kind == workspace.Symlink:
			shown := s.Call.Paths.Show(at)
			return fmt.Sprintf("; %s is a link, which %s follows", shown,
				wording.StringArgument(ctx, "path", shown))
		}
	}
	return ""
}

// countPaths counts the paths that each meaning matches. It reports whether it has seen all paths.
func countPaths(
	ctx context.Context, s *Report, meanings []*meaning, o search.FindOptions,
) (complete bool) {
	o.Pattern, o.Limit = "", 0
	return s.Call.Paths.Survey(ctx, s.Start.Location, o, func(e walk.Entry) {
		path := e.Path()
		for _, m := range meanings {
			if m.matches(path, e.Kind == workspace.Directory) {
				m.found++
			}
		}
	})
}

// A meaning is what a pattern without a match may have been intended to mean.
type meaning struct {
	pattern string // with this meaning
	fact    string // a clause about patterns in general, if no other meaning is likely
	guess   string // a clause for a tree that is too large to count the paths
	matches func(path string, isDir bool) bool
	found   int
}

// meaningsOf returns the meanings, other than its own, that a pattern may have, likely ones first.
func meaningsOf(ctx context.Context, pattern string) []*meaning {
	wide := AnyDepth(pattern)
	all := []*meaning{
		// Several names: a third of the uses of find in recorded transcripts are find -name A -o -name B.
		{pattern: listGlob(pattern), fact: "; a pattern is one glob or a part of the path"},
		// A glob with a slash that is meant at any depth, as models wrote in reports.
		{pattern: wide, guess: fmt.Sprintf("; %.300q matches at any depth", wide)},
		// The names of routes, such as [id].ts, which people reported.
		{pattern: literalBrackets(cmp.Or(wide, pattern)), guess: `; write \[ for the character [`},
	}
	for _, m := range all {
		if m.pattern != "" {
			m.matches, _ = search.CompilePattern(ctx, m.pattern) // nil if it is no valid glob
		}
	}
	return slices.DeleteFunc(all, func(m *meaning) bool { return m.matches == nil })
}

// regexpSign matches what is in regular expressions, but in no glob.
var regexpSign = regexp.MustCompile(`^\^|\$$|\\[.wdsb]`)

// listGlob returns one glob for a pattern of find_files that is probably a list of globs, or "".
func listGlob(pattern string) string {
	separators := "\n|"
	if search.IsGlob(pattern) {
		separators += ",;"
		if !slices.ContainsFunc(strings.Fields(pattern), isWord) { // names can contain spaces
			separators += " "
		}
	}
	parts := SplitGlobs(pattern, separators)
	if len(parts) < 2 {
		return ""
	}
	for i, part := range parts {
		part = strings.TrimSpace(part)
		switch {
		case search.IsGlob(part):
			parts[i] = part
		case isWord(part):
			parts[i] = "*" + part + "*"
		default:
			parts[i] = "*" + part
		}
	}
	return "{" + strings.Join(parts, ",") + "}"
}

// isWord reports whether a part of a list is neither a glob nor an extension.
func isWord(part string) bool { return !search.IsGlob(part) && !strings.HasPrefix(part, ".") }

// AnyDepth returns a glob that matches at any depth what a pattern matches at one, or "".
func AnyDepth(pattern string) string {
	inner, isRooted := strings.CutPrefix(pattern, "/")
	isNested := strings.Contains(strings.TrimSuffix(pattern, "/"), "/")
	isAnchored := isRooted || isNested && !strings.HasPrefix(pattern, "**/")
	if search.IsGlob(pattern) && isAnchored {
		return "**/" + inner
	}
	return ""
}

// literalBrackets returns a pattern in which [ stands for itself, or "" if it does so already.
func literalBrackets(pattern string) string {
	if !strings.Contains(pattern, "[") || strings.Contains(pattern, `\[`) {
		return ""
	}
	return strings.ReplaceAll(pattern, "[", `\[`)
}
