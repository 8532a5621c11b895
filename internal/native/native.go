// Package native implements the four tools of gander itself: list_dir, read_file, find_files and
// search_text. They share the rules for paths, for results that exceed the budget, and for errors.
// docs/toolset.md describes them.
//
// A call has the same stages in each tool. A parser decodes the arguments and
// returns a request, which makes a section of the result about each path, or prints it.
package native

import (
	"context"
	_ "embed"
	"errors"
	"strings"
	"sync"
	"time"

	"gander/internal/documents"
	"gander/internal/files/ignore"
	"gander/internal/files/text"
	"gander/internal/files/workspace"
	"gander/internal/tools/definition"
	"gander/internal/tools/toolerror"
	"gander/tool"
)

// Settings holds the options of the tools.
type Settings struct {
	// MaxChars is the maximum number of characters in the text of a result. Characters outside the
	// basic plane of Unicode count as two, as in JavaScript, because most hosts count so. 0 means
	// no limit.
	MaxChars int
	// Home is the directory that "~" expands to at the beginning of a path, or "".
	Home string
	// Documents are the formats of files that are read as extracted text.
	Documents []documents.Format
}

// DefaultSettings returns the default settings, which have no home.
func DefaultSettings() Settings { return Settings{MaxChars: 40_000} }

// Set returns the tools.
func Set(s Settings) definition.Set {
	return definition.NewSet(definition.SetDefinition{
		Name:  "gander",
		Tools: []string{"list_dir", "read_file", "find_files", "search_text"},
		Build: func(w *workspace.Workspace) []tool.Tool {
			return (&files{workspace: w, settings: s}).tools()
		},
	})
}

// files is the state that the tools share.
type files struct {
	workspace *workspace.Workspace
	settings  Settings
	buffers   sync.Pool // of line cursors
}

type nativeTool struct {
	definition.Defined
	files *files
	parse parser
}

// A parser decodes and checks the arguments of a call, including a.path.
type parser func(ctx context.Context, f *files, a *callArguments) (request, error)

// A request is the arguments of a call.
type request interface {
	// section returns the section about a path in the result for a model.
	section(c *call, path string) (section, error)
	// print prints the results about a path for another program.
	print(p *printer, path string) error
}

//go:embed definitions.json
var definitions []byte

// tools returns the tools in display order.
func (f *files) tools() []tool.Tool {
	parsers := map[string]parser{
		"list_dir": parseList, "read_file": parseRead,
		"find_files": parseFind, "search_text": parseSearch,
	}
	var tools []tool.Tool
	published := string(definitions)
	if len(f.settings.Documents) == 0 {
		published = withoutDocuments().Replace(published)
	}
	for _, d := range definition.Decode("gander", []byte(published)) {
		tools = append(tools, &nativeTool{d, f, parsers[d.Published.Name]})
	}
	return tools
}

// withoutDocuments removes from the definitions what they say about documents.
func withoutDocuments() *strings.Replacer {
	return strings.NewReplacer(" or document (PDF, Office, EPUB, notebook)", "",
		`"documents":{"type":"boolean","description":"Search documents, too."},`, "")
}

// ignoreRules returns git's rules. Every repository has its own.
func ignoreRules() ignore.Options { return ignore.Options{Git: true, Nested: true} }

// A call is the state that the stages of one call share.
type call struct {
	*files
	ctx    context.Context
	tool   string // the name of the called tool
	budget budget
	paths  int  // their number; with several, hints name the path
	terse  bool // errors have no suggestions

	// What surveys have taken so far:
	surveyed  int // entries; see maxSurveyed
	surveying time.Duration
}

func (t *nativeTool) Call(ctx context.Context, given tool.Call) (tool.Result, error) {
	a := decodeArguments(t.Published.Name, given.Args)
	r, err := t.parse(ctx, t.files, a)
	if err != nil {
		return tool.Result{}, err
	}
	c := &call{files: t.files, ctx: ctx, tool: t.Published.Name}
	c.budget, err = t.files.newBudget(given.Budget)
	if err != nil {
		return tool.Result{}, err
	}
	paths, err := c.splitPaths(a.path)
	if err != nil {
		return tool.Result{}, err
	}
	sections, err := c.eachSection(paths, r)
	if err != nil {
		return tool.Result{}, err
	}
	result := tool.Result{Exact: true, NothingFound: true}
	var texts []string
	for _, s := range sections {
		texts = append(texts, s.text())
		result.Truncated = result.Truncated || s.truncated
		result.NothingFound = result.NothingFound && s.nothing
		result.Unreadable = result.Unreadable || s.unreadable
		result.Parts = append(result.Parts, s.data...)
	}
	text := strings.Join(texts, "\n\n")
	if !c.budget.fits(sizeOf(text)) {
		return tool.Result{}, c.budget.tooSmall()
	}
	result.Parts = append(tool.Text(text), result.Parts...)
	return result, nil
}

// splitPaths returns the paths of an argument. A path with a line feed to an existing file is one
// path.
func (c *call) splitPaths(given string) ([]string, error) {
	one := []string{given}
	if !strings.Contains(given, "\n") {
		return one, nil
	}
	_, err := c.lookUp(given)
	if err == nil {
		return one, nil
	}
	paths, err := splitLines("path", given)
	if len(paths) == 0 {
		paths = []string{""}
	}
	return paths, err
}

// eachSection returns a section for each path, with an equal share of the budget. It then makes the
// truncated sections again with the unused rest. It fails if all paths fail or the context ends.
func (c *call) eachSection(paths []string, r request) ([]section, error) {
	const maxExplained = 10 // failed paths that get suggestions, which read directories
	c.paths = len(paths)
	if c.paths == 1 {
		s, err := r.section(c, paths[0])
		return []section{s}, err
	}
	part := *c
	part.budget = c.budget.share(c.paths)
	share := part.budget.size
	sections := make([]section, len(paths))
	var failures []error
	var left size
	var cut []int
	for i, path := range paths {
		part.terse = len(failures) >= maxExplained
		s, err := r.section(&part, path)
		if c.ctx.Err() != nil {
			return nil, c.ctx.Err()
		}
		if err != nil {
			failures = append(failures, err)
			s = part.failure(err)
		}
		for _, p := range s.data {
			part.budget.used += int64(len(p.Data))
		}
		sections[i] = s
		used := sizeOf(s.text())
		isFull := used.bytes > share.bytes/4*3 || used.chars > share.chars/4*3
		if s.truncated && isFull {
			cut = append(cut, i)
		} else {
			left = left.plus(share).minus(used)
		}
	}
	if len(failures) == len(paths) {
		return nil, toolerror.New(failures[0], errors.Join(failures...).Error())
	}
	for _, i := range cut {
		more := size{max(left.bytes/len(cut), 0), max(left.chars/len(cut), 0)}
		part.budget.size = share.plus(more)
		larger, err := r.section(&part, paths[i])
		if c.ctx.Err() != nil {
			return nil, c.ctx.Err()
		}
		if err == nil { // otherwise the file has changed, and the shorter section stays
			sections[i] = larger
		}
	}
	return sections, nil
}

// failure returns the section about one of several paths that failed.
func (c *call) failure(err error) section {
	const label = "error: "
	message := text.Cut(err.Error(), max(c.budget.minimum(), 100)-len(label))
	return section{heading: label + message, unreadable: true}
}
