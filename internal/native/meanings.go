package native

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"gander/internal/files/walk"
	"gander/internal/files/workspace"
	"gander/internal/search"
	"gander/internal/search/automaton"
	"gander/internal/search/match"
)

// nothingFound returns the heading of a page without paths. If the pattern probably has another
// meaning, the heading names that meaning and says how many paths have it.
func (s *scan) nothingFound(o search.FindOptions) string {
	pattern := o.Pattern
	switch {
	case s.found > 0:
		return s.nothingMore()
	case pattern == "":
		return fmt.Sprintf("no %s below %s", s.noun, s.base)
	}
	text := fmt.Sprintf("no %s below %s matches %.300q", s.noun, s.base, pattern)
	meanings := meaningsOf(s.call.ctx, pattern)
	if len(meanings) == 0 {
		return text
	}
	o.Pattern, o.Limit = "", 0
	complete := s.call.survey(s.start.location, o, func(e walk.Entry) {
		path := e.Path()
		for _, m := range meanings {
			m.see(path, e.Kind == workspace.Directory)
		}
	})
	isKnown := false
	for _, m := range meanings {
		isLikely := m.found > 0 && !isKnown
		if isLikely || m.isClear {
			text += m.fact
		}
		switch {
		case isLikely:
			isKnown = true
			text += s.foundText(m, complete)
		case !complete && !isKnown:
			text += m.guess
		}
	}
	return text
}

// A meaning is one that a pattern without a match may have been intended to have.
type meaning struct {
	matches func(path string, isDir bool) bool
	pattern string // that has this meaning, or ""
	reading string // the beginning of the clause about what matches, if there is no such pattern
	fact    string // a clause about patterns
	isClear bool   // the pattern has no other meaning, so that the fact helps in any case
	guess   string // a clause instead of the number of paths, if that is not known

	found   int
	example string // the first path
}

func (m *meaning) see(path string, isDir bool) {
	if m.matches(path, isDir) {
		if m.found == 0 {
			m.example = path
		}
		m.found++
	}
}

// foundText returns the clause about the number of paths that have a meaning.
func (s *scan) foundText(m *meaning, isExact bool) string {
	found, example := count(m.found, s.noun), quoted(s.shown(m.example))
	if !isExact {
		found = "at least " + found
	}
	switch {
	case m.pattern != "":
		return fmt.Sprintf("; %.300q matches %s", m.pattern, found)
	case m.found == 1 && isExact:
		return fmt.Sprintf("; %s %s", m.reading, example)
	default:
		return fmt.Sprintf("; %s %s, such as %s", m.reading, found, example)
	}
}

// meaningsOf returns the meanings, other than its own, that a pattern may have, likely ones first.
func meaningsOf(ctx context.Context, pattern string) (all []*meaning) {
	add := func(m meaning) {
		matches, err := search.CompilePattern(ctx, m.pattern)
		if err == nil {
			m.matches = matches
			all = append(all, &m)
		}
	}
	if list := listGlob(pattern); list != "" {
		fact := "; a pattern is one glob or a part of the path"
		add(meaning{pattern: list, fact: fact, isClear: true})
	}
	wide := anyDepth(pattern)
	if wide != pattern {
		add(meaning{pattern: wide, guess: fmt.Sprintf("; %.300q matches at any depth", wide)})
	}
	if strings.Contains(pattern, "[") && !strings.Contains(pattern, `\[`) {
		literal := strings.ReplaceAll(wide, "[", `\[`)
		add(meaning{pattern: literal, guess: `; write \[ for the character [`})
	}
	if matches := matchRegexp(ctx, pattern); matches != nil {
		all = append(all, &meaning{
			matches: matches, reading: "as one, it would match",
			fact:    "; a pattern is a glob or a part of the path, not a regular expression",
			isClear: regexpSign.MatchString(pattern),
		})
	}
	if matches := matchFolded(ctx, wide); matches != nil {
		reading := "ignoring case, it would match"
		if wide != pattern {
			reading = fmt.Sprintf("ignoring case, %.300q would match", wide)
		}
		all = append(all, &meaning{matches: matches, reading: reading})
	}
	return all
}

// anyDepth returns a glob that matches at any depth what a pattern matches at one.
func anyDepth(pattern string) string {
	inner, isRooted := strings.CutPrefix(pattern, "/")
	isNested := strings.Contains(strings.TrimSuffix(pattern, "/"), "/")
	if search.IsGlob(pattern) && (isRooted || isNested && !strings.HasPrefix(pattern, "**/")) {
		return "**/" + inner
	}
	return pattern
}

// matchFolded returns a function that reports whether a path matches a glob if case is ignored, or nil
// if the pattern is not a glob.
func matchFolded(ctx context.Context, pattern string) func(path string, isDir bool) bool {
	matches, err := search.CompilePattern(ctx, strings.ToLower(pattern))
	if err != nil || !search.IsGlob(pattern) {
		return nil
	}
	return func(path string, isDir bool) bool { return matches(strings.ToLower(path), isDir) }
}

// listGlob returns one glob for a pattern that is rather a list of them, or "".
func listGlob(pattern string) string {
	separators := "\n"
	isWord := func(part string) bool { return !search.IsGlob(part) && !strings.HasPrefix(part, ".") }
	if search.IsGlob(pattern) {
		separators = "\n,;|"
		if !slices.ContainsFunc(strings.Fields(pattern), isWord) { // names can contain spaces
			separators += " "
		}
	}
	if strings.ContainsAny(pattern, `{[\`) {
		return ""
	}
	parts := strings.FieldsFunc(pattern, func(c rune) bool { return strings.ContainsRune(separators, c) })
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

// regexpPart matches what is common in regular expressions, but rare in globs and names. regexpSign
// matches what is in no glob at all.
var (
	regexpPart = regexp.MustCompile(`^\^|\$$|\.[*+]|\\[.wdsb]|\|`)
	regexpSign = regexp.MustCompile(`^\^|\$$|\\[.wdsb]`)
)

// matchRegexp returns a function that reports whether a path matches a pattern as a regular
// expression, or nil if the pattern does not look like one.
func matchRegexp(ctx context.Context, pattern string) func(path string, isDir bool) bool {
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
	return func(path string, _ bool) bool {
		_, _, ok := searcher.NextLine([]byte(path), 0)
		return ok
	}
}
