// Package results writes the results of find_files and search_text below a path: their numbers, and
// what they leave out.
package results

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"gander/internal/native/call"
	"gander/internal/native/lookup"
	"gander/internal/native/section"
	"gander/internal/native/wording"
)

// A Report looks for the results of find_files or search_text below a path.
type Report struct {
	Call        *call.Call
	Given       string // the path argument
	Start       lookup.Target
	Shown       string   // the path of the start in results
	Noun        string   // for the results, in the singular
	Prefix      string   // begins the heading
	PathClauses []string // about the path argument
	Page        *section.Page
	Uncounted   bool // the scan ended before everything was counted
	Omissions
}

// A HeadingEnd is what follows the number of results in a heading.
type HeadingEnd struct {
	Order  string
	Total  string // follows the order if the page has all results
	Remark string // follows these and the hint in any case
}

func New(
	c *call.Call, given string, start lookup.Target, noun string, p *section.Page,
) *Report {
	return &Report{
		Call: c, Given: given, Start: start, Shown: c.Paths.Show(start.Location), Noun: noun, Page: p,
	}
}

// ShowBelow returns the path in results of an entry below the start, or if rel is "", of the start.
func (s *Report) ShowBelow(rel string) string { return lookup.Below(s.Shown, rel) }

// Finish returns the section with the items of the page.
func (s *Report) Finish(ctx context.Context, items section.Items, end HeadingEnd) section.Section {
	return items.Section(s.Page.Budget, func(n int) section.Section {
		result := section.Section{Heading: s.Prefix + s.rangeText(n, end), Unreadable: s.IsPartial()}
		if s.Page.Continues(n) {
			hint := s.Call.ContinueAt(ctx, s.Shown, s.Page.Offset+n)
			result.Heading += "; " + hint
			result.Truncated, result.Markers = true, "["+hint+"]"
		}
		result.Heading += end.Remark + s.Notes(ctx)
		return result
	})
}

// rangeText returns the part of the heading with the numbers of the n results shown.
func (s *Report) rangeText(n int, end HeadingEnd) string {
	if !s.Page.IsPart(n) {
		return wording.Counted(n, s.Noun) + end.Order + end.Total
	}
	return fmt.Sprintf("%s %s-%s of %s%s", wording.Plural(s.Noun), wording.Grouped(s.Page.Offset),
		wording.Grouped(s.Page.Offset+n-1), wording.AtLeast(s.Page.Found, !s.Uncounted), end.Order)
}

// NoneSection returns the section of a page without results. isNothing says that no page has any.
func (s *Report) NoneSection(heading string, isNothing bool) section.Section {
	return section.Section{Heading: heading, Nothing: isNothing, Unreadable: s.IsPartial()}
}

func (s *Report) NoMoreText(ctx context.Context) string {
	return fmt.Sprintf("no more %s: there are %s, and %s is %s",
		wording.Plural(s.Noun), wording.Grouped(s.Page.Found), wording.Name(ctx, "offset"),
		wording.Grouped(s.Page.Offset))
}

// Notes returns the clauses about what the result omits. It names a deny pattern once, on the first
// page.
func (s *Report) Notes(ctx context.Context) string {
	soFar := ""
	if s.Uncounted {
		soFar = " so far"
	}
	omissions := s.Omissions
	omissions.Totals.Denied = maps.Clone(s.Totals.Denied)
	maps.DeleteFunc(omissions.Totals.Denied, func(pattern string, _ int) bool {
		return s.Page.Offset > 1 || !s.Call.NamesDenied(s.Shown, pattern)
	})
	notes := slices.Concat([]string{""}, s.PathClauses,
		omissions.Clauses(soFar, wording.TrueArgument(ctx, "documents")))
	if ignored := s.Totals.Ignored; ignored > 0 {
		include := wording.IncludeIgnored(ctx)
		notes = append(notes, wording.Grouped(ignored)+" ignored"+soFar, include)
	}
	return strings.Join(notes, "; ")
}
