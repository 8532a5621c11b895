package native

import (
	"context"
	"errors"
	"fmt"
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
	maxContext = 100 // the maximum number of lines of context
	fewResults = 3   // the maximum number of results that get context if none is requested
)

// A searchRequest is the arguments of search_text.
type searchRequest struct {
	requestedPage
	pattern    string
	literal    bool
	matcher    *match.Matcher
	options    search.Options
	noun       string // for the results, in the singular
	texts      bool   // the results are matched texts instead of lines
	context    int    // the requested lines before or after a result, even if more than maxContext
	fewContext bool   // no context is requested, so that few results get some
}

func parseSearch(ctx context.Context, a *callArguments) (request, pathArgument, error) {
	var r searchRequest
	pattern := a.get("pattern", "query", "regex", "regexp", "search", "pattern_text")
	paths := a.decodePaths()
	globs := a.lines("glob", a.get("glob", "include", "include_pattern", "file_pattern", "includePattern"))
	types := a.lines("type", a.alias("type", "file_type", "fileType", "types"))
	r.literal = a.flag(
		a.get("literal", "fixed_strings", "fixed", "is_literal", "-F"),
		a.alias("is_regex", "isRegexp", "is_regexp", "use_regex"))
	ignoresCase := a.flag(
		a.get("ignore_case", "case_insensitive", "ignoreCase", "-i", "i"),
		a.alias("case_sensitive", "caseSensitive"))
	around := decodeContext(a)
	output := a.get("output", "output_mode").String("lines")
	r.options.Scope = scope(a.decodeIgnored())
	if len(a.environment.settings.Documents) > 0 {
		r.options.WithDocuments = a.get("documents").Bool(false)
	}
	r.requestedPage = a.decodePage(otherLimits...)
	r.pattern = pattern.String("")
	if err := a.check(ctx); err != nil {
		return nil, paths, err
	}
	if err := r.setOutput(output, around); err != nil {
		return nil, paths, err
	}
	if !pattern.Given() {
		return nil, paths, toolerror.BadArguments("pattern is required: what to search for")
	}
	var err error
	options := match.Options{Literal: r.literal, IgnoreCase: ignoresCase, CRLF: true}
	r.matcher, err = match.Compile(ctx, r.pattern, options)
	if err != nil {
		return nil, paths, r.patternError(ctx, err)
	}
	r.options.Globs, err = selectedBy(types, globs)
	if err != nil {
		return nil, paths, err
	}
	return r, paths, argumentError(ctx, r.options.Check(ctx))
}

// A requestedContext is the numbers of lines requested around a result.
type requestedContext struct {
	before, after int
	given         bool
}

func decodeContext(a *callArguments) requestedContext {
	around := a.get("context", "context_lines", "-C", "C")
	before := a.alias("before", "before_context", "-B", "B")
	after := a.alias("after", "after_context", "-A", "A")
	both := around.Int(0, 0, math.MaxInt)
	return requestedContext{
		before: before.Int(both, 0, math.MaxInt), after: after.Int(both, 0, math.MaxInt),
		given: around.Given() || before.Given() || after.Given(),
	}
}

func (r *searchRequest) setOutput(output string, around requestedContext) error {
	switch output {
	case "lines", "content":
		r.noun = "matching line"
		r.setContext(around)
	case "matches":
		r.noun, r.texts = "matched text", true
	case "files", "files_with_matches":
		r.noun, r.options.Output = "matching file", search.Names
	case "counts", "count":
		r.noun, r.options.Output = "matching file", search.Counts
	default:
		return toolerror.BadArguments(
			`output must be "lines", "matches", "files" or "counts", not %q`, text.Excerpt(output),
		)
	}
	return nil
}

func (r *searchRequest) setContext(around requestedContext) {
	if !around.given {
		r.fewContext = true
		r.options.Before, r.options.After = 2, 4
		return
	}
	r.context = max(around.before, around.after)
	r.options.Before, r.options.After = min(around.before, maxContext), min(around.after, maxContext)
}

func (r *searchRequest) patternError(ctx context.Context, err error) error {
	e, ok := errors.AsType[*syntax.Error](err)
	if !ok || ctx.Err() != nil {
		return argumentError(ctx, err)
	}
	character := utf8.RuneCountInString(r.pattern[:min(e.Offset, len(r.pattern))]) + 1
	message := fmt.Sprintf("pattern %q, character %d: %s",
		text.Cut(r.pattern, 1000), character, e.Message)
	isMalformed := !r.literal && !strings.Contains(e.Message, "not supported")
	if isMalformed && !strings.Contains(r.pattern, "(?") {
		message += "; or give literal=true to search for the pattern as plain text"
	}
	return toolerror.BadArguments("%s", message)
}

// selectedBy returns the globs that select files of the types, and the given globs.
func selectedBy(types, globs []string) ([]string, error) {
	all, err := filetype.Globs(types, globs)
	if e, ok := errors.AsType[*filetype.ConflictError](err); ok {
		return nil, toolerror.BadArguments("type and glob %q both select files; give glob alone",
			text.Excerpt(e.Glob))
	}
	if e, ok := errors.AsType[*filetype.UnknownError](err); ok {
		name := text.Excerpt(e.Name)
		return nil, toolerror.BadArguments("there is no type %q; give glob=%q, or a type of %s",
			name, "*."+name, strings.Join(filetype.Names(), ", "))
	}
	for i, glob := range all {
		all[i] = workspace.SlashGlob(glob)
	}
	return all, nil
}
