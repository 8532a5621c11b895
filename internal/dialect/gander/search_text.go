package gander

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"gander/internal/dialect"
	"gander/internal/engine/search"
	"gander/internal/engine/search/match"
	"gander/internal/engine/search/syntax"
	"gander/internal/engine/text"
	"gander/internal/engine/workspace"
	"gander/tool"
)

// searchText is gander/search_text.
type searchText struct{ *files }

// Spec describes the tool.
func (t *searchText) Spec() tool.Spec {
	return tool.Spec{
		ID:    "gander/search_text",
		Name:  "search_text",
		Title: "Search file contents (grep, ripgrep)",
		Description: "Searches the contents of files for a regular expression, line by line: where is something defined, used or mentioned? " +
			"Lines are listed below the path of their file, as number, tab, text.",
		Hint:         "where something is defined, used or mentioned in files",
		DialectHint:  dialectHint,
		Input:        json.RawMessage(searchTextSchema),
		PathArgument: "path",
		Command:      searchCommand(),
		Risk:         tool.Low,
	}
}

const searchTextSchema = `{"type":"object","properties":{` +
	`"pattern":{"type":"string","description":"Regular expression in ripgrep's syntax."},` +
	`"path":{"type":"string","description":"Directory or file, relative to the root or absolute (default: the root)."},` +
	`"glob":{"type":"string","description":"Search only files with such paths: *.go, src/**/*.{ts,tsx}; !*_test.go leaves out."},` +
	`"literal":{"type":"boolean","description":"Take pattern as plain text."},` +
	`"ignore_case":{"type":"boolean","description":"Ignore case."},` +
	`"context":{"type":"integer","description":"Lines around each match, at most 100 (default: a few for up to 3 matches, otherwise 0)."},` +
	`"output":{"type":"string","enum":["lines","files","counts"],"description":"lines (default), files: paths alone, counts: matching lines per file."},` +
	`"ignored":{"type":"boolean","description":"Include files that git ignores."},` +
	`"offset":{"type":"integer","description":"First match or file to show (default 1)."},` +
	`"limit":{"type":"integer","description":"Most matches or files to show (default 100)."}},` +
	`"required":["pattern"],"additionalProperties":false}`

const (
	maxContext  = 100 // the largest context
	fewMatches  = 3   // up to so many get context unasked:
	linesBefore = 2
	linesAfter  = 4
	searchLimit = 100
)

// A searchRequest is the arguments of a call, complete and valid.
type searchRequest struct {
	path    string
	matcher *match.Matcher
	pattern string
	literal bool
	search.Options
	context       int // that is asked for; -1 for none
	ignored       bool
	offset, limit int
}

// request decodes and checks the arguments.
func (t *searchText) request(raw json.RawMessage) (r searchRequest, err error) {
	a := decodeArguments(raw)
	pattern := a.get("pattern query regex regexp search pattern_text")
	r.path = a.get(pathNames).String("")
	glob := a.get("glob include include_pattern file_pattern includePattern").String("")
	r.literal = a.get("literal fixed_strings fixed is_literal").Bool(false)
	ignoreCase := a.get("ignore_case case_insensitive ignoreCase -i i").Bool(false)
	r.context = a.get("context context_lines -C C").Int(-1, 0, math.MaxInt)
	output := a.get("output output_mode").String("lines")
	r.ignored = a.get("ignored include_ignored no_ignore").Bool(false)
	r.offset = a.get("offset").Int(1, 1, math.MaxInt)
	r.limit = a.get("limit max_results maxResults head_limit max_matches head").Int(searchLimit, 1, math.MaxInt)
	r.pattern = pattern.String("")
	if err := a.err(); err != nil {
		return r, err
	}
	if r.Output, err = outputOf(output); err != nil {
		return r, err
	}
	if !pattern.Given() {
		return r, dialect.BadArguments("pattern is required: what to search for")
	}
	if r.matcher, err = match.Compile(r.pattern, match.Options{Literal: r.literal, IgnoreCase: ignoreCase}); err != nil {
		return r, patternError(r.pattern, err, r.literal)
	}
	r.Scope = scope(r.ignored)
	if glob != "" {
		r.Globs = []string{glob}
	}
	if err := r.Scope.Check(); err != nil {
		return r, dialect.BadArguments("%v", err)
	}
	return r, nil
}

// outputOf returns what the argument output means. Other tools have other values for the same.
func outputOf(name string) (search.Output, error) {
	switch name {
	case "lines", "content":
		return search.Lines, nil
	case "files", "files_with_matches":
		return search.Names, nil
	case "counts", "count":
		return search.Counts, nil
	default:
		return 0, dialect.BadArguments(`output must be "lines", "files" or "counts", not %q`, dialect.Excerpt(name))
	}
}

// scope returns what find_files and search_text consider.
func scope(ignored bool) search.Scope {
	s := search.Scope{Hidden: true}
	if !ignored {
		s.Ignore = ignoreRules()
	}
	return s
}

