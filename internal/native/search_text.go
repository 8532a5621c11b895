package native

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"strings"

	"gander/internal/files/text"
	"gander/internal/files/workspace"
	"gander/internal/search"
	"gander/internal/search/match"
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
	a.decodePaths()
	globs := linesOf(a.get("glob include include_pattern file_pattern includePattern"))
	kinds := linesOf(a.alias("type file_type fileType types"))
	isLiteral := a.get("literal fixed_strings fixed is_literal -F").Bool(false)
	isRegexp := a.alias("is_regex isRegexp is_regexp use_regex").Bool(true)
	r.literal = isLiteral || !isRegexp
	ignoreCase := a.get("ignore_case case_insensitive ignoreCase -i i").Bool(false)
	isExact := a.alias("case_sensitive caseSensitive").Bool(true)
	before, after, isGiven := decodeContext(a)
	r.fewContext = !isGiven
	output := a.get("output output_mode").String("lines")
	r.options.Scope = scope(a.decodeIgnored())
	if len(f.settings.Documents) > 0 {
		r.options.WithDocuments = a.get("documents").Bool(false)
	}
	r.offset, r.limit = a.decodePage()
	r.pattern = pattern.String("")
	if err := a.err(); err != nil {
		return nil, err
	}
	switch output {
	case "lines", "content":
		r.context = max(before, after)
		r.options.Before, r.options.After = min(before, maxContext), min(after, maxContext)
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
	options := match.Options{Literal: r.literal, IgnoreCase: ignoreCase || !isExact, CRLF: true}
	r.matcher, err = match.Compile(ctx, r.pattern, options)
	if err != nil {
		return nil, patternError(ctx, r.pattern, err, r.literal)
	}
	r.options.Globs, err = globsOf(globs, kinds)
	if err != nil {
		return nil, err
	}
	return r, wrongArgument(ctx, r.options.Check(ctx))
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

// A textSearch is a search below one path.
type textSearch struct {
	*scan
	request  searchRequest
	isBinary bool   // the start is a binary file that matches
	prefix   string // of the heading
	path     string // of the current file in results
	maxLine  int    // the maximum number of bytes shown of a line
	columns  columns

	// Where the results are different matches:
	matches int  // so far, with equal ones
	tooMany bool // a file has more than maxDifferent of them

	done   work
	atFull *work // what had been done when the page became full, or nil
	err    error // about the start, which ended the search
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

// isEnough reports whether the work since the page was full is the share of one of several paths.
func (w work) isEnough(full work, paths int) bool {
	most := maxCounted()
	return w.documents > full.documents ||
		w.matches-full.matches >= most.matches/paths ||
		w.files-full.files >= most.files/paths ||
		w.entries-full.entries >= most.entries/paths ||
		w.size-full.size >= most.size/int64(paths)
}

func (r searchRequest) section(c *call, given string) (section, error) {
	start, err := c.findText(given)
	if err != nil {
		return section{}, err
	}
	s := &textSearch{
		scan:    c.newScan(given, start, r.noun, r.offset, cmp.Or(r.limit, 100)),
		request: r,
		maxLine: max(min(longLine, c.budget.minimum()/4), 20),
	}
	if c.paths > 1 {
		s.prefix = s.base + ": "
	}
	switch {
	case r.options.Output != search.Lines:
		return s.pathsSection()
	case r.spans:
		return s.spansSection()
	default:
		return s.linesSection()
	}
}

func (s *textSearch) isFile() bool { return s.start.info.Kind == workspace.Regular }

// results yields the results of the search. It stops when the page is full and counting the other
// results takes too long, or at an error about the start, which pageSection returns.
func (s *textSearch) results() iter.Seq[search.Result] {
	o := s.request.options
	o.Totals, o.Progress = &s.totals, s.progress
	c, start := s.call, s.start.location
	limit := documentTime
	if s.isFile() {
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
				s.isBinary = s.isFile() && r.Binary && o.Output == search.Lines
			}
			if !yield(r) || !s.goOn() {
				return
			}
		}
	}
}

// progress counts the work. It reports whether the search should continue. The search calls it on
// the goroutine that consumes its results.
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
	s.done.matches, s.done.entries = max(s.page.found, s.matches), s.totals.Visited
	s.done.documents = s.totals.Extracted
	if !s.page.full {
		return true
	}
	if s.atFull == nil {
		full := s.done
		s.atFull = &full
	}
	s.uncounted = s.done.isEnough(*s.atFull, s.call.paths)
	return !s.uncounted
}

// pageSection returns the section with the items of the page. more completes its first line if it
// shows n items.
func (s *textSearch) pageSection(more func(n int) string) (section, error) {
	switch {
	case s.err != nil:
		return section{}, s.err
	case s.page.found < s.page.offset:
		return s.none()
	}
	return s.finish(func(n int) string {
		return s.prefix + s.heading(n) + more(n) + s.notes(s.uncounted)
	})
}

// none returns the section of a page without results.
func (s *textSearch) none() (section, error) {
	isNothing := s.page.found == 0 && !s.isBinary
	heading := s.noneText() + s.notes(false)
	if isNothing {
		heading += s.request.misreading()
	}
	return s.nothing(heading, isNothing)
}

func (s *textSearch) noneText() string {
	globs := strings.Join(s.request.options.Globs, "\n")
	other := ""
	if s.unreadable+len(s.totals.Denied) > 0 {
		other = "other "
	}
	switch searched := s.totals.Searched; {
	case s.page.found > 0:
		return s.prefix + s.nothingMore()
	case s.isBinary:
		return s.base + " is binary and matches; its lines are not shown"
	case searched == 0 && s.totals.Documents+s.totals.Late > 0:
		return "nothing is searched in " + s.base
	case s.isFile():
		return "no " + s.noun + " in " + s.base
	case searched == 0 && globs != "":
		text := "nothing is searched, because no %sfile in %s matches glob %.300q"
		text = fmt.Sprintf(text, other, s.base, globs)
		likely := likelyGlobs(s.request.options.Globs)
		if likely != globs && other == "" {
			text += fmt.Sprintf("; give glob=%.300q", likely)
		}
		return text
	case searched == 0:
		return "nothing is searched, because there is no " + other + "file in " + s.base
	default:
		return s.prefix + fmt.Sprintf("no %s in %s searched", s.noun, count(searched, "file"))
	}
}

// misreading returns the clause about a pattern without a match that probably has another meaning
// than intended.
func (r searchRequest) misreading() string {
	switch {
	case r.literal && strings.Contains(r.pattern, `\`):
		return `; with literal, \ is a character of the text, so leave it out before others`
	case !r.literal && strings.Contains(r.pattern, `\|`):
		return `; \| is the character |, and | alone separates alternatives`
	default:
		return ""
	}
}
