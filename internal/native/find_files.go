package native

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"path"
	"path/filepath"
	"strings"

	"gander/internal/files/text"
	"gander/internal/files/walk"
	"gander/internal/files/workspace"
	"gander/internal/search"
	"gander/internal/tools/toolerror"
)

// A findRequest is the arguments of find_files.
type findRequest struct {
	options       search.FindOptions
	noun          string // for the results, in the singular
	offset, limit int    // the limit is 0 if it is not given
}

func parseFind(ctx context.Context, e *environment, a *callArguments) (request, error) {
	r := findRequest{noun: "path"}
	pattern := workspace.SlashGlob(a.get("pattern", "glob", "query", "name", "glob_pattern").String(""))
	rest, isBelow := strings.CutPrefix(pattern, "./")
	switch {
	case pattern == ".", pattern == "/":
		pattern = ""
	case isBelow && search.IsGlob(rest):
		pattern = "/" + strings.TrimLeft(rest, "/") // not at any depth
	case isBelow:
		pattern = rest
	}
	r.options.Pattern = pattern
	a.decodePaths()
	kind := a.get("kind", "type").Choice("any", "file", "directory")
	sort := a.get("sort", "sort_by", "order").Choice("path", "modified")
	r.options.Scope = scope(a.decodeIgnored())
	r.offset, r.limit = a.decodePage()
	letters := a.alias("case_sensitive", "caseSensitive")
	isExact := letters.Bool(false)
	if err := a.check(); err != nil {
		return nil, err
	}
	if letters.Given() && r.options.Pattern != "" {
		if err := checkCase(r.options.Pattern, isExact); err != nil {
			return nil, err
		}
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
	if !a.namesPath() {
		a.paths = []string{r.cutRoot(e.workspace.Roots())}
	}
	return r, argumentError(ctx, r.options.Check(ctx))
}

// checkCase returns an error if a pattern is not matched with or without regard to case as
// requested.
func checkCase(pattern string, isExact bool) error {
	isGlob := search.IsGlob(pattern)
	switch {
	case isExact && !isGlob:
		return toolerror.BadArguments("case_sensitive cannot be true: part of a path ignores case; "+
			"give the glob %q, which does not", "*"+text.Excerpt(pattern)+"*")
	case !isExact && isGlob:
		return toolerror.BadArguments("case_sensitive cannot be false: a glob matches case; give part " +
			"of the path, which ignores case, or [Aa] for a letter")
	default:
		return nil
	}
}

// cutRoot makes a pattern that is an absolute path relative to its root. It returns the root, or ""
// if the pattern is relative.
func (r *findRequest) cutRoot(roots []string) string {
	for _, root := range roots {
		prefix := strings.TrimSuffix(filepath.ToSlash(root), "/") + "/"
		if rest, ok := strings.CutPrefix(r.options.Pattern, prefix); ok && rest != "" {
			r.options.Pattern = rest
			if search.IsGlob(rest) {
				r.options.Pattern = "/" + rest
			}
			return root
		}
	}
	return ""
}

func (r findRequest) section(c *call, given string) (section, error) {
	start, err := c.findDirectory(given)
	if err != nil {
		return section{}, err
	}
	limit := cmp.Or(r.limit, 200)
	// One more than the page, to know whether there are more.
	r.options.Limit = r.offset + min(limit, math.MaxInt-r.offset)
	s := c.newScan(given, start, r.noun, r.offset, limit)
	if err := s.findEntries(r.options); err != nil {
		return section{}, err
	}
	isNewest := r.options.Order == walk.NewestFirst
	if isNewest {
		s.order = ", newest first"
	}
	if isNewest && s.page.closed {
		s.page.found = max(s.page.found, s.totals.Listed) // the walk has counted all
	}
	s.uncounted = s.page.closed && !isNewest
	if s.page.found < r.offset {
		return s.noneSection(s.noPathText(r.options)+s.notes(), s.page.found == 0)
	}
	return s.finish("", "")
}

// findDirectory is [call.find] for a directory.
func (c *call) findDirectory(given string) (target, error) {
	found, err := c.follow(given)
	if err == nil && found.info.Kind != workspace.Directory {
		shown := c.show(found.location)
		message := fmt.Sprintf(`%s is %s; path must be a directory, such as "%s"`,
			shown, kindNoun(found.info.Kind), path.Dir(shown))
		err = toolerror.New(workspace.ErrNotDirectory, message)
	}
	return found, err
}

// findEntries adds entries until the page is closed.
func (s *scan) findEntries(o search.FindOptions) error {
	o.Totals = &s.totals
	for e, err := range search.Find(s.call.ctx, s.call.workspace, s.start.location, o) {
		switch {
		case e.Dir == nil:
			return s.call.pathError(s.given, err)
		case err != nil:
			s.addUnreadable(s.shown(e.Path()), err)
		}
		if e.ForError {
			continue
		}
		if s.page.next() {
			shown := s.shown(e.Path())
			if e.Kind == workspace.Directory {
				shown += "/"
			}
			s.page.add([]byte(escapeMarker(shown)))
		}
		if s.page.closed {
			break
		}
	}
	return nil
}
