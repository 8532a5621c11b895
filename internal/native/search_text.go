package native

import (
	"cmp"
	"context"
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
)

const (
	maxContext = 100 // lines, whatever is requested
	fewMatches = 3   // get context even if it is not requested
)

type searchRequest struct {
	pattern       string
	literal       bool
	matcher       *match.Matcher
	options       search.Options
	context       int  // the requested number of lines of context, before or after
	fewContext    bool // no context is requested, so that few matches get some
	noun          string
	spans         bool // the results are matches instead of lines
	offset, limit int  // the limit is 0 if it is not given
}

func parseSearch(ctx context.Context, _ *files, a *arguments) (request, error) {
	r := searchRequest{noun: "matching line"}
	pattern := a.get("pattern query regex regexp search pattern_text")
	a.getPath()
	globs := a.get("glob include include_pattern file_pattern includePattern").String("")
	r.literal = a.get("literal fixed_strings fixed is_literal").Bool(false)
	ignoreCase := a.get("ignore_case case_insensitive ignoreCase -i i").Bool(false)
	around := a.get("context context_lines -C C")
	before, after := a.alias("before before_context -B B"), a.alias("after after_context -A A")
	r.fewContext = !around.Given() && !before.Given() && !after.Given()
	both := around.Int(0, 0, math.MaxInt)
	linesBefore, linesAfter := before.Int(both, 0, math.MaxInt), after.Int(both, 0, math.MaxInt)
	output := a.get("output output_mode").String("lines")
	r.options.Scope = scope(a.getIgnored())
	r.offset = a.get("offset").Int(1, 1, math.MaxInt)
	limit := a.get("limit max_results maxResults head_limit max_matches head")
	r.limit = limit.Int(0, 1, math.MaxInt)
	r.pattern = pattern.String("")
	if err := a.err(); err != nil {
		return nil, err
	}
	switch output {
	case "lines", "content":
		r.context = max(linesBefore, linesAfter)
		r.options.Before, r.options.After = min(linesBefore, maxContext), min(linesAfter, maxContext)
		if r.fewContext {
			r.options.Before, r.options.After = 2, 4
		}
	case "matches":
		r.noun, r.spans = "match", true
	case "files", "files_with_matches":
		r.noun, r.options.Output = "matching file", search.Names
	case "counts", "count":
		r.noun, r.options.Output = "matching file", search.Counts
	default:
		return nil, shared.BadArguments(`output must be "lines", "matches", "files" or "counts", not %q`,
			shared.Excerpt(output))
	}
	if !pattern.Given() {
		return nil, shared.BadArguments("pattern is required: what to search for")
	}
	var err error
	options := match.Options{Literal: r.literal, IgnoreCase: ignoreCase, CRLF: true}
	if r.matcher, err = match.Compile(ctx, r.pattern, options); err != nil {
		return nil, patternError(ctx, r.pattern, err, r.literal)
	}
	if r.options.Globs, err = splitLines("glob", globs); err != nil {
		return nil, err
	}
	for i, g := range r.options.Globs {
		r.options.Globs[i] = workspace.SlashGlob(g)
	}
	return r, wrongArgument(ctx, r.options.Check(ctx))
}

type textSearch struct {
	*scan
	request  searchRequest
	isFile   bool
	isBinary bool // the start is a binary file that matches
	prefix   string
	path     string // of the current file in results
	maxLine  int    // the maximum number of bytes shown of a line
	columns  columns

	full    bool // the page is full
	before  int  // the number of entries visited before it was full
	counted work // since then
	err     error
}

// A work measures how much a search has done. Counting the results after the page stops when any
// field reaches its bound, so a repeated search has the same total.
type work struct {
	matches, files, entries int
	size                    int64 // of the files
}

// maxCounted returns the maximum work for counting results after the page, which takes about 50 ms.
func maxCounted() work {
	return work{matches: 50_000, files: 2000, entries: 50_000, size: 32 << 20}
}

// findText finds the file or the directory to search.
func (c *call) findText(given string) (resolved, error) {
	found, err := c.follow(given)
	kind := found.info.Kind
	if err == nil && kind != workspace.Directory && kind != workspace.Regular {
		err = notRegular(c.show(found.location))
	}
	return found, err
}

