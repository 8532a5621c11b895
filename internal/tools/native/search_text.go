package native

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"unicode/utf8"

	"gander/internal/files/text"
	"gander/internal/files/workspace"
	"gander/internal/search"
	"gander/internal/search/match"
	"gander/internal/search/syntax"
	"gander/internal/tools/shared"
	"gander/tool"
)

const (
	searchLimit = 100
	maxContext  = 100
	// By default, up to fewMatches matches get linesBefore and linesAfter lines of context.
	fewMatches  = 3
	linesBefore = 2
	linesAfter  = 4
)

// An output is the form of the results of a search.
type output uint8

const (
	linesOutput   output = iota // matching lines
	matchesOutput               // the matched text
	filesOutput                 // the paths of files
	countsOutput                // the paths with the number of matching lines
)

// A searchRequest has the checked arguments of a call of search_text.
type searchRequest struct {
	path          string
	pattern       string
	literal       bool
	matcher       *match.Matcher
	scope         search.Scope
	output        output
	fewContext    bool // no context is requested, so that few matches get some
	before, after int  // lines of context
	offset, limit int
}

// parseSearchRequest decodes and checks the arguments.
func parseSearchRequest(ctx context.Context, raw json.RawMessage) (r searchRequest, err error) {
	a := decodeArguments(raw)
	pattern := a.get("pattern query regex regexp search pattern_text")
	r.path = a.get(pathNames).String("")
	globs := a.get("glob include include_pattern file_pattern includePattern").String("")
	r.literal = a.get("literal fixed_strings fixed is_literal").Bool(false)
	ignoreCase := a.get("ignore_case case_insensitive ignoreCase -i i").Bool(false)
	around := a.get("context context_lines -C C")
	before, after := a.alias("before before_context -B B"), a.alias("after after_context -A A")
	both := around.Int(0, 0, math.MaxInt)
	r.before, r.after = before.Int(both, 0, math.MaxInt), after.Int(both, 0, math.MaxInt)
	r.fewContext = !around.Given() && !before.Given() && !after.Given()
	output := a.get("output output_mode").String("lines")
	ignored := a.get("ignored include_ignored no_ignore").Bool(false)
	r.offset = a.get("offset").Int(1, 1, math.MaxInt)
	limit := a.get("limit max_results maxResults head_limit max_matches head")
	r.limit = limit.Int(searchLimit, 1, math.MaxInt)
	r.pattern = pattern.String("")
	if err := a.err(); err != nil {
		return r, err
	}
	if r.output, err = parseOutput(output); err != nil {
		return r, err
	}
	if !pattern.Given() {
		return r, shared.BadArguments("pattern is required: what to search for")
	}
	options := match.Options{Literal: r.literal, IgnoreCase: ignoreCase, CRLF: true}
	if r.matcher, err = match.Compile(ctx, r.pattern, options); err != nil {
		return r, patternError(ctx, r.pattern, err, r.literal)
	}
	r.scope = scope(ignored)
	if r.scope.Globs, err = splitLines("glob", globs); err != nil {
		return r, err
	}
	for i, g := range r.scope.Globs {
		r.scope.Globs[i] = workspace.SlashGlob(g)
	}
	err = r.scope.Check(ctx)
	if ctx.Err() != nil {
		return r, ctx.Err()
	}
	if err != nil {
		return r, shared.BadArguments("%v", err)
	}
	return r, nil
}

// parseOutput returns the output of a name. Other tools have other names for the same.
func parseOutput(name string) (output, error) {
	switch name {
	case "lines", "content":
		return linesOutput, nil
	case "matches":
		return matchesOutput, nil
	case "files", "files_with_matches":
		return filesOutput, nil
	case "counts", "count":
		return countsOutput, nil
	default:
		return 0, shared.BadArguments(`output must be "lines", "matches", "files" or "counts", not %q`,
			shared.Excerpt(name))
	}
}

// searchText runs search_text.
func (f *files) searchText(ctx context.Context, c tool.Call) (tool.Result, error) {
	r, err := parseSearchRequest(ctx, c.Args)
	if err != nil {
		return tool.Result{}, err
	}
	return f.run(ctx, c.Budget, r.path, func(c *call, path string) (section, error) {
		return c.writeMatches(r, path)
	})
}

// A textSearch is a search while its page is written.
type textSearch struct {
	request  searchRequest
	scan     *scan
	noun     string // for the results, in the singular
	seen     int    // number of items found
	count    counter
	isFile   bool
	isBinary bool  // the start is a binary file that matches
	maxLine  int   // the maximum number of bytes shown of a line
	columns  int64 // the number of bytes read to determine columns
}

// writeMatches writes the section about the matches at or below a path.
func (c *call) writeMatches(r searchRequest, given string) (section, error) {
	start, err := c.newScan(given)
	if err != nil {
		return section{}, err
	}
	s := &textSearch{request: r, scan: start, maxLine: longLine}
	s.count.share = max(c.several, 1)
	switch start.start.info.Kind {
	case workspace.Directory:
	case workspace.Regular:
		s.isFile = true
	default:
		return section{}, notRegular(start.base)
	}
	if least := c.budget.least(); least > 0 {
		s.maxLine = max(min(longLine, least/4), 20)
	}
	if c.layout.Whole {
		s.maxLine = math.MaxInt
	}
	switch r.output {
	case linesOutput:
		s.noun = "matching line"
		return s.writeLines()
	case matchesOutput:
		s.noun = "match"
		return s.writeSpans()
	default:
		s.noun = "matching file"
		return s.writePaths()
	}
}

