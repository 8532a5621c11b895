package native

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"strings"
	"unicode/utf8"

	"gander/internal/files/text"
	"gander/internal/files/workspace"
	"gander/internal/search"
	"gander/internal/search/filetype"
	"gander/internal/search/match"
	"gander/internal/search/syntax"
	"gander/internal/tools/toolerror"
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

func parseSearch(ctx context.Context, f *files, a *callArguments) (request, error) {
	r := searchRequest{noun: "matching line"}
	pattern := a.get("pattern query regex regexp search pattern_text")
	a.getPath()
	globs := linesOf(a.get("glob include include_pattern file_pattern includePattern"))
	kinds := linesOf(a.alias("type file_type fileType types"))
	r.literal = a.get("literal fixed_strings fixed is_literal -F").Bool(false)
	isRegexp := a.alias("is_regex isRegexp is_regexp use_regex").Bool(true)
	r.literal = r.literal || !isRegexp
	ignoreCase := a.get("ignore_case case_insensitive ignoreCase -i i").Bool(false)
	isExact := a.alias("case_sensitive caseSensitive").Bool(true)
	ignoreCase = ignoreCase || !isExact
	around := a.get("context context_lines -C C")
	before, after := a.alias("before before_context -B B"), a.alias("after after_context -A A")
	r.fewContext = !around.Given() && !before.Given() && !after.Given()
	both := around.Int(0, 0, math.MaxInt)
	linesBefore, linesAfter := before.Int(both, 0, math.MaxInt), after.Int(both, 0, math.MaxInt)
	output := a.get("output output_mode").String("lines")
	r.options.Scope = scope(a.getIgnored())
	if len(f.settings.Documents) > 0 {
		r.options.WithDocuments = a.get("documents").Bool(false)
	}
	r.offset, r.limit = a.getPage()
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
		r.noun, r.spans = "matched text", true
	case "files", "files_with_matches":
		r.noun, r.options.Output = "matching file", search.Names
	case "counts", "count":
		r.noun, r.options.Output = "matching file", search.Counts
	default:
		return nil, toolerror.BadArguments(
			`output must be "lines", "matches", "files" or "counts", not %q`, text.Excerpt(output),
		)
	}
	if !pattern.Given() {
		return nil, toolerror.BadArguments("pattern is required: what to search for")
	}
	var err error
	options := match.Options{Literal: r.literal, IgnoreCase: ignoreCase, CRLF: true}
	r.matcher, err = match.Compile(ctx, r.pattern, options)
	if err != nil {
		return nil, patternError(ctx, r.pattern, err, r.literal)
	}
	if r.options.Globs, err = splitLines("glob", globs); err != nil {
		return nil, err
	}
	if r.options.Globs, err = addTypes(r.options.Globs, kinds); err != nil {
		return nil, err
	}
	for i, g := range r.options.Globs {
		r.options.Globs[i] = workspace.SlashGlob(g)
	}
	return r, wrongArgument(ctx, r.options.Check(ctx))
}

// addTypes returns globs, which must exclude files, with those of types of files.
func addTypes(globs []string, kinds string) ([]string, error) {
	names, err := splitLines("type", kinds)
	if err != nil || len(names) == 0 {
		return globs, err
	}
	for _, g := range globs {
		if !strings.HasPrefix(g, "!") {
			return nil, toolerror.BadArguments("type and glob %q both select files; give glob alone",
				text.Excerpt(g))
		}
	}
	for _, name := range names {
		glob, ok := filetype.Glob(name)
		if !ok {
			return nil, toolerror.BadArguments("there is no type %q; give glob=%q, or a type of %s",
				text.Excerpt(name), "*."+text.Excerpt(name), strings.Join(filetype.Names(), ", "))
		}
		globs = append(globs, glob)
	}
	return globs, nil
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
	matches  int // so far, where the results are different matches

	done   work
	atFull *work // what had been done when the page became full, or nil
	err    error
}

// A work measures how much a search has done. Counting the results after the page stops when any
// field reaches its bound, so a repeated search has the same total.
type work struct {
	matches, files, entries int
	documents               int   // whose text was searched; the next one ends the counting
	size                    int64 // of the files
}

// maxCounted returns the maximum work for counting results after the page, which takes about 50 ms.
func maxCounted() work {
	return work{matches: 50_000, files: 2000, entries: 50_000, size: 32 << 20}
}

// findText finds the file or the directory to search.
func (c *call) findText(given string) (target, error) {
	found, err := c.follow(given)
	kind := found.info.Kind
	if err == nil && kind != workspace.Directory && kind != workspace.Regular {
		err = notRegular(c.show(found.location))
	}
	return found, err
}

func (r searchRequest) section(c *call, given string) (section, error) {
	start, err := c.findText(given)
	if err != nil {
		return section{}, err
	}
	s := &textSearch{
		scan: c.newScan(given, start, r.noun,
			newPage(c.budget, r.offset, cmp.Or(r.limit, 100))),
		request: r, isFile: start.info.Kind == workspace.Regular,
	}
	if c.paths > 1 {
		s.prefix = s.base + ": "
	}
	s.maxLine = max(min(longLine, c.budget.minimum()/4), 20)
	switch {
	case r.options.Output != search.Lines:
		return s.pathsSection()
	case r.spans:
		return s.spansSection()
	default:
		return s.linesSection()
	}
}

