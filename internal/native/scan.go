package native

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"gander/internal/files/text"
	"gander/internal/search"
	"gander/internal/tools/toolerror"
)

// A scan looks for the results of find_files or search_text below a path.
type scan struct {
	call      *call
	given     string // the path argument
	start     target
	base      string // the start in results
	noun      string // for the results, in the singular
	order     string // the clause about their order, or ""
	page      *resultPage
	uncounted bool // there may be results that the page has not counted
	omissions
}

func (c *call) newScan(given string, start target, noun string, offset, limit int) *scan {
	return &scan{
		call: c, given: given, start: start, base: c.show(start.location), noun: noun,
		page: &resultPage{budget: c.budget, offset: offset, limit: limit},
	}
}

func scope(ignored bool) search.Scope {
	s := search.Scope{Hidden: true}
	if !ignored {
		s.Ignore = ignoreRules()
	}
	return s
}

// shown returns the path in results of an entry below the start, or if rel is "", of the start.
func (s *scan) shown(rel string) string { return below(s.base, rel) }

// omissions are what results do not include.
type omissions struct {
	totals     search.Totals
	unreadable int      // number of files and directories
	reasons    []string // the first of them, with the reasons
	cuts       int      // number of documents of which only the beginning was searched
	beginnings []string // the first of them
}

// skip counts a file or a directory that could not be read.
func (o *omissions) skip(shown string, err error) {
	o.unreadable++
	if o.unreadable <= maxNamed {
		o.reasons = append(o.reasons, quoted(shown)+" ("+toolerror.Text(err)+")")
	}
}

// cut counts a document of which only the beginning was searched.
func (o *omissions) cut(shown string) {
	o.cuts++
	if o.cuts <= maxNamed {
		o.beginnings = append(o.beginnings, quoted(shown))
	}
}

// clauses returns what results omit. soFar follows counts that are not complete. option is the
// argument that includes documents.
func (o *omissions) clauses(soFar, option string) (notes []string) {
	if binary := o.totals.Binary; binary > 0 {
		notes = append(notes, number(binary)+" binary skipped"+soFar)
	}
	notes = append(notes, o.documentClauses(soFar, option)...)
	var denied []string
	for _, p := range slices.Sorted(maps.Keys(o.totals.Denied)) {
		clause := fmt.Sprintf("%s denied by pattern %s", number(o.totals.Denied[p]), text.Excerpt(p))
		denied = append(denied, clause)
	}
	notes = append(notes, firstOf(denied, len(denied), "deny patterns apply")...)
	if o.unreadable > 0 {
		paths := firstOf(o.reasons, o.unreadable, "files and directories")
		notes = append(notes, "unreadable: "+strings.Join(paths, ", "))
	}
	return notes
}

// documentClauses returns the clauses about documents.
func (o *omissions) documentClauses(soFar, option string) (notes []string) {
	if n := o.totals.Documents; n > 0 {
		them := "them"
		if n == 1 {
			them = "it"
		}
		notes = append(notes, fmt.Sprintf("%s not searched%s: %s searches %s",
			count(n, "document"), soFar, option, them))
	}
	if n := o.totals.Late; n > 0 {
		notes = append(notes, count(n, "document")+
			" not searched, because time was short: give a narrower path or glob")
	}
	if o.cuts > 0 {
		paths := firstOf(o.beginnings, o.cuts, "documents")
		notes = append(notes, "only the beginning searched, because time was short: "+
			strings.Join(paths, ", "))
	}
	return notes
}

// isPartial reports whether files or documents could not be read, or not to their end.
func (o *omissions) isPartial() bool { return o.unreadable+o.totals.Late+o.cuts > 0 }

// finish returns the section with the items of the page. heading returns its first line if it shows
// n items.
func (s *scan) finish(heading func(n int) string) (section, error) {
	return s.page.section(func(n int) section {
		shown := section{heading: heading(n), truncated: s.page.continues(n), unreadable: s.isPartial()}
		if shown.truncated {
			shown.markers = "[" + s.hint(n) + "]"
		}
		return shown
	})
}

func (s *scan) hint(n int) string {
	return s.call.continueAt(s.start.location, s.page.offset+n)
}

// heading returns the clause with the numbers of the n results shown, and how to continue.
func (s *scan) heading(n int) string {
	if !s.page.isPart(n) {
		return count(n, s.noun) + s.order
	}
	heading := fmt.Sprintf("%s %s-%s of %s%s", plural(s.noun), number(s.page.offset),
		number(s.page.offset+n-1), atLeast(s.page.found, !s.uncounted), s.order)
	if s.page.continues(n) {
		heading += "; " + s.hint(n)
	}
	return heading
}

// nothing returns the section of a page without results. isNothing says that no page has any.
func (s *scan) nothing(heading string, isNothing bool) (section, error) {
	result, err := s.call.budget.oneLine(heading)
	result.nothing, result.unreadable = isNothing, s.isPartial()
	return result, err
}

func (s *scan) nothingMore() string {
	return fmt.Sprintf("no more %s: there are %s, and offset is %s",
		plural(s.noun), number(s.page.found), number(s.page.offset))
}

// notes returns the clauses about what the result omits. If more is true, the counts include only
// entries up to the end of the page.
func (s *scan) notes(more bool) string {
	soFar := ""
	if more {
		soFar = " so far"
	}
	notes := append([]string{""}, s.clauses(soFar, "documents=true")...)
	others := s.call.rootNames()[1:]
	if s.given == "" && len(others) > 0 {
		notes = append(notes, "other roots are not included: "+strings.Join(others, ", "))
	}
	if ignored := s.totals.Ignored; ignored > 0 {
		notes = append(notes, number(ignored)+" ignored"+soFar, includeIgnored)
	}
	return strings.Join(notes, "; ")
}

const maxNamed = 3 // deny patterns, or unreadable files and directories

// firstOf returns the first of n things, and a clause about the number of the others.
func firstOf(things []string, n int, noun string) []string {
	if others := n - maxNamed; others > 0 {
		return append(things[:maxNamed:maxNamed], fmt.Sprintf("%s more %s", number(others), noun))
	}
	return things
}
