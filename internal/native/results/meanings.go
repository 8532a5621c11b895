package results

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"gander/internal/files/walk"
	"gander/internal/files/workspace"
	"gander/internal/native/lookup"
	"gander/internal/native/wording"
	"gander/internal/search"
	"gander/internal/search/automaton"
	"gander/internal/search/match"
)

// Meanings returns the clauses about a pattern without a match that probably has another meaning:
// they name that meaning and say how many paths have it. noun is that for the paths.
func Meanings(s *Report, noun string, o search.FindOptions) (clauses string) {
	clauses = linkClause(s, o.Pattern)
	meanings := meaningsOf(s.Call.Ctx, o.Pattern)
	if len(meanings) == 0 {
		return clauses
	}
	isComplete := countPaths(s, meanings, o)
	likely := slices.IndexFunc(meanings, func(m *meaning) bool { return m.found > 0 })
	for i, m := range meanings {
		isLikelier := likely < 0 || i < likely // than what has been found
		switch {
		case i == likely:
			clauses += m.fact + foundText(s, noun, m, isComplete)
		case m.isClear:
			clauses += m.fact
		case isLikelier && !isComplete:
			clauses += m.guess
		}
	}
	return clauses
}

// linkClause returns the clause about a link on the way of a glob, which a walk does not follow.
func linkClause(s *Report, glob string) string {
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
				wording.StringArgument(s.Call.Ctx, "path", shown))
		}
	}
	return ""
}

// countPaths counts the paths that each meaning matches. It reports whether it has seen all paths.
func countPaths(s *Report, meanings []*meaning, o search.FindOptions) (complete bool) {
	o.Pattern, o.Limit = "", 0
	return s.Call.Paths.Survey(s.Start.Location, o, func(e walk.Entry) {
		path := e.Path()
		for _, m := range meanings {
			if !m.matches(path, e.Kind == workspace.Directory) {
				continue
			}
			if m.found == 0 {
				m.example = path
			}
			m.found++
		}
	})
}

// A meaning is what a pattern without a match may have been intended to mean. The heading has the
// first meaning that matches paths, with its fact and the number of paths.
type meaning struct {
	matches pathTest
	pattern string // a pattern with this meaning, or ""
	lead    string // begins the clause about the paths if there is no such pattern
	fact    string // a clause about patterns in general
	isClear bool   // no other meaning is intended, so that the heading has the fact in any case
	guess   string // a clause for a tree that is too large to count the paths, or ""

	found   int
	example string // the first path
}

// A pathTest reports whether a meaning matches a path.
type pathTest func(path string, isDir bool) bool

// foundText returns the clause about the paths that a meaning matches.
func foundText(s *Report, noun string, m *meaning, isExact bool) string {
	found, example := wording.Counted(m.found, noun), lookup.Excerpt(s.ShowBelow(m.example))
	if !isExact {
		found = "at least " + found
	}
	switch {
	case m.pattern != "":
		return fmt.Sprintf("; %.300q matches %s", m.pattern, found)
	case m.found == 1 && isExact:
		return fmt.Sprintf("; %s %s", m.lead, example)
	default:
		return fmt.Sprintf("; %s %s, such as %s", m.lead, found, example)
	}
}

// meaningsOf returns the meanings, other than its own, that a pattern may have, likely ones first.
func meaningsOf(ctx context.Context, pattern string) []*meaning {
	atAnyDepth := AnyDepth(pattern)
	wide, wideSubject := pattern, "it"
	if atAnyDepth != "" {
		wide, wideSubject = atAnyDepth, fmt.Sprintf("%.300q", atAnyDepth)
	}
	all := []*meaning{
		{ // several names, as in find -name A -o -name B, which is a third of recorded uses of find
			pattern: listGlob(pattern),
			fact:    "; a pattern is one glob or a part of the path", isClear: true,
		},
		// A glob with a slash that is meant at any depth: anthropics/claude-code#30486.
		{pattern: atAnyDepth, guess: fmt.Sprintf("; %.300q matches at any depth", atAnyDepth)},
		// The names of routes, such as [id].ts: vercel/next.js#88660, PostHog/posthog-js#2737.
		{pattern: literalBrackets(wide), guess: `; write \[ for the character [`},
		{ // as in find DIR | grep 'PATTERN'
			matches: asRegexp(ctx, pattern), lead: "as one, it would match",
			fact:    "; a pattern is a glob or a part of the path, not a regular expression",
			isClear: regexpSign.MatchString(pattern),
		},
		{ // as in find -iname
			matches: ignoringCase(ctx, wide),
			lead:    fmt.Sprintf("ignoring case, %s would match", wideSubject),
		},
	}
	for _, m := range all {
		if m.pattern != "" {
			m.matches, _ = search.CompilePattern(ctx, m.pattern) // nil if it is no valid glob
		}
	}
	return slices.DeleteFunc(all, func(m *meaning) bool { return m.matches == nil })
}

// ignoringCase returns the test whether a path matches a glob if case is ignored, or nil if the
// pattern is not a glob.
func ignoringCase(ctx context.Context, pattern string) pathTest {
	matches, err := search.CompilePattern(ctx, strings.ToLower(pattern))
	if err != nil || !search.IsGlob(pattern) {
		return nil
	}
	return func(path string, isDir bool) bool { return matches(strings.ToLower(path), isDir) }
}

// regexpPart matches what is common in regular expressions, but rare in globs and names. regexpSign
// matches what is in no glob at all.
var (
	regexpPart = regexp.MustCompile(`^\^|\$$|\.[*+]|\\[.wdsb]|\|`)
	regexpSign = regexp.MustCompile(`^\^|\$$|\\[.wdsb]`)
)

// asRegexp returns the test whether a path matches a pattern as a regular expression, or nil if the
// pattern does not look like one.
func asRegexp(ctx context.Context, pattern string) pathTest {
	if !regexpPart.MatchString(pattern) {
		return nil
	}
	matcher, err := match.Compile(ctx, pattern, match.Options{})
	if err != nil {
		return nil
	}
	const memory = 1 << 20
	searcher := matcher.NewSearcher(automaton.Limits{
		Memory: memory, Stop: func() bool { return ctx.Err() != nil },
	})
	matches := func(path string, _ bool) bool {
		_, _, ok := searcher.NextLine([]byte(path), 0)
		return ok
	}
	isEmptyAlternative := strings.Contains(pattern, "|") && matches("\n", false)
	if isEmptyAlternative { // with which all paths match, which is not meant
		return func(string, bool) bool { return false }
	}
	return matches
}

// listGlob returns one glob for a pattern of find_files that is probably a list of globs, or "".
func listGlob(pattern string) string {
	separators := "\n"
	if search.IsGlob(pattern) {
		separators = "\n,;|"
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
