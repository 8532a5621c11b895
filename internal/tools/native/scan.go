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

// A scan is a walk below a path, for find_files and search_text.
type scan struct {
	call  *call
	given string // the path argument
	start target
	base  string // the start in results

	totals     search.Totals
	unreadable []string // paths with the reasons
}

func (c *call) newScan(given string) (*scan, error) {
	start, err := c.find(given)
	if err == nil && start.linkErr != nil {
		err = c.pathError(given, start.linkErr)
	}
	if err != nil {
		return nil, err
	}
	return &scan{call: c, given: given, start: start, base: c.show(start.location)}, nil
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
	path := s.shown(rel)
	if shown := text.Cut(path, maxQuoted); len(shown) < len(path) {
		path = shown + "..."
	}
	s.unreadable = append(s.unreadable, path+" ("+shared.ErrorText(err)+")")
}

// nothing returns a section without items. found is the number of items before the offset.
func (s *scan) nothing(heading string, found int) (section, error) {
	result, err := s.call.budget.heading(heading)
	result.nothing = found == 0
	return result, err
}

// notes returns the clauses about what the result omits. If more is true, the counts are those up
// to the end of the page.
func (s *scan) notes(more bool) string {
	var b strings.Builder
	soFar := ""
	if more {
		soFar = " so far"
	}
	if binary := s.totals.Binary; binary > 0 {
		fmt.Fprintf(&b, "; %s binary skipped%s", number(binary), soFar)
	}
	denied := s.totals.Denied()
	var clauses []string
	for _, p := range slices.Sorted(maps.Keys(denied)) {
		clause := fmt.Sprintf("%s denied by pattern %s", number(denied[p]), shared.Excerpt(p))
		clauses = append(clauses, clause)
	}
	b.WriteString(mention("; ", clauses, "deny patterns apply"))
	if len(s.unreadable) > 0 {
		paths := strings.TrimPrefix(mention(", ", s.unreadable, "files and directories"), ", ")
		b.WriteString("; unreadable: " + paths)
	}
	if others := s.call.rootNames()[1:]; s.given == "" && len(others) > 0 {
		b.WriteString("; other roots are not included: " + strings.Join(others, ", "))
	}
	if ignored := s.totals.Ignored; ignored > 0 {
		fmt.Fprintf(&b, "; %s ignored%s; %s", number(ignored), soFar, s.call.includeIgnored())
	}
	return b.String()
}

// mention names the first things, each after a separator, and counts the others.
func mention(separator string, things []string, noun string) string {
	const limit = 3
	var b strings.Builder
	for _, t := range things[:min(limit, len(things))] {
		b.WriteString(separator + t)
	}
	if others := len(things) - limit; others > 0 {
		fmt.Fprintf(&b, "%s%s more %s", separator, number(others), noun)
	}
	return b.String()
}

// cutQuoted returns the beginning of a pattern for a message that quotes it.
func cutQuoted(pattern string) string {
	if shown := text.Cut(pattern, maxQuoted); len(shown) < len(pattern) {
		return shown + "..."
	}
	return pattern
}

// A page is the part of the finds of a scan that a section shows.
type page struct {
	scan  *scan
	noun  string // for the results, in the singular
	first int    // the number of the first result shown, from 1
	shown int
	seen  int  // the number of known results
	more  bool // there may be more results
	order string
}

// continues reports whether there are more after the page.
func (p page) continues() bool { return p.more || p.next() <= p.seen }

// partial reports whether the page does not show everything.
func (p page) partial() bool { return p.first > 1 || p.continues() }

// next returns the number of the first one after the page.
func (p page) next() int { return p.first + p.shown }

// nextHint returns the hint to continue after the page.
func (p page) nextHint() string {
	offset := intArgument(offsetArgument, p.next())
	return "continue with " + p.scan.call.next(p.scan.start.location, offset)
}

// heading returns the clause with the numbers of the results shown, and how to continue.
func (p page) heading() string {
	if !p.partial() {
		return count(p.shown, p.noun) + p.order
	}
	heading := fmt.Sprintf("%s %s-%s of %s%s", plural(p.noun), number(p.first), number(p.next()-1),
		atLeast(p.seen, !p.more), p.order)
	if p.continues() {
		heading += "; " + p.nextHint()
	}
	return heading
}

// marker returns the last line, a hint to continue if necessary.
func (p page) marker() string {
	if !p.continues() {
		return ""
	}
	return "[" + p.nextHint() + "]"
}

// finish returns the section with these items. heading returns its first line. The error is
// [budget.tooSmall], even if the only reason is that no item fits.
func (p page) finish(a *items, heading func(page) string) (section, error) {
	if len(a.sizes) == 0 {
		return section{}, a.budget.tooSmall()
	}
	s, err := a.finish(func(shown int) (string, string) {
		p.shown = shown
		return heading(p), p.marker()
	})
	s.truncated = err == nil && p.continues()
	return s, err
}

// nothingMore returns the heading for an offset beyond the last one.
func nothingMore(noun string, seen, offset int) string {
	return fmt.Sprintf("no more %s: there are %s, and offset is %s",
		plural(noun), number(seen), number(offset))
}
