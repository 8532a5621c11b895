package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"github.com/spf13/cobra"

	"gander/internal/search/filetype"
	"gander/internal/search/match"
	"gander/internal/toolset"
)

func newListCmd() *cobra.Command {
	c := newToolCommand("list", "gander/list_dir", "ls ll dir tree list_dir")
	f := c.Flags()
	c.addInt(&c.arguments.Depth, "depth", "L", "list `N` levels")
	f.BoolVarP(&c.arguments.Recursive, "recursive", "R", false, "list all levels")
	f.Bool("help", false, "help for list") // without -h, which is ls's
	f.BoolFuncP("human-readable", "h", "", func(string) error {
		return errors.New("use --details, which prints bytes")
	})
	_ = f.MarkHidden("human-readable")
	f.BoolVarP(&c.arguments.Details, "details", "l", false, "add sizes and modification times")
	c.addPage()
	c.addPaths("no-ignore")
	c.alias("depth", "level")
	c.alias("details", "long full-time")
	c.accept("all a almost-all A one 1 classify F p indicator-style file-type U f " +
		"literal N show-control-chars")
	return c.Command
}

func newReadCmd() *cobra.Command {
	c := newToolCommand("read", readTool,
		"cat view head tail less more bat open show read_file")
	f := c.Flags()
	c.addInt(&c.arguments.Offset, "offset", "",
		"begin with line `N`; negative counts from the end")
	c.addInt(&c.arguments.Limit, "limit", "", "show at most `N` lines")
	c.addInt(&c.arguments.Block, "block", "", "show the block around line `N`")
	c.addNumbers(true, "numbers", "n", "number lines (default on a terminal)")
	c.addNumbers(false, "no-numbers", "N", "do not number lines")
	f.BoolVar(&c.output.Text, "text", false,
		"print the text of documents, not their bytes (default on a terminal)")
	c.alias("limit", "lines max-count")
	c.alias("numbers", "number line-number")
	c.accept("u silent v verbose")
	c.parse = func(ts *toolset.Toolset, words []string) ([]string, error) {
		if len(words) == 0 && !c.readsInput(words) {
			return nil, wrongCount(c.Command, 0)
		}
		return words, checkNumbers(ts, words)
	}
	return c.Command
}

// checkNumbers returns an error about paths that are the numbers of lines: of a path before them,
// or after one.
func checkNumbers(ts *toolset.Toolset, paths []string) error {
	isNumber := func(path string) bool {
		n, _ := strconv.Atoi(path)
		isPlain := strconv.Itoa(n) == path
		return isPlain && n > 0 && !exists(ts, path)
	}
	switch {
	case len(paths) == 3 && isNumber(paths[1]) && isNumber(paths[2]):
		return fmt.Errorf("lines %[2]s to %[3]s are %[1]s:%[2]s-%[3]s", paths[0], paths[1], paths[2])
	case len(paths) == 2 && isNumber(paths[1]):
		return fmt.Errorf("line %[2]s is %[1]s:%[2]s-%[2]s", paths[0], paths[1])
	case len(paths) == 2 && isNumber(paths[0]):
		return fmt.Errorf("the first %[2]s lines are %[1]s:1-%[2]s", paths[1], paths[0])
	default:
		return nil
	}
}

func exists(ts *toolset.Toolset, path string) bool {
	root, err := ts.Sub(".")
	if err != nil {
		return false
	}
	_, err = fs.Stat(root, path)
	return err == nil
}

// findFlags are the flags of find that are not arguments of the tool.
type findFlags struct {
	extensions            []string
	ignoreCase, isLiteral bool
}

func newFindCmd() *cobra.Command {
	c := newToolCommand("find", "gander/find_files", "fd fdfind glob locate find_files")
	var flags findFlags
	f := c.Flags()
	f.StringArrayVarP(&flags.extensions, "extension", "e", nil,
		"find `EXT` files instead of PATTERN; repeatable")
	c.addWord(&c.arguments.Kind, "type", "t", "find only files (`TYPE` f) or directories (d)",
		"file", "directory")
	c.addWord(&c.arguments.Sort, "sort", "",
		"sort by `KEY`: path (default), or modified: newest first", "path", "modified")
	c.addPage()
	c.addPaths("no-ignore I unrestricted u no-ignore-vcs")
	c.alias("type", "kind")
	c.accept("hidden H glob g full-path p strip-cwd-prefix no-follow print " +
		"no-ignore-parent no-global-ignore-file show-errors threads= j= max-buffer-time= path-separator=")
	f.BoolVarP(&flags.ignoreCase, "ignore-case", "i", false, "")
	f.BoolVarP(&flags.isLiteral, "fixed-strings", "F", false, "")
	_ = f.MarkHidden("ignore-case")   // for a part of a name, both
	_ = f.MarkHidden("fixed-strings") // are the default
	c.parse = func(ts *toolset.Toolset, words []string) ([]string, error) {
		return flags.parse(c, ts, words)
	}
	return c.Command
}

