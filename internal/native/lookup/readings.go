package lookup

import (
	"errors"
	"net/url"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"gander/internal/documents"
	"gander/internal/files/text"
	"gander/internal/files/workspace"
	"gander/internal/search"
)

// A reading is what a path argument can mean: a path, and perhaps a place in the file.
type reading struct {
	path string
	end  PathEnd
}

// A PathEnd is the place in a file that a path argument ends in: lines, as in main.go:12,
// main.go:12:5, main.go:12-20 and main.go#L12-L20, or a mark of a document, as in
// report.pdf#page=12.
type PathEnd struct {
	Line   int // the first line, or 0. A negative line counts from the end
	Column int // or 0
	Last   int // the last line, or 0
	Mark   MarkName
}

// readings returns what a path argument can mean, in order of precedence: each spelling as a whole
// goes before all that end in a place in the file.
func (l *Paths) readings(given string) []reading {
	var whole, cut []reading
	for _, path := range l.spellings(given) {
		whole = append(whole, reading{path: path})
		cut = append(cut, cutLines(path)...)
		cut = append(cut, cutMark(path)...)
	}
	return append(whole, cut...)
}

// spellings returns the paths that a path argument can spell, in order of precedence.
func (l *Paths) spellings(given string) []string {
	paths := literals(given, isWindows)
	paths = append(paths, filePaths(given)...)
	if unwrapped := unwrap(given); unwrapped != given {
		paths = append(paths, unwrapped)
	}
	paths = append(paths, l.homePath(given)...)
	paths = append(paths, unmarked(given)...)
	slashed := strings.ReplaceAll(given, `\`, "/") // as on Windows
	if slashed != given {
		paths = append(paths, slashed)
	}
	return paths
}

const isWindows = filepath.Separator == '\\'

// literals returns a path and, if it has escapes, the unescaped path. That comes first if a result
// would show it as given, but not on Windows, where a backslash is a separator: src\x41.txt is a
// file in src.
func literals(given string, windows bool) []string {
	unescaped, ok := text.UnescapePath(given)
	isShown := EscapeMarker(text.EscapePath(unescaped)) == given
	switch {
	case !ok || unescaped == given:
		return []string{given}
	case windows || !isShown:
		return []string{given, unescaped}
	default:
		return []string{unescaped, given}
	}
}

// filePaths returns the path of a URI such as file:///a%20b: clients of MCP write roots so.
func filePaths(given string) []string {
	rest, ok := strings.CutPrefix(given, "file://")
	if !ok {
		return nil
	}
	p, err := url.PathUnescape(strings.TrimPrefix(rest, "localhost"))
	if isWindows {
		p = strings.TrimPrefix(p, "/") // before the drive
	}
	if err != nil || p == "" {
		return nil
	}
	return []string{p}
}

// unwrap returns a path without what models copy with it: spaces and quotation marks around it, and
// the "@" of a mention.
func unwrap(path string) string {
	path = strings.TrimSpace(path)
	for _, quote := range []string{`"`, "'", "`"} {
		inner, isOpened := strings.CutPrefix(path, quote)
		inner, isClosed := strings.CutSuffix(inner, quote)
		if isOpened && isClosed && inner != "" {
			return unwrap(inner)
		}
	}
	if rest, ok := strings.CutPrefix(path, "@"); ok && rest != "" {
		return rest
	}
	return path
}

// homePath returns the path below the home that "~" begins, as in a shell.
func (l *Paths) homePath(given string) []string {
	rest, ok := strings.CutPrefix(given, "~")
	isHome := rest == "" || rest[0] == '/' || rest[0] == filepath.Separator
	if !ok || !isHome || l.Home == "" {
		return nil
	}
	return []string{l.Home + rest}
}

// unmarked returns the paths of a link or a special file, whose names end in "@" or "?" in a
// listing.
func unmarked(given string) []string {
	path, isLink := strings.CutSuffix(given, "@")
	if !isLink {
		path, _ = strings.CutSuffix(given, "?")
	}
	if path == given || strings.HasSuffix(path, "/") {
		return nil
	}
	return literals(path, isWindows)
}

