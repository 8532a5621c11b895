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
	return &scan{call: c, given: given, start: start, base: c.show(start.place)}, nil
}

// scope returns the files to consider.
func scope(ignored bool) search.Scope {
	s := search.Scope{Hidden: true}
	if !ignored {
		s.Ignore = ignoreRules()
	}
	return s
}

// shown returns a path relative to the start as results show it.
func (s *scan) shown(rel string) string {
	if rel == "" {
		return s.base
	}
	return below(s.base, rel)
}

// skip records a path that cannot be read. A long one is cut, as those below very many levels are.
func (s *scan) skip(rel string, err error) {
	const most = 300
	path := s.shown(rel)
	if shown := text.Cut(path, most); len(shown) < len(path) {
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
	for _, pattern := range slices.Sorted(maps.Keys(denied)) {
		clause := fmt.Sprintf("%s denied by pattern %s", number(denied[pattern]), shared.Excerpt(pattern))
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
		include := s.call.hint("", trueArgument("ignored"))
		fmt.Fprintf(&b, "; %s ignored%s; include them with %s", number(ignored), soFar, include)
	}
	return b.String()
}

// mention names the first things, each after a separator, and counts the others.
func mention(separator string, things []string, what string) string {
	const most = 3
	var b strings.Builder
	for _, t := range things[:min(most, len(things))] {
		b.WriteString(separator + t)
	}
	if others := len(things) - most; others > 0 {
		fmt.Fprintf(&b, "%s%s more %s", separator, number(others), what)
	}
	return b.String()
}