// parse sets the pattern. It returns the paths, which follow the pattern unless a flag has that.
func (f *findFlags) parse(
	c *toolCommand, ts *toolset.Toolset, words []string,
) (paths []string, err error) {
	if len(f.extensions) > 0 {
		pattern := anyExtension(f.extensions)
		hasGlob := specialInGlob.MatchString(strings.Join(f.extensions, ""))
		switch {
		case f.ignoreCase && hasGlob:
			c.arguments.CaseSensitive = new(false) // the tool says what to do instead
		case f.ignoreCase:
			pattern = anyCase(pattern)
		}
		c.arguments.Pattern = &pattern
		if len(words) > 1 && words[0] == "." { // the pattern of fd that matches every name
			words = words[1:]
		}
		return words, nil
	}
	if len(words) == 0 {
		return nil, nil
	}
	pattern, paths := words[0], words[1:]
	if len(paths) == 1 && isDir(ts, pattern) && !isDir(ts, paths[0]) { // in the order of find
		pattern, paths = paths[0], []string{pattern}
	}
	switch {
	case f.isLiteral && specialInGlob.MatchString(pattern):
		pattern = literalGlob(pattern)
	case f.ignoreCase:
		c.arguments.CaseSensitive = new(false)
	}
	c.arguments.Pattern = &pattern
	return paths, nil
}

// specialInGlob matches the characters with a meaning in a glob.
var specialInGlob = regexp.MustCompile(`[*?[\]{}\\!]`)

// literalGlob returns a glob for names that contain a text, which has characters of a glob. As for
// any text, case does not matter.
func literalGlob(text string) string {
	return "*" + anyCase(specialInGlob.ReplaceAllString(text, `\$0`)) + "*"
}