// results yields the results of the search. It stops when the page is full and counting the other
// results takes too long, or at an error about the start.
func (s *textSearch) results() iter.Seq[search.Result] {
	o := s.request.options
	o.Totals, o.Progress = &s.totals, s.progress
	c, start := s.call, s.start.location
	limit := documentTime
	if s.isFile {
		limit = 0
	}
	o.Documents = c.recognizer(limit)
	return func(yield func(search.Result) bool) {
		for r, err := range search.Search(c.ctx, c.workspace, start, s.request.matcher, o) {
			if err == search.ErrCut {
				s.cut(s.shown(r.Path))
				continue
			}
			if err != nil && r.Path == "" {
				s.err = c.searchError(s.given, start, err)
				return
			}
			if err != nil {
				s.skip(s.shown(r.Path), err)
				continue
			}
			if r.Line.Number == 0 {
				s.path = notMarker(s.shown(r.Path))
				s.isBinary = s.isFile && r.Binary && o.Output == search.Lines
			}
			if !yield(r) || !s.goOn() {
				return
			}
		}
	}
}

// progress counts the work. It reports whether the search should continue.
func (s *textSearch) progress(size int64, file bool) bool {
	s.done.size += size
	if file {
		s.done.files++
	}
	return s.goOn()
}

// goOn reports whether the search should continue: the page has room, or counting the other results
// is still cheap.
func (s *textSearch) goOn() bool {
	s.done.matches, s.done.entries = max(s.found, s.matches), s.totals.Visited
	s.done.documents = s.totals.Extracted
	if !s.full {
		return true
	}
	if s.atFull == nil {
		full := s.done
		s.atFull = &full
	}
	done, from, limit, paths := s.done, s.atFull, maxCounted(), s.call.paths
	s.partial = done.matches-from.matches >= limit.matches/paths ||
		done.documents > from.documents ||
		done.files-from.files >= limit.files/paths ||
		done.entries-from.entries >= limit.entries/paths ||
		done.size-from.size >= limit.size/int64(paths)
	return !s.partial
}

// pageSection returns the section with the items of the page. more completes its first line if it
// shows n items.
func (s *textSearch) pageSection(more func(n int) string) (section, error) {
	switch {
	case s.err != nil:
		return section{}, s.err
	case s.found < s.offset:
		return s.none()
	}
	return s.finish(func(n int) string {
		return s.prefix + s.heading(n) + more(n) + s.notes(s.partial)
	})
}

func (s *textSearch) none() (section, error) {
	globs := strings.Join(s.request.options.Globs, "\n")
	var text string
	switch searched := s.totals.Searched; {
	case s.found > 0:
		text = s.prefix + s.nothingMore()
	case s.isBinary:
		s.found = 1
		text = s.base + " is binary and matches; its lines are not shown"
	case searched == 0 && s.totals.Documents+s.totals.Late > 0:
		text = "nothing is searched in " + s.base
	case s.isFile:
		text = "no " + s.noun + " in " + s.base
	case searched == 0 && globs != "":
		text = fmt.Sprintf("nothing is searched, because no file in %s matches glob %.300q", s.base,
			globs)
		if likely := likelyGlobs(s.request.options.Globs); likely != globs {
			text += fmt.Sprintf("; give glob=%.300q", likely)
		}
	case searched == 0:
		text = "nothing is searched, because there is no file in " + s.base
	default:
		text = s.prefix + fmt.Sprintf("no %s in %s searched", s.noun, count(searched, "file"))
	}
	text += s.notes(false)
	if s.found == 0 && strings.Contains(s.request.pattern, `\|`) && !s.request.literal {
		text += `; \| is the character |, and | alone separates alternatives`
	}
	if s.found == 0 && strings.Contains(s.request.pattern, `\`) && s.request.literal {
		text += `; with literal, \ is a character of the text, so leave it out before others`
	}
	return s.nothing(text)
}

// likelyGlobs returns the probable meaning of globs that match nothing, one per line: of several in a
// line, of an extension, and of a directory.
func likelyGlobs(globs []string) string {
	var likely []string
	for _, g := range globs {
		parts := []string{g}
		if !strings.ContainsAny(g, "{[\\") {
			parts = strings.FieldsFunc(g, func(r rune) bool { return r == ',' || r == ' ' })
		}
		for _, part := range parts {
			isPlain := !strings.ContainsAny(part, "*?[{\\!")
			switch {
			case isPlain && strings.HasPrefix(part, ".") && !strings.Contains(part, "/"):
				part = "*" + part
			case strings.HasSuffix(part, "/"):
				part += "**"
			}
			likely = append(likely, part)
		}
	}
	return strings.Join(likely, "\n")
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
	return toolerror.BadArguments("%s", message)
}
