package search

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"math"
	"regexp"
	"strings"
	"unicode/utf8"

	"gander/internal/files/charset"
	"gander/internal/files/text"
	"gander/internal/files/workspace"
	"gander/internal/native/call"
	"gander/internal/native/filekind"
	"gander/internal/native/lookup"
	"gander/internal/native/wording"
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

// A request is the arguments of search_text, checked.
type request struct {
	call.Page
	pattern    string
	literal    bool
	matcher    *match.Matcher
	options    search.Options
	noun       string // for the results, in the singular
	texts      bool   // the results are matched texts instead of lines
	context    int    // the requested lines before or after a result, even if more than maxContext
	fewContext bool   // no context is requested, so that few results get some
	blocks     bool   // the blocks around the results are shown
}

//go:embed definition.json
var definition string

// Tool returns search_text.
func Tool(e *call.Environment) *call.Tool {
	published := definition
	if len(e.Settings.Documents) == 0 {
		const option = `"documents":{"type":"boolean","description":"Search documents, too."},`
		published = strings.Replace(published, option, "", 1)
	}
	return call.New(e, published, parse)
}

// parse decodes the arguments of a call, also by the names that other tools give them.
func parse(ctx context.Context, a *call.Arguments) (call.Request, call.PathArgument, error) {
	var r request
	pattern := a.Get("pattern", "query", "regex", "regexp", "search", "pattern_text")
	paths := a.DecodePaths()
	globs := a.Lines("glob",
		a.Get("glob", "include", "include_pattern", "file_pattern", "includePattern"))
	types := a.Lines("type", a.Alias("type", "file_type", "fileType", "types"))
	r.literal = a.Flag(
		a.Get("literal", "fixed_strings", "fixed", "is_literal", "-F"),
		a.Alias("is_regex", "isRegexp", "is_regexp", "use_regex"))
	ignoresCase := a.Flag(
		a.Get("ignore_case", "case_insensitive", "ignoreCase", "caseInsensitive", "-i",
			"i"),
		a.Alias("case_sensitive", "caseSensitive"))
	isWord := a.Alias("word", "whole_word", "wholeWord", "word_regexp", "-w").Bool(false)
	around := decodeContext(a)
	r.blocks = a.Get("block", "function_context", "-W").Bool(false)
	output := a.Get("output", "output_mode").String("lines")
	r.options.Scope = lookup.Scope(a.DecodeIgnored())
	r.options.OnlySelect = true
	r.options.Decide = decide(a.DecodeEncoding())
	if len(a.Environment.Settings.Documents) > 0 {
		r.options.WithDocuments = a.Get("documents").Bool(false)
	}
	r.Page = a.DecodePage(call.OtherLimits...)
	r.pattern = pattern.String("")
	if err := a.Check(ctx); err != nil {
		return nil, paths, err
	}
	if r.blocks && (max(around.before, around.after) > 0 || output != "lines" && output != "content") {
		return nil, paths, toolerror.BadArguments("%s shows the function around each matching line; "+
			"leave %s and %s out", wording.Name(ctx, "block"), wording.Name(ctx, "context"),
			wording.Name(ctx, "output"))
	}
	if err := r.setOutput(ctx, output, around); err != nil {
		return nil, paths, err
	}
	if !pattern.Given() {
		return nil, paths, toolerror.BadArguments("%s is required: what to search for",
			wording.Name(ctx, "pattern"))
	}
	var err error
	if isWord {
		r.pattern, r.literal = wordPattern(r.pattern, r.literal), false
	}
	options := match.Options{Literal: r.literal, IgnoreCase: ignoresCase, CRLF: true}
	r.matcher, err = match.Compile(ctx, r.pattern, options)
	if err != nil {
		return nil, paths, r.patternError(ctx, err)
	}
	r.options.Globs, err = selectedBy(ctx, types, globs)
	if err != nil {
		return nil, paths, err
	}
	return r, paths, nil
}