// lineForms match paths that end in lines. Their groups are the path, the first line, the column,
// and the last line; one that a form does not have is (). N stands for a number from 1.
var lineForms = []*regexp.Regexp{
	lineForm(`:(-?N)()()`),         // main.go:12 of grep -n, main.go:-12
	lineForm(`:(-?N):(N)()`),       // main.go:12:5 of a compiler
	lineForm(`:(N)()-(N)`),         // main.go:12-20
	lineForm(`#L(N)()(?:-L?(N))?`), // main.go#L12 of GitHub, main.go#L12-L20, main.go#L12-20
}

func lineForm(end string) *regexp.Regexp {
	return regexp.MustCompile("(?s)^(.+)" + strings.ReplaceAll(end, "N", "0*[1-9][0-9]*") + "$")
}

// wrongLines matches a path that ends in something like lines.
var wrongLines = regexp.MustCompile(`^(.+?)(?::|#)L?\d*[-,:+L\d]*$`)

// cutLines returns the readings of a path that ends in lines.
func cutLines(path string) (all []reading) {
	for _, form := range lineForms {
		groups := form.FindStringSubmatch(path)
		if groups == nil {
			continue
		}
		var numbers [3]int
		isTooLarge := false
		for i, digits := range groups[2:] {
			n, err := strconv.Atoi(digits) // 0 if there are none
			numbers[i] = n
			isTooLarge = isTooLarge || errors.Is(err, strconv.ErrRange)
		}
		end := PathEnd{Line: numbers[0], Column: numbers[1], Last: numbers[2]}
		isInOrder := end.Last == 0 || end.Line <= end.Last
		if isInOrder && !isTooLarge {
			all = append(all, reading{groups[1], end})
		}
	}
	return all
}

// cutMark returns the readings of a path that ends in the name of a mark.
func cutMark(p string) (all []reading) {
	for kind := documents.Page; kind < documents.Section; kind++ {
		separator := "#" + kind.String() + "="
		i := strings.LastIndex(p, separator)
		if i > 0 && i+len(separator) < len(p) {
			name := MarkName{kind, p[i+len(separator):]}
			all = append(all, reading{p[:i], PathEnd{Mark: name}})
		}
	}
	return all
}

// A MarkName names a mark of a document at the end of a path, as in report.pdf#page=12.
type MarkName struct {
	Kind documents.Kind // 0 if the path has none
	Name string         // the number or the name of the mark
}

func (m MarkName) String() string { return "#" + m.Kind.String() + "=" + text.Excerpt(m.Name) }

// RelativePattern returns a pattern without the "./" or the directory that it may begin with, and
// that directory or "".
func RelativePattern(pattern string, dirs ...string) (relative, start string) {
	pattern = workspace.SlashGlob(pattern)
	switch pattern {
	case "", ".", "/":
		return "", ""
	}
	if rest, ok := strings.CutPrefix(pattern, "./"); ok {
		return patternAtStart(rest), ""
	}
	for _, dir := range dirs {
		prefix := strings.TrimSuffix(filepath.ToSlash(dir), "/") + "/"
		if rest, ok := strings.CutPrefix(pattern+"/", prefix); ok {
			return patternAtStart(strings.TrimSuffix(rest, "/")), dir
		}
	}
	return pattern, ""
}

// patternAtStart returns the pattern for what follows the start in a path: a glob does not match it
// at any depth.
func patternAtStart(rest string) string {
	if search.IsGlob(rest) {
		return "/" + strings.TrimLeft(rest, "/")
	}
	return rest
}

// LiteralNames returns a glob in which names with brackets or braces stand for themselves where
// they exist below a directory, such as app/[id]/page.tsx.
func LiteralNames(dir workspace.Location, glob string) string {
	if !strings.ContainsAny(glob, "[{") {
		return glob
	}
	lead, rest := "", glob
	for _, prefix := range []string{"!", "/", "**/"} {
		if after, ok := strings.CutPrefix(rest, prefix); ok {
			lead, rest = lead+prefix, after
		}
	}
	names := strings.Split(rest, "/")
	for i, name := range names {
		hasBrackets := strings.ContainsAny(name, "[{")
		if !hasBrackets && strings.ContainsAny(name, `*?\`) {
			break
		}
		dir = dir.Join(name)
		if _, err := dir.Lstat(); err != nil {
			break
		}
		if hasBrackets {
			names[i] = globEscaper.Replace(name)
		}
	}
	return lead + strings.Join(names, "/")
}