// anyCase returns a glob that matches what another without sets of characters does, in any case.
func anyCase(glob string) string {
	var b strings.Builder
	for _, r := range glob {
		lower, upper := unicode.ToLower(r), unicode.ToUpper(r)
		isTitle := r != lower && r != upper
		switch {
		case isTitle:
			b.WriteString("[" + string([]rune{lower, upper, r}) + "]")
		case lower != upper:
			b.WriteString("[" + string([]rune{lower, upper}) + "]")
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// anyExtension returns a pattern for names with any of the extensions.
func anyExtension(extensions []string) string {
	if len(extensions) == 1 {
		return "*." + strings.TrimPrefix(extensions[0], ".")
	}
	var names []string
	for _, e := range extensions {
		names = append(names, strings.TrimPrefix(e, "."))
	}
	return "*.{" + strings.Join(names, ",") + "}"
}

// searchFlags are the flags of search that are not arguments of the tool.
type searchFlags struct {
	patterns, globs, types         []string
	isWord, matches, files, counts bool
}

func newSearchCmd() *cobra.Command {
	c := newToolCommand("search", searchTool, "grep rg ag ack ripgrep rga pdfgrep search_text")
	var s searchFlags
	f := c.Flags()
	f.StringArrayVarP(&s.patterns, "regexp", "e", nil, "search for `PATTERN`; repeatable")
	f.BoolVarP(&c.arguments.Literal, "literal", "F", false, "take patterns as text")
	f.BoolVarP(&s.isWord, "word-regexp", "w", false, "match whole words")
	f.BoolVarP(&c.arguments.IgnoreCase, "ignore-case", "i", false, "ignore case")
	f.StringArrayVarP(&s.globs, "glob", "g", nil, "search paths that match `GLOB`; ! excludes them")
	f.StringArrayVarP(&s.types, "type", "t", nil, "search files of `TYPE`, such as go; repeatable")
	completeValues(c.Command, "type", filetype.Names()...)
	f.BoolVar(&c.arguments.Documents, "documents", false,
		"search the text of documents, too: PDF, Office, EPUB, notebooks")
	c.addInt(&c.arguments.After, "after", "A", "show `N` lines after each match")
	c.addInt(&c.arguments.Before, "before", "B", "show `N` lines before each match")
	c.addInt(&c.arguments.Context, "context", "C", "show `N` lines around each match")
	f.BoolVarP(&s.matches, "only-matching", "o", false, "print only the text that matches")
	f.BoolVarP(&s.files, "files-with-matches", "l", false, "print only paths")
	f.BoolVarP(&s.counts, "count", "c", false, "print the number of matching lines per file")
	f.BoolVarP(&c.output.WithPath, "with-filename", "H", false,
		"print the path of a file named alone, too")
	f.BoolVarP(&c.output.WithoutPath, "no-filename", "I", false, "print lines without paths")
	f.BoolVarP(&c.output.WithoutNumber, "no-line-number", "N", false, "print lines without numbers")
	var sort string
	c.addWord(&sort, "sort", "", "", "path")
	_ = f.MarkHidden("sort") // the results are always sorted
	c.addPage()
	c.addPaths("no-ignore u unrestricted no-ignore-vcs no-ignore-exclude no-ignore-files")
	c.alias("literal", "fixed-strings")
	c.alias("glob", "include")
	c.alias("after", "after-context")
	c.alias("before", "before-context")
	c.addOff(&c.arguments.IgnoreCase, "case-sensitive", "s")
	c.addOff(&c.output.WithoutNumber, "line-number", "n")
	c.accept("recursive r R extended-regexp E basic-regexp hidden . " +
		"no-heading crlf no-config mmap no-mmap line-buffered block-buffered no-ignore-dot " +
		"no-ignore-global no-ignore-parent no-ignore-messages no-follow unicode sort-files " +
		"threads= j= dfa-size-limit= regex-size-limit= path-separator=")
	c.parse = func(_ *toolset.Toolset, words []string) ([]string, error) { return s.parse(c, words) }
	return c.Command
}

// parse sets the arguments of the tool. It returns the paths, which follow the pattern unless a
// flag has that.
func (s *searchFlags) parse(c *toolCommand, words []string) (paths []string, err error) {
	switch {
	case s.files:
		c.arguments.Output = "files"
	case s.counts:
		c.arguments.Output = "counts"
	case s.matches:
		c.arguments.Output = "matches"
	}
	if len(s.patterns) == 0 {
		if len(words) == 0 {
			return nil, wrongCount(c.Command, 0)
		}
		s.patterns, words = words[:1], words[1:]
	}
	c.arguments.Pattern = &s.patterns[0]
	if len(s.patterns) > 1 || s.isWord {
		for _, pattern := range s.patterns { // so that none of them ends the parentheses around it
			_, err := match.Compile(c.Context(), pattern, match.Options{Literal: c.arguments.Literal})
			if err != nil {
				return nil, err
			}
		}
		c.arguments.Pattern = new(alternatives(s.patterns, c.arguments.Literal, s.isWord))
		c.arguments.Literal = false
	}
	globs, err := selectedBy(s.types, s.globs)
	c.arguments.Glob = strings.Join(globs, "\n")
	return words, err
}

// alternatives returns a pattern that matches any of patterns.
func alternatives(patterns []string, isLiteral, isWord bool) string {
	var parts []string
	for _, pattern := range patterns {
		if isLiteral {
			pattern = regexp.QuoteMeta(pattern)
		}
		parts = append(parts, "(?:"+pattern+")")
	}
	pattern := strings.Join(parts, "|")
	if isWord {
		pattern = `\b{start-half}(?:` + pattern + `)\b{end-half}`
	}
	return pattern
}

// selectedBy returns the globs of the flags for types and for globs.
func selectedBy(types, globs []string) ([]string, error) {
	all, err := filetype.Globs(types, globs)
	if e, ok := errors.AsType[*filetype.ConflictError](err); ok {
		return nil, fmt.Errorf("-t and -g %s both select files; give one of them, or -g '!GLOB' "+
			"to exclude", e.Glob)
	}
	if e, ok := errors.AsType[*filetype.UnknownError](err); ok {
		names := filetype.Names()
		err := fmt.Errorf("unknown type %q; use -g '*.%s', or one of %s",
			e.Name, e.Name, strings.Join(names, ", "))
		return nil, didYouMean(err, "", suggest(e.Name, names))
	}
	return all, nil
}
