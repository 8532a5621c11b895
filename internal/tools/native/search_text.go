package native

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
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

// searchText is gander/search_text.
type searchText struct{ *files }

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
		return r, shared.BadArguments("pattern is required: what to search for")
	}
	if r.matcher, err = match.Compile(r.pattern, match.Options{Literal: r.literal, IgnoreCase: ignoreCase}); err != nil {
		return r, patternError(r.pattern, err, r.literal)
	}
	r.Scope = scope(r.ignored)
	if glob != "" {
		r.Globs = []string{glob}
	}
	if err := r.Scope.Check(); err != nil {
		return r, shared.BadArguments("%v", err)
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
		return 0, shared.BadArguments(`output must be "lines", "files" or "counts", not %q`, shared.Excerpt(name))
	}
}

// Call searches.
func (t *searchText) Call(ctx context.Context, c tool.Call) (tool.Result, error) {
	r, err := t.request(c.Args)
	if err != nil {
		return tool.Result{}, err
	}
	start, err := t.scan(r.path, c.Budget)
	if err != nil {
		return tool.Result{}, err
	}
	s := &searching{searchRequest: r, scan: start, isFile: start.start.info.Kind != workspace.Directory, mostLine: longLine}
	s.Totals = &s.totals
	if least := s.budget.least(); least > 0 {
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
	*scan
	isFile   bool
	mostLine int  // bytes of a line, beyond which it is cut
	binary   bool // the start is a binary file that matches
}

// results calls each with the results of the search until it returns false.
func (s *searching) results(ctx context.Context, each func(search.Result) bool) error {
	for r, err := range search.Search(ctx, s.workspace, s.start.place, s.matcher, s.Options) {
		switch {
		case err != nil && r.Path == "":
			return s.pathError(s.given, err)
		case err != nil:
			s.skip(r.Path, err)
		case s.isFile && r.Binary && s.Output == search.Lines:
			s.binary = true
			each(r)
		case !each(r):
			return nil
		}
	}
	return nil
}

// paths makes an answer of files, with their counts if those are asked for.
func (s *searching) paths(ctx context.Context) (tool.Result, error) {
	a := &answer{budget: s.budget}
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
		more = !a.add(count, []byte(notNote(s.shown(r.Path))))
		return !more
	})
	if err != nil {
		return tool.Result{}, err
	}
	if seen < s.offset {
		return s.none("matching file", seen)
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

// none returns the answer with no items, if there are so many of them before the offset.
func (s *searching) none(what string, seen int) (tool.Result, error) {
	var text string
	switch searched := int(s.totals.Searched.Load()); {
	case seen > 0:
		text = nothingMore(what, seen, s.offset)
	case s.binary:
		text, seen = s.base+" is binary and matches; its lines are not shown", 1
	case s.isFile:
		text = "no " + what + " in " + s.base
	case searched == 0 && len(s.Globs) > 0:
		text = fmt.Sprintf("nothing is searched, because no file in %s matches glob %q", s.base, s.Globs[0])
	case searched == 0:
		text = "nothing is searched, because there is no file in " + s.base
	default:
		text = fmt.Sprintf("no %s in %s searched", what, count(searched, "file"))
	}
	text += s.notes(false)
	if seen == 0 && strings.Contains(s.pattern, `\|`) && !s.literal {
		text += `; \| is the character |, and | alone separates alternatives`
	}
	return s.nothing(text, seen)
}

// patternError returns the error about a pattern that is no regular expression, or cannot be searched for.
func patternError(pattern string, err error, literal bool) error {
	e, ok := errors.AsType[*syntax.Error](err)
	if !ok {
		return shared.BadArguments("pattern: %v", err)
	}
	message := fmt.Sprintf("pattern %q, character %d: %s", text.Cut(pattern, 1000), utf8.RuneCountInString(pattern[:min(e.Offset, len(pattern))])+1, e.Message)
	if !literal && asText(pattern, e) {
		message += "; or give literal=true to search for the pattern as plain text"
	}
	return shared.BadArguments("%s", message)
}

// asText reports whether a pattern that is no regular expression may be meant as text.
func asText(pattern string, e *syntax.Error) bool {
	if strings.Contains(e.Message, "not supported") || strings.Contains(pattern, "(?") {
		return false
	}
	_, err := match.Compile(pattern, match.Options{Literal: true})
	return err == nil
}