// Call searches.
func (t *searchText) Call(ctx context.Context, c tool.Call) (tool.Result, error) {
	r, err := t.request(c.Args)
	if err != nil {
		return tool.Result{}, err
	}
	b, err := t.budget(c.Budget)
	if err != nil {
		return tool.Result{}, err
	}
	start, err := t.find(r.path)
	if err != nil {
		return tool.Result{}, err
	}
	if start.linkErr != nil {
		return tool.Result{}, t.pathError(r.path, start.linkErr)
	}
	r.Totals = new(search.Totals)
	s := &searching{
		searchRequest: r, files: t.files, budget: b, start: start, isFile: start.info.Kind != workspace.Directory,
		base: t.show(start.place), mostLine: longLine,
	}
	if least := b.least(); least > 0 {
		s.mostLine = max(min(longLine, least/4), 20)
	}
	if r.Output == search.Lines {
		return s.lines(ctx)
	}
	return s.paths(ctx)
}

// A searching is a search while its answer is made.
type searching struct {
	searchRequest
	files    *files
	budget   budget
	start    target
	isFile   bool
	base     string // of the start, as answers show it
	mostLine int    // bytes of a line, beyond which it is cut

	unreadable []string
	binary     bool // the start is a binary file that matches
}

// results calls each with the results of the search until it returns false. It keeps what is unreadable.
func (s *searching) results(ctx context.Context, each func(search.Result) bool) error {
	for r, err := range search.Search(ctx, s.files.workspace, s.start.place, s.matcher, s.Options) {
		switch {
		case err != nil && r.Path == "":
			return s.files.pathError(s.path, err)
		case err != nil:
			s.unreadable = append(s.unreadable, s.shown(r.Path)+" ("+dialect.ErrorText(err)+")")
		case s.isFile && r.Binary && s.Output == search.Lines:
			s.binary = true
			each(r)
		case !each(r):
			return nil
		}
	}
	return nil
}

// shown returns the path of a result as the answer shows it.
func (s *searching) shown(rel string) string {
	if rel == "" {
		return s.base
	}
	return below(s.base, rel)
}

// paths makes an answer of files, with their counts if those are asked for.
func (s *searching) paths(ctx context.Context) (tool.Result, error) {
	a := newAnswer(s.budget)
	seen, lines, more := 0, 0, false
	err := s.results(ctx, func(r search.Result) bool {
		if seen++; seen < s.offset {
			return true
		}
		if more = seen-s.offset == s.limit; more {
			return false
		}
		var count []byte
		if s.Output == search.Counts {
			count = append(strconv.AppendInt(nil, int64(r.Count), 10), '\t')
			lines += r.Count
		}
		more = !a.add(count, []byte(s.shown(r.Path)))
		return !more
	})
	if err != nil {
		return tool.Result{}, err
	}
	if seen < s.offset {
		return s.nothing("matching file", seen)
	}
	part := extent{what: "matching file", first: s.offset, seen: seen, more: more}
	return part.finish(a, func(e extent) (heading, end string) {
		heading = e.heading()
		if s.Output == search.Counts && !e.partial() {
			heading += " with " + count(lines, "matching line")
		}
		return heading + s.notes(e.continues()), e.end()
	})
}

// nothing returns the answer with no items, if there are so many of them before the offset.
func (s *searching) nothing(what string, seen int) (tool.Result, error) {
	var text string
	switch searched := int(s.Totals.Searched.Load()); {
	case seen > 0:
		text = nothingMore(what, seen, s.offset)
	case s.binary:
		text = s.base + " is binary and matches; its lines are not shown"
	case s.isFile:
		text = "no " + what + " in " + s.base
	case searched == 0 && len(s.Globs) > 0:
		text = fmt.Sprintf("no file is searched: glob %q matches none in %s", s.Globs[0], s.base)
	case searched == 0:
		text = "no file is searched: there is none in " + s.base
	default:
		text = fmt.Sprintf("no %ss in %s searched", what, count(searched, "file"))
	}
	text += s.notes(false)
	if seen == 0 && strings.Contains(s.pattern, `\|`) && !s.literal {
		text += `; \| is the character |, and | alone separates alternatives`
	}
	result, err := newAnswer(s.budget).finish(func(int) (heading, end string) { return text, "" })
	result.NothingFound = seen == 0 && !s.binary
	return result, err
}

// notes says what the answer leaves out. If it is continued, that is what has been met so far.
func (s *searching) notes(continued bool) string {
	n := notes{totals: s.Totals, unreadable: s.unreadable, continued: continued}
	if s.path == "" {
		n.otherRoots = s.files.workspace.Roots()[1:]
	}
	return n.String()
}

// patternError returns the error about a pattern that is no regular expression, or cannot be searched for.
func patternError(pattern string, err error, literal bool) error {
	e, ok := errors.AsType[*syntax.Error](err)
	if !ok {
		return dialect.BadArguments("pattern: %v", err)
	}
	message := fmt.Sprintf("pattern %q, character %d: %s", text.Cut(pattern, 1000), utf8.RuneCountInString(pattern[:min(e.Offset, len(pattern))])+1, e.Message)
	if !literal && asText(pattern, e) {
		message += "; or give literal=true to search for the pattern as plain text"
	}
	return dialect.BadArguments("%s", message)
}

// asText reports whether a pattern that is no regular expression may be meant as text.
func asText(pattern string, e *syntax.Error) bool {
	if strings.Contains(e.Message, "not supported") || strings.Contains(pattern, "(?") {
		return false
	}
	_, err := match.Compile(pattern, match.Options{Literal: true})
	return err == nil
}
