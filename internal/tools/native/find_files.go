package native

import (
	"context"
	"fmt"
	"math"
	"path"
	"path/filepath"
	"strings"

	"gander/internal/files/walk"
	"gander/internal/files/workspace"
	"gander/internal/search"
	"gander/internal/tools/shared"
)

const findLimit = 200

// A findRequest has the checked arguments of a call of find_files.
type findRequest struct {
	options       search.FindOptions
	noun          string // for the results, in the singular
	offset, limit int
}

// parseFind is the parser of find_files.
func parseFind(ctx context.Context, f *files, a *arguments) (writer, error) {
	var r findRequest
	r.options.Pattern = a.get("pattern glob query name glob_pattern").String("")
	r.options.Pattern = workspace.SlashGlob(r.options.Pattern)
	a.getPath()
	kind := a.get("kind type").Choice("any", "file", "directory")
	sort := a.get("sort sort_by order").Choice("path", "modified")
	r.options.Scope = scope(a.getIgnored())
	r.offset = a.get("offset").Int(1, 1, math.MaxInt)
	limit := a.get("limit max_results maxResults head_limit head")
	r.limit = limit.Int(findLimit, 1, math.MaxInt)
	if err := a.err(); err != nil {
		return nil, err
	}
	switch r.noun = "path"; kind {
	case "file":
		r.noun, r.options.Kinds = "file", []workspace.EntryKind{workspace.Regular}
	case "directory":
		r.noun, r.options.Kinds = "directory", []workspace.EntryKind{workspace.Directory}
	}
	if sort == "modified" {
		r.options.Order = walk.NewestFirst
	}
	r.options.Pattern = strings.TrimPrefix(r.options.Pattern, "./")
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

// write is the [writer] of find_files.
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
	if err := s.find(r.options, a); err != nil {
		return section{}, c.pathError(given, err)
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

// find adds the paths of the page to a.
func (s *scan) find(o search.FindOptions, a *items) error {
	o.Totals = &s.totals
	for e, err := range search.Find(s.call.ctx, s.call.workspace, s.start.location, o) {
		switch {
		case e.Dir == nil:
			return err
		case err != nil:
			s.skip(e.Path(), err)
			continue
		}
		if s.seen++; s.seen < s.offset {
			continue
		}
		shown := s.shown(e.Path())
		if e.Kind == workspace.Directory {
			shown += "/"
		}
		if s.more = s.seen-s.offset >= s.limit || !a.add([]byte(notMarker(shown))); s.more {
			return nil
		}
	}
	return nil
}

// nothingFound returns the heading of a page without paths. It adds a hint if the pattern may have
// been intended differently.
func (s *scan) nothingFound(pattern string) string {
	pattern = cutQuoted(pattern)
	switch {
	case s.seen > 0:
		return s.nothingMore()
	case pattern == "":
		return fmt.Sprintf("no %s below %s", s.noun, s.base)
	}
	text := fmt.Sprintf("no %s below %s matches %q", s.noun, s.base, pattern)
	if !search.IsGlob(pattern) {
		return text
	}
	inner, rooted := strings.CutPrefix(pattern, "/")
	nested := strings.Contains(strings.TrimSuffix(pattern, "/"), "/")
	if rooted || nested && !strings.HasPrefix(pattern, "**/") {
		text += fmt.Sprintf("; %q matches at any depth", "**/"+inner)
	}
	if strings.Contains(pattern, "[") {
		text += `; write \[ for the character [`
	}
	return text
}