// decide returns the function that decides from the beginning of a file whether it is text. The
// given encoding, if not nil, is that of each file without a byte order mark.
func decide(given *charset.Encoding) func(head []byte) (charset.Encoding, bool) {
	return func(head []byte) (charset.Encoding, bool) {
		kind := filekind.From(head)
		if given != nil && kind.Encoding.Mark == 0 {
			return *given, true
		}
		return kind.Encoding, kind.IsText
	}
}

// A requestedContext is the numbers of lines requested around a result.
type requestedContext struct {
	before, after int
	given         bool
}

// decodeContext decodes the arguments about context. Those for one side have priority.
func decodeContext(a *call.Arguments) requestedContext {
	around := a.Get("context", "context_lines", "-C", "C")
	before := a.Alias("before", "before_context", "-B", "B")
	after := a.Alias("after", "after_context", "-A", "A")
	both := around.Int(0, 0, math.MaxInt)
	return requestedContext{
		before: before.Int(both, 0, math.MaxInt), after: after.Int(both, 0, math.MaxInt),
		given: around.Given() || before.Given() || after.Given(),
	}
}

// setOutput sets what the results are, and the context of lines.
func (r *request) setOutput(ctx context.Context, output string, around requestedContext) error {
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
			`%s must be "lines", "matches", "files" or "counts", not %q`,
			wording.Name(ctx, "output"), text.Excerpt(output),
		)
	}
	return nil
}

// setContext sets the lines of context, of which few results get some if none are requested.
func (r *request) setContext(around requestedContext) {
	if r.blocks {
		return
	}
	if !around.given {
		r.fewContext = true
		r.options.Before, r.options.After = 2, 4
		return
	}
	r.context = max(around.before, around.after)
	r.options.Before, r.options.After = min(around.before, maxContext), min(around.after, maxContext)
}

// patternError returns the error about a pattern that cannot be compiled, for the caller.
func (r *request) patternError(ctx context.Context, err error) error {
	e, ok := errors.AsType[*syntax.Error](err)
	if !ok || ctx.Err() != nil {
		return call.ArgumentError(ctx, err)
	}
	character := utf8.RuneCountInString(r.pattern[:min(e.Offset, len(r.pattern))]) + 1
	message := fmt.Sprintf("pattern %q, character %d: %s",
		text.Cut(r.pattern, 1000), character, e.Message)
	isMalformed := !r.literal && !strings.Contains(e.Message, "not supported")
	if isMalformed && !strings.Contains(r.pattern, "(?") {
		message += "; or give " + wording.TrueArgument(ctx, "literal") +
			" to search for the pattern as plain text"
	}
	return toolerror.BadArguments("%s", message)
}

// selectedBy returns the globs that select files of the types, and the given globs.
func selectedBy(ctx context.Context, types, globs []string) ([]string, error) {
	all, err := filetype.Globs(types, globs)
	if e, ok := errors.AsType[*filetype.ConflictError](err); ok {
		return nil, toolerror.BadArguments("%s and %s %q both select files; give %[2]s alone",
			wording.Name(ctx, "type"), wording.Name(ctx, "glob"), text.Excerpt(e.Glob))
	}
	if e, ok := errors.AsType[*filetype.UnknownError](err); ok {
		name := text.Excerpt(e.Name)
		return nil, toolerror.BadArguments("there is no type %q; give %s, or a type of %s",
			name, wording.StringArgument(ctx, "glob", "*."+name), strings.Join(filetype.Names(), ", "))
	}
	for i, glob := range all {
		all[i] = text.Plain(workspace.SlashGlob(glob))
	}
	return all, nil
}

// wordPattern returns a pattern for the matches of another one that are whole words.
func wordPattern(pattern string, isLiteral bool) string {
	if isLiteral {
		pattern = regexp.QuoteMeta(pattern)
	}
	return `\b{start-half}(?:` + pattern + `)\b{end-half}`
}
