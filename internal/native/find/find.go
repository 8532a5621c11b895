// Package find implements find_files.
package find

import (
	"cmp"
	"context"
	_ "embed"
	"fmt"
	"math"
	"path"

	"gander/internal/files/text"
	"gander/internal/files/walk"
	"gander/internal/files/workspace"
	"gander/internal/native/call"
	"gander/internal/native/lookup"
	"gander/internal/native/results"
	"gander/internal/native/section"
	"gander/internal/search"
	"gander/internal/tools/toolerror"
)

// A request is the arguments of find_files.
type request struct {
	call.Page
	pattern string // as given: it can begin with the path of the directory
	options search.FindOptions
	noun    string // for the results, in the singular
}

//go:embed definition.json
var definition string

// Tool returns find_files.
func Tool(e *call.Environment) *call.Tool { return call.New(e, definition, parse) }

func parse(ctx context.Context, a *call.Arguments) (call.Request, call.PathArgument, error) {
	r := request{noun: "path"}
	r.pattern = a.Get("pattern", "glob", "query", "name", "glob_pattern").String("")
	paths := a.DecodePaths()
	kind := a.Get("kind", "type").Choice("any", "file", "directory")
	sort := a.Get("sort", "sort_by", "order").Choice("path", "modified")
	r.options.Scope = lookup.Scope(a.DecodeIgnored())
	r.Page = a.DecodePage(call.OtherLimits...)
	letters := a.Alias("case_sensitive", "caseSensitive")
	isExact := letters.Bool(false)
	if err := a.Check(ctx); err != nil {
		return nil, paths, err
	}
	relative, root := lookup.RelativePattern(r.pattern, a.Environment.Workspace.Roots()...)
	r.options.Pattern = relative // until the directory is known
	if root != "" && paths.IsRoots() {
		paths = call.PathArgument{Values: []string{root}}
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
	return r, paths, nil
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
			"give the glob %q, which does not", cmp.Or(results.AnyDepth(glob), glob))
	case !isExact && isGlob:
		return toolerror.BadArguments("case_sensitive cannot be false: a glob matches case; give part " +
			"of the path, which ignores case, or [Aa] for a letter")
	default:
		return nil
	}
}

func (r request) Section(
	ctx context.Context, c *call.Call, b section.Budget, given string,
) (section.Section, error) {
	start, pattern, err := r.start(ctx, c, given)
	if err != nil {
		return section.Section{}, err
	}
	r.options.Pattern = pattern
	page := r.Within(b, 200)
	// One more than the page, to know whether there are more.
	r.options.Limit = page.Offset + min(page.Limit, math.MaxInt-page.Offset)
	s := results.New(c, given, start, r.noun, page)
	if clause := start.AlikeClause(); clause != "" {
		s.PathClauses = []string{clause}
	}
	items, err := findEntries(ctx, s, r.options)
	if err != nil {
		return section.Section{}, err
	}
	var end results.HeadingEnd
	if r.options.Order == walk.NewestFirst {
		end.Order = ", newest first"
		if page.Closed {
			page.Found = max(page.Found, s.Totals.Selected) // the walk has counted all
		}
	} else {
		s.Uncounted = page.Closed
	}
	if page.Found < r.Offset {
		return s.NoneSection(noPathText(ctx, s, r.options)+s.Notes(ctx), page.Found == 0), nil
	}
	return s.Finish(ctx, items, end), nil
}

// noPathText returns the heading of a page without paths.
func noPathText(ctx context.Context, s *results.Report, o search.FindOptions) string {
	switch {
	case s.Page.Found > 0:
		return s.NoMoreText(ctx)
	case o.Pattern == "":
		return fmt.Sprintf("no %s below %s", s.Noun, s.Shown)
	default:
		return fmt.Sprintf("no %s below %s matches %.300q", s.Noun, s.Shown, o.Pattern) +
			results.Meanings(ctx, s, s.Noun, o)
	}
}

// start finds the directory to search. It returns the pattern relative to it.
func (r request) start(
	ctx context.Context, c *call.Call, given string,
) (found lookup.Target, pattern string, err error) {
	found, err = c.Paths.Follow(ctx, given)
	if err != nil {
		return found, "", err
	}
	at := found.Location
	if found.Info.Kind != workspace.Directory {
		shown := c.Paths.Show(at)
		message := fmt.Sprintf(`%s is %s; path must be a directory, such as "%s"`,
			shown, lookup.KindNoun(found.Info.Kind), path.Dir(shown))
		return found, "", toolerror.New(workspace.ErrNotDirectory, message)
	}
	pattern, _ = lookup.RelativePattern(r.pattern, c.Paths.AbsolutePath(at.Root(), at.Path()))
	r.options.Pattern = lookup.LiteralNames(at, pattern)
	return found, r.options.Pattern, call.ArgumentError(ctx, r.options.Check(ctx))
}

// findEntries returns the items of entries until the page is closed.
func findEntries(
	ctx context.Context, s *results.Report, o search.FindOptions,
) (items section.Items, err error) {
	o.Totals = &s.Totals
	for e, err := range search.Find(ctx, s.Call.Workspace, s.Start.Location, o) {
		switch {
		case e.Dir == nil:
			return items, s.Call.Paths.PathError(ctx, s.Given, err)
		case err != nil:
			s.AddUnreadable(s.ShowBelow(e.Path()), err)
		}
		if e.ForError {
			continue
		}
		if s.Page.Next() {
			shown := s.ShowBelow(e.Path())
			if e.Kind == workspace.Directory {
				shown += "/"
			}
			items.Add([]byte(lookup.EscapeMarker(shown)))
			s.Page.CheckSize(items.Size())
		}
		if s.Page.Closed {
			break
		}
	}
	return items, nil
}
