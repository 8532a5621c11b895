package native

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"gander/internal/files/walk"
	"gander/internal/files/workspace"
	"gander/internal/search"
	"gander/internal/tools/shared"
)

type findRequest struct {
	options       search.FindOptions
	noun          string // for the results, in the singular
	offset, limit int    // the limit is 0 if it is not given
}

func parseFind(ctx context.Context, f *files, a *arguments) (request, error) {
	r := findRequest{noun: "path"}
	pattern := workspace.SlashGlob(a.get("pattern glob query name glob_pattern").String(""))
	r.options.Pattern = strings.TrimPrefix(pattern, "./")
	if r.options.Pattern == "." || r.options.Pattern == "/" {
		r.options.Pattern = ""
	}
	a.getPath()
	kind := a.get("kind type").Choice("any", "file", "directory")
	sort := a.get("sort sort_by order").Choice("path", "modified")
	r.options.Scope = scope(a.getIgnored())
	r.offset = a.get("offset").Int(1, 1, math.MaxInt)
	limit := a.get("limit max_results maxResults head_limit head")
	r.limit = limit.Int(0, 1, math.MaxInt)
	if err := a.err(); err != nil {
		return nil, err
	}
	switch kind {
	case "file":
		r.noun, r.options.Kinds = "file", []workspace.EntryKind{workspace.Regular}
	case "directory":
		r.noun, r.options.Kinds = "directory", []workspace.EntryKind{workspace.Directory}
	}
	if sort == "modified" {
		r.options.Order = walk.NewestFirst
	}
	if a.path == "" {
		a.path = r.cutRoot(f.workspace.Roots())
	}
	return r, wrongArgument(ctx, r.options.Check(ctx))
}

// cutRoot makes a pattern that is an absolute path relative to its root, and returns the root.
func (r *findRequest) cutRoot(roots []string) (root string) {
	for _, root := range roots {
		prefix := strings.TrimSuffix(filepath.ToSlash(root), "/") + "/"
		if rest, ok := strings.CutPrefix(r.options.Pattern, prefix); ok && rest != "" {
			if r.options.Pattern = rest; search.IsGlob(rest) {
				r.options.Pattern = "/" + rest
			}
			return root
		}
	}
	return ""
}

func (r findRequest) write(c *call, given string) (section, error) {
	start, err := c.findDirectory(given)
	if err != nil {
		return section{}, err
	}
	r.limit = cmp.Or(r.limit, 200)
	// One more than the page, to know whether there are more.
	r.options.Limit = r.offset + min(r.limit, math.MaxInt-r.offset)
	s := c.newScan(given, start, r.noun, r.offset, r.limit)
	a := &items{budget: c.budget}
	r.options.Totals = &s.totals
	for e, err := range search.Find(c.ctx, c.workspace, s.start.location, r.options) {
		switch {
		case e.Dir == nil:
			return section{}, c.pathError(given, err)
		case err != nil:
			s.skip(s.shown(e.Path()), err)
		}
		if e.ForError {
			continue
		}
		if s.seen++; s.seen < r.offset {
			continue
		}
		shown := s.shown(e.Path())
		if e.Kind == workspace.Directory {
			shown += "/"
		}
		if s.more = s.seen-r.offset >= r.limit || !a.add([]byte(notMarker(shown))); s.more {
			break
		}
	}
	newest := r.options.Order == walk.NewestFirst
	if newest {
		s.order = ", newest first"
		if s.more { // all of them are known
			s.seen, s.more = max(s.seen, s.totals.Listed), false
		}
	}
	if s.seen < r.offset {
		return s.nothing(s.nothingFound(r.options.Pattern) + s.notes(false))
	}
	return s.finish(a, func(n int) string {
		return s.heading(n) + s.notes(s.continues(n) && !newest)
	})
}

