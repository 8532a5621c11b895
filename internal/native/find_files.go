package native

import (
	"context"
	"fmt"
	"maps"
	"math"
	"path"
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
	offset, limit int
}

func parseFind(ctx context.Context, f *files, a *arguments) (writer, error) {
	r := findRequest{noun: "path"}
	pattern := workspace.SlashGlob(a.get("pattern glob query name glob_pattern").String(""))
	r.options.Pattern = strings.TrimPrefix(pattern, "./")
	a.getPath()
	kind := a.get("kind type").Choice("any", "file", "directory")
	sort := a.get("sort sort_by order").Choice("path", "modified")
	r.options.Scope = scope(a.getIgnored())
	r.offset = a.get("offset").Int(1, 1, math.MaxInt)
	limit := a.get("limit max_results maxResults head_limit head")
	r.limit = limit.Int(200, 1, math.MaxInt)
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
	// One more than the page, to know whether there are more.
	r.options.Limit = r.offset + min(r.limit, math.MaxInt-r.offset)
	return r.write, wrongArgument(ctx, r.options.Check(ctx))
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
	s, err := c.newScan(given, r.noun, r.offset, r.limit)
	if err != nil {
		return section{}, err
	}
	if s.start.info.Kind != workspace.Directory {
		message := `%s is a file; path must be a directory, such as "%s"`
		message = fmt.Sprintf(message, s.base, path.Dir(s.base))
		return section{}, shared.NewError(workspace.ErrNotDirectory, message)
	}
	a := &items{budget: c.budget}
	r.options.Totals = &s.totals
	for e, err := range search.Find(c.ctx, c.workspace, s.start.location, r.options) {
		switch {
		case e.Dir == nil:
			return section{}, c.pathError(given, err)
		case err != nil:
			s.skip(e.Path(), err)
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

	totals     search.Totals
	unreadable int      // number of files and directories
	reasons    []string // the first of them, with the reasons
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

func (s *scan) skip(rel string, err error) {
	if s.unreadable++; s.unreadable <= maxNamed {
		s.reasons = append(s.reasons, quoted(s.shown(rel))+" ("+shared.ErrorText(err)+")")
	}
}

// finish returns the section with these items. heading returns its first line if it shows n items.
func (s *scan) finish(a *items, heading func(n int) string) (section, error) {
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

func (s *scan) nothing(heading string) (section, error) {
	result, err := s.call.budget.heading(heading)
	result.nothing = s.seen == 0
	return result, err
}

func (s *scan) nothingMore() string {
	return fmt.Sprintf("no more %s: there are %s, and offset is %s",
		plural(s.noun), number(s.seen), number(s.offset))
}

// notes returns the clauses about what the result omits. If more is true, the counts include only
// entries up to the end of the page.
func (s *scan) notes(more bool) string {
	notes, soFar := []string{""}, ""
	if more {
		soFar = " so far"
	}
	if binary := s.totals.Binary; binary > 0 {
		notes = append(notes, number(binary)+" binary skipped"+soFar)
	}
	var denied []string
	for _, p := range slices.Sorted(maps.Keys(s.totals.Denied)) {
		clause := fmt.Sprintf("%s denied by pattern %s", number(s.totals.Denied[p]), shared.Excerpt(p))
		denied = append(denied, clause)
	}
	notes = append(notes, firstOf(denied, len(denied), "deny patterns apply")...)
	if s.unreadable > 0 {
		paths := firstOf(s.reasons, s.unreadable, "files and directories")
		notes = append(notes, "unreadable: "+strings.Join(paths, ", "))
	}
	if others := s.call.rootNames()[1:]; s.given == "" && len(others) > 0 {
		notes = append(notes, "other roots are not included: "+strings.Join(others, ", "))
	}
	if ignored := s.totals.Ignored; ignored > 0 {
		notes = append(notes, number(ignored)+" ignored"+soFar, s.call.includeIgnored())
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
