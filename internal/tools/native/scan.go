package native

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"gander/internal/search"
	"gander/internal/tools/shared"
	"gander/tool"
)

// A scan is what find_files and search_text share: a walk below a directory while its answer is made.
type scan struct {
	*files
	given  string // the path as the caller wrote it
	start  target
	base   string // the start as answers show it
	budget budget

	totals     search.Totals
	unreadable []string // paths with the reasons
}

func (f *files) scan(given string, b tool.Budget) (*scan, error) {
	start, budget, err := f.begin(given, b)
	if err == nil && start.linkErr != nil {
		err = f.pathError(given, start.linkErr)
	}
	if err != nil {
		return nil, err
	}
	return &scan{files: f, given: given, start: start, base: f.show(start.place), budget: budget}, nil
}

// scope returns what is considered.
func scope(ignored bool) search.Scope {
	s := search.Scope{Hidden: true}
	if !ignored {
		s.Ignore = ignoreRules()
	}
	return s
}

// shown returns a path relative to the start as answers show it.
func (s *scan) shown(rel string) string {
	if rel == "" {
		return s.base
	}
	return below(s.base, rel)
}

// skip keeps a path that cannot be read, with the reason.
func (s *scan) skip(rel string, err error) {
	s.unreadable = append(s.unreadable, s.shown(rel)+" ("+shared.ErrorText(err)+")")
}

// nothing is the answer that a text alone makes. Found is how many items there are before the offset.
func (s *scan) nothing(text string, found int) (tool.Result, error) {
	result, err := s.budget.answer(text)
	result.NothingFound = found == 0
	return result, err
}

// notes says what the answer leaves out, as clauses that follow a heading. If there is more to come, that is what has been met so
// far.
func (s *scan) notes(more bool) string {
	var b strings.Builder
	soFar := ""
	if more {
		soFar = " so far"
	}
	if binary := s.totals.Binary.Load(); binary > 0 {
		fmt.Fprintf(&b, "; %s binary skipped%s", number(binary), soFar)
	}
	denied := s.totals.Denied()
	var clauses []string
	for _, pattern := range slices.Sorted(maps.Keys(denied)) {
		clauses = append(clauses, fmt.Sprintf("%s denied by pattern %s", number(denied[pattern]), shared.Excerpt(pattern)))
	}
	b.WriteString(mention("; ", clauses, "deny patterns apply"))
	if len(s.unreadable) > 0 {
		b.WriteString("; unreadable: " + strings.TrimPrefix(mention(", ", s.unreadable, "files and directories"), ", "))
	}
	if others := s.rootNames()[1:]; s.given == "" && len(others) > 0 {
		b.WriteString("; other roots are not included: " + strings.Join(others, ", "))
	}
	if ignored := s.totals.Ignored.Load(); ignored > 0 {
		fmt.Fprintf(&b, "; %s ignored%s; include them with ignored=true", number(ignored), soFar)
	}
	return b.String()
}

// mention names the first of some things, each after a separator, and counts the others.
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