// nothingFound returns the heading of a page without paths. It adds a hint if the pattern may have
// been intended differently.
func (s *scan) nothingFound(pattern string) string {
	switch {
	case s.seen > 0:
		return s.nothingMore()
	case pattern == "":
		return fmt.Sprintf("no %s below %s", s.noun, s.base)
	}
	text := fmt.Sprintf("no %s below %s matches %.300q", s.noun, s.base, pattern)
	if !search.IsGlob(pattern) {
		return text
	}
	inner, rooted := strings.CutPrefix(pattern, "/")
	nested := strings.Contains(strings.TrimSuffix(pattern, "/"), "/")
	if rooted || nested && !strings.HasPrefix(pattern, "**/") {
		text += fmt.Sprintf("; %.300q matches at any depth", "**/"+inner)
	}
	if strings.Contains(pattern, "[") {
		text += `; write \[ for the character [`
	}
	return text
}

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

	omissions
}

func (c *call) newScan(given string, start resolved, noun string, offset, limit int) *scan {
	return &scan{
		call: c, given: given, start: start, base: c.show(start.location),
		noun: noun, offset: offset, limit: limit,
	}
}

// follow is [call.find] for an entry that must not be a broken link.
func (c *call) follow(given string) (resolved, error) {
	found, err := c.find(given)
	if err == nil && found.linkErr != nil {
		err = c.pathError(given, found.linkErr)
	}
	return found, err
}

func scope(ignored bool) search.Scope {
	s := search.Scope{Hidden: true}
	if !ignored {
		s.Ignore = ignoreRules()
	}
	return s
}

func (s *scan) shown(rel string) string {
	if rel == "" {
		return s.base
	}
	return below(s.base, rel)
}

// omissions are what results do not include.
type omissions struct {
	totals     search.Totals
	unreadable int      // number of files and directories
	reasons    []string // the first of them, with the reasons
}

// skip counts a file or a directory that could not be read.
func (o *omissions) skip(shown string, err error) {
	if o.unreadable++; o.unreadable <= maxNamed {
		o.reasons = append(o.reasons, quoted(shown)+" ("+shared.ErrorText(err)+")")
	}
}

// clauses returns what results omit. soFar follows counts that are not complete.
func (o *omissions) clauses(soFar string) (notes []string) {
	if binary := o.totals.Binary; binary > 0 {
		notes = append(notes, number(binary)+" binary skipped"+soFar)
	}
	var denied []string
	for _, p := range slices.Sorted(maps.Keys(o.totals.Denied)) {
		clause := fmt.Sprintf("%s denied by pattern %s", number(o.totals.Denied[p]), shared.Excerpt(p))
		denied = append(denied, clause)
	}
	notes = append(notes, firstOf(denied, len(denied), "deny patterns apply")...)
	if o.unreadable > 0 {
		paths := firstOf(o.reasons, o.unreadable, "files and directories")
		notes = append(notes, "unreadable: "+strings.Join(paths, ", "))
	}
	return notes
}

// finish returns the section with these items. heading returns its first line if it shows n items.
func (s *scan) finish(a *items, heading func(n int) string) (section, error) {
	return a.finish(func(n int) (page section) {
		page.heading, page.truncated = heading(n), s.continues(n)
		page.unreadable = s.unreadable > 0
		if page.truncated {
			page.markers = "[" + s.next(n) + "]"
		}
		return page
	})
}

// continues reports whether there are results after a page of n.
func (s *scan) continues(n int) bool { return s.more || s.offset+n <= s.seen }

// partial reports whether a page of n results does not show all.
func (s *scan) partial(n int) bool { return s.offset > 1 || s.continues(n) }

func (s *scan) next(n int) string {
	return "continue with " + s.call.next(s.start.location, s.offset+n)
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

func (s *scan) nothing(heading string) (section, error) {
	result, err := s.call.budget.heading(heading)
	result.nothing, result.unreadable = s.seen == 0, s.unreadable > 0
	return result, err
}

func (s *scan) nothingMore() string {
	return fmt.Sprintf("no more %s: there are %s, and offset is %s",
		plural(s.noun), number(s.seen), number(s.offset))
}

// notes returns the clauses about what the result omits. If more is true, the counts include only
// entries up to the end of the page.
func (s *scan) notes(more bool) string {
	soFar := ""
	if more {
		soFar = " so far"
	}
	notes := append([]string{""}, s.clauses(soFar)...)
	if others := s.call.rootNames()[1:]; s.given == "" && len(others) > 0 {
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
