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
	requestedPage
	pattern string // as given: it can begin with the path of the directory
	options search.FindOptions
	noun    string // for the results, in the singular
}

func parseFind(ctx context.Context, a *callArguments) (request, pathArgument, error) {
	r := findRequest{noun: "path"}
	r.pattern = a.get("pattern", "glob", "query", "name", "glob_pattern").String("")
	paths := a.decodePaths()
	kind := a.get("kind", "type").Choice("any", "file", "directory")
	sort := a.get("sort", "sort_by", "order").Choice("path", "modified")
	r.options.Scope = scope(a.decodeIgnored())
	r.requestedPage = a.decodePage(otherLimits...)
	letters := a.alias("case_sensitive", "caseSensitive")
	isExact := letters.Bool(false)
	if err := a.check(ctx); err != nil {
		return nil, paths, err
	}
	relative, root := relativePattern(r.pattern, a.environment.workspace.Roots()...)
	r.options.Pattern = relative // until the directory is known
	if paths.namesRoot() {
		paths = pathArgument{values: []string{root}}
	}
	if letters.Given() && relative != "" {
		if err := checkCase(relative, isExact); err != nil {
			return nil, paths, err
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
	return r, paths, argumentError(ctx, r.options.Check(ctx))
}

// checkCase returns an error if a pattern is not matched with or without regard to case as
// requested.
func checkCase(pattern string, isExact bool) error {
	isGlob := search.IsGlob(pattern)
	isShort := text.Excerpt(pattern) == pattern
	switch {
	case isExact && !isGlob && !isShort:
		return toolerror.BadArguments("case_sensitive cannot be true: part of a path ignores case; " +
			"give a glob, which does not")
	case isExact && !isGlob:
		glob := "*" + pattern + "*"
		return toolerror.BadArguments("case_sensitive cannot be true: part of a path ignores case; "+
			"give the glob %q, which does not", cmp.Or(anyDepth(glob), glob))
	case !isExact && isGlob:
		return toolerror.BadArguments("case_sensitive cannot be false: a glob matches case; give part " +
			"of the path, which ignores case, or [Aa] for a letter")
	default:
		return nil
	}
}

// relativePattern returns a pattern without the "./" or the directory that it may begin with, and that
// directory or "".
func relativePattern(pattern string, dirs ...string) (relative, start string) {
	pattern = workspace.SlashGlob(pattern)
	switch pattern {
	case "", ".", "/":
		return "", ""
	}
	if rest, ok := strings.CutPrefix(pattern, "./"); ok {
		return patternAtStart(rest), ""
	}
	for _, dir := range dirs {
		prefix := strings.TrimSuffix(filepath.ToSlash(dir), "/") + "/"
		if rest, ok := strings.CutPrefix(pattern+"/", prefix); ok {
			return patternAtStart(strings.TrimSuffix(rest, "/")), dir
		}
	}
	return pattern, ""
}

// patternAtStart returns the pattern for what follows the start in a path: a glob does not match it at
// any depth.
func patternAtStart(rest string) string {
	if search.IsGlob(rest) {
		return "/" + strings.TrimLeft(rest, "/")
	}
	return rest
}

func (r findRequest) section(c *call, b budget, given string) (section, error) {
	start, pattern, err := r.start(c, given)
	if err != nil {
		return section{}, err
	}
	r.options.Pattern = pattern
	page := &resultPage{pager: r.pager(200), budget: b}
	// One more than the page, to know whether there are more.
	r.options.Limit = page.offset + min(page.limit, math.MaxInt-page.offset)
	s := c.newScan(given, start, r.noun, page)
	items, err := s.findEntries(r.options)
	if err != nil {
		return section{}, err
	}
	var end headingEnd
	if r.options.Order == walk.NewestFirst {
		end.order = ", newest first"
		if page.closed {
			page.found = max(page.found, s.totals.Listed) // the walk has counted all
		}
	} else {
		s.uncounted = page.closed
	}
	if page.found < r.offset {
		return s.noneSection(s.noPathText(r.options)+s.notes(), page.found == 0), nil
	}
	return s.finish(items, end), nil
}

// start finds the directory to search. It returns the pattern relative to it.
func (r findRequest) start(c *call, given string) (found target, pattern string, err error) {
	found, err = c.follow(given)
	if err != nil {
		return found, "", err
	}
	at := found.location
	if found.info.Kind != workspace.Directory {
		shown := c.show(at)
		message := fmt.Sprintf(`%s is %s; path must be a directory, such as "%s"`,
			shown, kindNoun(found.info.Kind), path.Dir(shown))
		return found, "", toolerror.New(workspace.ErrNotDirectory, message)
	}
	pattern, _ = relativePattern(r.pattern, c.absolutePath(at.Root(), at.Path()))
	return found, pattern, nil
}

// findEntries returns the items of entries until the page is closed.
func (s *scan) findEntries(o search.FindOptions) (items itemList, err error) {
	o.Totals = &s.totals
	for e, err := range search.Find(s.call.ctx, s.call.workspace, s.start.location, o) {
		switch {
		case e.Dir == nil:
			return items, s.call.pathError(s.given, err)
		case err != nil:
			s.addUnreadable(s.showBelow(e.Path()), err)
		}
		if e.ForError {
			continue
		}
		if s.page.next() {
			shown := s.showBelow(e.Path())
			if e.Kind == workspace.Directory {
				shown += "/"
			}
			items.add([]byte(escapeMarker(shown)))
			s.page.checkSize(items.size())
		}
		if s.page.closed {
			break
		}
	}
	return items, nil
}
