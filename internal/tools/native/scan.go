package native

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"gander/internal/files/text"
	"gander/internal/search"
	"gander/internal/tools/shared"
)

// A scan is a page of results of find_files or search_text below a path.
type scan struct {
	call  *call
	given string // the path argument
	start resolved
	base  string // the start in results

	noun          string // for the results, in the singular
	offset, limit int    // of the page
	seen          int    // the number of known results
	more          bool   // there may be more results
	order         string // the clause about their order, or ""

	totals     search.Totals
	unreadable []string // paths with the reasons
}

func (c *call) newScan(given, noun string, offset, limit int) (*scan, error) {
	start, err := c.find(given)
	if err == nil && start.linkErr != nil {
		err = c.pathError(given, start.linkErr)
	}
	if err != nil {
		return nil, err
	}
	return &scan{
		call: c, given: given, start: start, base: c.show(start.location),
		noun: noun, offset: offset, limit: limit,
	}, nil
}

// scope returns the files to consider.
func scope(ignored bool) search.Scope {
	s := search.Scope{Hidden: true}
	if !ignored {
		s.Ignore = ignoreRules()
	}
	return s
}

// shown returns the path in results of a path relative to the start.
func (s *scan) shown(rel string) string {
	if rel == "" {
		return s.base
	}
	return below(s.base, rel)
}

// skip records a path that cannot be read.
func (s *scan) skip(rel string, err error) {
	s.unreadable = append(s.unreadable, cutQuoted(s.shown(rel))+" ("+shared.ErrorText(err)+")")
}

// finish returns the section with these items. heading returns its first line if it shows n items.
// The error is [budget.tooSmall], even if the only reason is that no item fits.
func (s *scan) finish(a *items, heading func(n int) string) (section, error) {
	if len(a.sizes) == 0 {
		return section{}, a.budget.tooSmall()
	}
	return a.finish(func(n int) (page section) {
		page.Heading, page.truncated = heading(n), s.continues(n)
		if page.truncated {
			page.Markers = "[" + s.next(n) + "]"
		}
		return page
	})
}

// continues reports whether there are results after a page of n.
func (s *scan) continues(n int) bool { return s.more || s.offset+n <= s.seen }

// partial reports whether a page of n results does not show all.
func (s *scan) partial(n int) bool { return s.offset > 1 || s.continues(n) }

// next returns the hint to continue after a page of n results.
func (s *scan) next(n int) string {
	offset := intArgument("offset", s.offset+n)
	return "continue with " + s.call.next(s.start.location, offset)
}

// heading returns the clause with the numbers of the n results shown, and how to continue.
func (s *scan) heading(n int) string {
	if !s.partial(n) {
		return count(n, s.noun) + s.order
	}
	heading := fmt.Sprintf("%s %s-%s of %s%s", plural(s.noun), number(s.offset),
		number(s.offset+n-1), atLeast(s.seen, !s.more), s.order)
	if s.continues(n) {
		heading += "; " + s.next(n)
	}
	return heading
}

// nothing returns a section without items.
func (s *scan) nothing(heading string) (section, error) {
	result, err := s.call.budget.heading(heading)
	result.nothing = s.seen == 0
	return result, err
}

// nothingMore returns the heading for an offset beyond the last result.
func (s *scan) nothingMore() string {
	return fmt.Sprintf("no more %s: there are %s, and offset is %s",
		plural(s.noun), number(s.seen), number(s.offset))
}

// notes returns the clauses about what the result omits. If more is true, the counts include only
// entries up to the end of the page.
func (s *scan) notes(more bool) string {
	var notes []string
	soFar := ""
	if more {
		soFar = " so far"
	}
	if binary := s.totals.Binary; binary > 0 {
		notes = append(notes, number(binary)+" binary skipped"+soFar)
	}
	var clauses []string
	for _, p := range slices.Sorted(maps.Keys(s.totals.Denied)) {
		clause := fmt.Sprintf("%s denied by pattern %s", number(s.totals.Denied[p]), shared.Excerpt(p))
		clauses = append(clauses, clause)
	}
	notes = append(notes, firstOf(clauses, "deny patterns apply")...)
	if len(s.unreadable) > 0 {
		paths := firstOf(s.unreadable, "files and directories")
		notes = append(notes, "unreadable: "+strings.Join(paths, ", "))
	}
	if others := s.call.rootNames()[1:]; s.given == "" && len(others) > 0 {
		notes = append(notes, "other roots are not included: "+strings.Join(others, ", "))
	}
	if ignored := s.totals.Ignored; ignored > 0 {
		notes = append(notes, number(ignored)+" ignored"+soFar, s.call.includeIgnored())
	}
	return strings.Join(append([]string{""}, notes...), "; ")
}

// firstOf returns the first things, followed by the number of the others.
func firstOf(things []string, noun string) []string {
	const limit = 3
	if others := len(things) - limit; others > 0 {
		return append(things[:limit:limit], fmt.Sprintf("%s more %s", number(others), noun))
	}
	return things
}

// cutQuoted returns the beginning of a pattern or path that a message quotes.
func cutQuoted(pattern string) string {
	if shown := text.Cut(pattern, maxQuoted); len(shown) < len(pattern) {
		return shown + "..."
	}
	return pattern
}