// results calls each with the results of the search until it returns false.
func (s *textSearch) results(before, after int, each func(search.Result) bool) error {
	o := search.Options{
		Scope: s.request.scope, Before: before, After: after, Totals: &s.scan.totals,
		Progress: s.progress,
	}
	switch s.request.output {
	case filesOutput:
		o.Output = search.Names
	case countsOutput:
		o.Output = search.Counts
	}
	c, start := s.scan.call, s.scan.start.location
	for r, err := range search.Search(c.ctx, c.workspace, start, s.request.matcher, o) {
		switch {
		case err != nil && r.Path == "":
			return c.pathError(s.scan.given, err)
		case err != nil:
			s.scan.skip(r.Path, err)
		case s.isFile && r.Binary && o.Output == search.Lines:
			s.isBinary = true
			each(r)
		case !each(r):
			return nil
		}
	}
	return nil
}

// found counts an item. It reports whether the item is on the page, and whether the search should
// continue.
func (s *textSearch) found() (onPage, more bool) {
	s.seen++
	switch {
	case s.seen < s.request.offset:
		return false, true
	case s.count.full:
		return false, s.count.match()
	case s.seen-s.request.offset == s.request.limit:
		return false, s.fill()
	default:
		return true, true
	}
}

// fill ends the page. The search continues, to count.
func (s *textSearch) fill() (more bool) {
	s.count.full, s.count.visited = true, s.scan.totals.Visited
	return true
}

// progress counts work. It reports whether the search should continue.
func (s *textSearch) progress(size int64, file bool) bool {
	return s.count.progress(size, file, s.scan.totals.Visited)
}

// page returns the page of the search.
func (s *textSearch) page() page {
	return page{
		scan: s.scan, noun: s.noun, first: s.request.offset, seen: s.seen, more: s.count.stopped,
	}
}

// A counter counts matches after the page is full. Its work is bounded in files, bytes, matches and
// entries of directories, so that the same search has the same total.
type counter struct {
	share   int  // the number of counters that share the maximum work
	full    bool // the page is full
	stopped bool // there may be more matches than those counted
	files   int
	size    int64
	matches int
	visited int // number of entries visited before
}

// The maximum work of a counter, which takes about 50 ms.
const (
	countedFiles   = 2000
	countedSize    = 32 << 20
	countedMatches = 50_000
	countedEntries = 50_000
)

// match counts a match. It reports whether the search should continue.
func (c *counter) match() bool {
	c.matches++
	c.stopped = c.matches >= countedMatches/c.share
	return !c.stopped
}

// progress counts the work. It reports whether the search should continue.
func (c *counter) progress(size int64, file bool, visited int) bool {
	if !c.full {
		return true
	}
	if c.size += size; file {
		c.files++
	}
	c.stopped = c.files >= countedFiles/c.share || c.size >= countedSize/int64(c.share) ||
		visited-c.visited >= countedEntries/c.share
	return !c.stopped
}

// none returns the section without items.
func (s *textSearch) none() (section, error) {
	var text string
	base, globs, seen := s.scan.base, s.request.scope.Globs, s.seen
	switch searched := s.scan.totals.Searched; {
	case seen > 0:
		text = s.heading() + nothingMore(s.noun, seen, s.request.offset)
	case s.isBinary:
		text, seen = base+" is binary and matches; its lines are not shown", 1
	case s.isFile:
		text = "no " + s.noun + " in " + base
	case searched == 0 && len(globs) > 0:
		text = fmt.Sprintf("nothing is searched, because no file in %s matches glob %q",
			base, cutQuoted(strings.Join(globs, "\n")))
	case searched == 0:
		text = "nothing is searched, because there is no file in " + base
	default:
		text = s.heading() + fmt.Sprintf("no %s in %s searched", s.noun, count(searched, "file"))
	}
	text += s.scan.notes(false)
	if seen == 0 && strings.Contains(s.request.pattern, `\|`) && !s.request.literal {
		text += `; \| is the character |, and | alone separates alternatives`
	}
	return s.scan.nothing(text, seen)
}

// heading returns the beginning of the heading of a section among several.
func (s *textSearch) heading() string {
	if s.scan.call.several > 0 {
		return s.scan.base + ": "
	}
	return ""
}

// patternError returns the error about a pattern that cannot be parsed or searched for.
func patternError(ctx context.Context, pattern string, err error, literal bool) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	e, ok := errors.AsType[*syntax.Error](err)
	if !ok {
		return shared.BadArguments("%v", err)
	}
	character := utf8.RuneCountInString(pattern[:min(e.Offset, len(pattern))]) + 1
	message := fmt.Sprintf("pattern %q, character %d: %s",
		text.Cut(pattern, 1000), character, e.Message)
	if !literal && literalCompiles(ctx, pattern, e) {
		message += "; or give literal=true to search for the pattern as plain text"
	}
	return shared.BadArguments("%s", message)
}

// literalCompiles reports whether a pattern that is not a regular expression can be meant as text.
func literalCompiles(ctx context.Context, pattern string, e *syntax.Error) bool {
	if strings.Contains(e.Message, "not supported") || strings.Contains(pattern, "(?") {
		return false
	}
	_, err := match.Compile(ctx, pattern, match.Options{Literal: true})
	return err == nil
}
