package native

import (
	"fmt"
	"slices"
	"strings"

	"gander/internal/search"
)

// A scan looks for the results of find_files or search_text below a path.
type scan struct {
	call        *call
	given       string // the path argument
	start       target
	shown       string   // the path of the start in results
	noun        string   // for the results, in the singular
	prefix      string   // begins the heading
	pathClauses []string // about the path argument
	page        *resultPage
	uncounted   bool // the scan ended before everything was counted
	omissions
}

// A headingEnd is what follows the number of results in a heading.
type headingEnd struct {
	order  string
	total  string // follows the order if the page has all results
	remark string // follows these and the hint in any case
}

func (c *call) newScan(given string, start target, noun string, p *resultPage) *scan {
	return &scan{
		call: c, given: given, start: start, shown: c.show(start.location), noun: noun, page: p,
	}
}

func scope(ignored bool) search.Scope {
	s := search.Scope{Hidden: true}
	if !ignored {
		s.Ignore = ignoreRules()
	}
	return s
}

// showBelow returns the path in results of an entry below the start, or if rel is "", of the start.
func (s *scan) showBelow(rel string) string { return below(s.shown, rel) }

// finish returns the section with the items of the page.
func (s *scan) finish(items itemList, end headingEnd) section {
	return items.section(s.page.budget, func(n int) section {
		result := section{heading: s.prefix + s.rangeText(n, end), unreadable: s.isPartial()}
		if s.page.continues(n) {
			hint := s.call.continueAt(s.shown, s.page.offset+n)
			result.heading += "; " + hint
			result.truncated, result.markers = true, "["+hint+"]"
		}
		result.heading += end.remark + s.notes()
		return result
	})
}

// rangeText returns the part of the heading with the numbers of the n results shown.
func (s *scan) rangeText(n int, end headingEnd) string {
	if !s.page.isPart(n) {
		return counted(n, s.noun) + end.order + end.total
	}
	return fmt.Sprintf("%s %s-%s of %s%s", plural(s.noun), grouped(s.page.offset),
		grouped(s.page.offset+n-1), atLeast(s.page.found, !s.uncounted), end.order)
}

// noneSection returns the section of a page without results. isNothing says that no page has any.
func (s *scan) noneSection(heading string, isNothing bool) section {
	return section{heading: heading, nothing: isNothing, unreadable: s.isPartial()}
}

func (s *scan) noMoreText() string {
	return fmt.Sprintf("no more %s: there are %s, and offset is %s",
		plural(s.noun), grouped(s.page.found), grouped(s.page.offset))
}

// notes returns the clauses about what the result omits.
func (s *scan) notes() string {
	soFar := ""
	if s.uncounted {
		soFar = " so far"
	}
	notes := slices.Concat([]string{""}, s.pathClauses, s.clauses(soFar, "documents=true"))
	others := s.call.rootNames()[1:]
	if s.given == "" && len(others) > 0 {
		notes = append(notes, "other roots are not included: "+strings.Join(others, ", "))
	}
	if ignored := s.totals.Ignored; ignored > 0 {
		notes = append(notes, grouped(ignored)+" ignored"+soFar, includeIgnored)
	}
	return strings.Join(notes, "; ")
}