func (r searchRequest) write(c *call, given string) (section, error) {
	start, err := c.findText(given)
	if err != nil {
		return section{}, err
	}
	s := &textSearch{
		scan:    c.newScan(given, start, r.noun, r.offset, cmp.Or(r.limit, 100)),
		request: r, isFile: start.info.Kind == workspace.Regular,
	}
	if c.paths > 1 {
		s.prefix = s.base + ": "
	}
	s.maxLine = max(min(longLine, c.budget.minimum()/4), 20)
	switch {
	case r.options.Output != search.Lines:
		return s.writePaths()
	case r.spans:
		return s.writeSpans()
	default:
		return s.writeLines()
	}
}

func (s *textSearch) search(each func(search.Result) bool) {
	o := s.request.options
	o.Totals, o.Progress = &s.totals, s.progress
	c, start := s.call, s.start.location
	for r, err := range search.Search(c.ctx, c.workspace, start, s.request.matcher, o) {
		if err != nil && r.Path == "" {
			s.err = c.pathError(s.given, err)
			return
		} else if err != nil {
			s.skip(s.shown(r.Path), err)
			continue
		}
		if r.Line.Number == 0 {
			s.path = notMarker(s.shown(r.Path))
			s.isBinary = s.isFile && r.Binary && o.Output == search.Lines
		}
		if !each(r) {
			return
		}
	}
}

// found counts a result. It reports whether the result is on the page, and whether the search
// should continue.
func (s *textSearch) found() (onPage, more bool) {
	s.seen++
	switch {
	case s.seen < s.offset:
		return false, true
	case s.full:
		s.counted.matches++
		return false, s.counts()
	case s.seen-s.offset == s.limit:
		return false, s.fill()
	default:
		return true, true
	}
}

// fill ends the page. The search continues only to count, so fill returns true.
func (s *textSearch) fill() (more bool) {
	s.full, s.before = true, s.totals.Visited
	return true
}

// progress counts the work after the page is full. It reports whether the search should continue.
func (s *textSearch) progress(size int64, file bool) bool {
	if !s.full {
		return true
	}
	if s.counted.size += size; file {
		s.counted.files++
	}
	return s.counts()
}

func (s *textSearch) counts() bool {
	s.counted.entries = s.totals.Visited - s.before
	done, limit, paths := s.counted, maxCounted(), s.call.paths
	s.more = done.matches >= limit.matches/paths || done.files >= limit.files/paths ||
		done.entries >= limit.entries/paths || done.size >= limit.size/int64(paths)
	return !s.more
}

// writePage returns the section with these items. more completes its first line if it shows n
// items.
func (s *textSearch) writePage(a *items, more func(n int) string) (section, error) {
	switch {
	case s.err != nil:
		return section{}, s.err
	case s.seen < s.offset:
		return s.none()
	}
	return s.finish(a, func(n int) string {
		return s.prefix + s.heading(n) + more(n) + s.notes(s.more)
	})
}

func (s *textSearch) none() (section, error) {
	globs := strings.Join(s.request.options.Globs, "\n")
	var text string
	switch searched := s.totals.Searched; {
	case s.seen > 0:
		text = s.prefix + s.nothingMore()
	case s.isBinary:
		s.seen = 1
		text = s.base + " is binary and matches; its lines are not shown"
	case s.isFile:
		text = "no " + s.noun + " in " + s.base
	case searched == 0 && globs != "":
		text = fmt.Sprintf("nothing is searched, because no file in %s matches glob %.300q", s.base,
			globs)
	case searched == 0:
		text = "nothing is searched, because there is no file in " + s.base
	default:
		text = s.prefix + fmt.Sprintf("no %s in %s searched", s.noun, count(searched, "file"))
	}
	text += s.notes(false)
	if s.seen == 0 && strings.Contains(s.request.pattern, `\|`) && !s.request.literal {
		text += `; \| is the character |, and | alone separates alternatives`
	}
	return s.nothing(text)
}

func patternError(ctx context.Context, pattern string, err error, literal bool) error {
	e, ok := errors.AsType[*syntax.Error](err)
	if !ok || ctx.Err() != nil {
		return wrongArgument(ctx, err)
	}
	character := utf8.RuneCountInString(pattern[:min(e.Offset, len(pattern))]) + 1
	message := fmt.Sprintf("pattern %q, character %d: %s",
		text.Cut(pattern, 1000), character, e.Message)
	if !literal && !strings.Contains(e.Message, "not supported") && !strings.Contains(pattern, "(?") {
		message += "; or give literal=true to search for the pattern as plain text"
	}
	return shared.BadArguments("%s", message)
}
