// Package native implements the four tools of gander itself: list_dir, read_file, find_files and
// search_text. They share the rules for paths, for results that exceed the budget, and for errors.
// docs/toolset.md describes them.
//
// A call has the same stages in each tool. A parser decodes the arguments and returns a request,
// which makes a section of the result about each path, or prints it.
//
// Paths have four names here. A given path is an argument as it came, and a shown path is escaped for
// results. A printed name is spelled as other programs do, without escapes, and a rel path is relative
// to where a tool starts.
package native

import (
	"context"
	_ "embed"
	"strings"
	"sync"

	"gander/internal/documents"
	"gander/internal/files/ignore"
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
			return (&environment{workspace: w, settings: s}).tools()
		},
	})
}

// An environment is what the tools share.
type environment struct {
	workspace *workspace.Workspace
	settings  Settings
	buffers   sync.Pool // holds *[lines.Cursor]
}

type nativeTool struct {
	definition.Defined
	environment *environment
	parse       parser
}

// A parser decodes and checks the arguments of a call.
type parser func(context.Context, *callArguments) (request, pathArgument, error)

// A request is the arguments of a call.
type request interface {
	// section returns the section about a path in the result for a model. It is as large as the budget
	// allows, or as small as possible.
	section(c *call, b budget, path string) (section, error)
	// print prints the results about a path for another program.
	print(p *printer, path string) error
}

//go:embed definitions.json
var definitions string

// withoutDocuments removes what the definitions say about documents.
var withoutDocuments = strings.NewReplacer(
	" or document (PDF, Office, EPUB, notebook)", "",
	`"documents":{"type":"boolean","description":"Search documents, too."},`, "",
)

// tools returns the tools in display order.
func (e *environment) tools() []tool.Tool {
	parsers := map[string]parser{
		"list_dir": parseList, "read_file": parseRead,
		"find_files": parseFind, "search_text": parseSearch,
	}
	published := definitions
	if len(e.settings.Documents) == 0 {
		published = withoutDocuments.Replace(published)
	}
	var tools []tool.Tool
	for _, d := range definition.Decode("gander", []byte(published)) {
		tools = append(tools, &nativeTool{d, e, parsers[d.Published.Name]})
	}
	return tools
}

// ignoreRules returns git's rules. Every repository has its own.
func ignoreRules() ignore.Options { return ignore.Options{Git: true, Nested: true} }

// A call is the state that the stages of one call share.
type call struct {
	*environment
	ctx       context.Context // a call does not outlive it
	tool      string          // the name of the called tool
	pathCount int             // with several paths, hints name one
	terse     bool            // the error about the current path suggests nothing

	imageBytes int64      // the size of the images in the result so far
	surveyed   surveyWork // for suggestions
}

// newCall returns a call whose paths are not known yet.
func (t *nativeTool) newCall(ctx context.Context) *call {
	return &call{environment: t.environment, ctx: ctx, tool: t.Published.Name}
}

func (t *nativeTool) Call(ctx context.Context, given tool.Call) (tool.Result, error) {
	r, argument, err := t.parse(ctx, t.decodeArguments(given.Args))
	if err != nil {
		return tool.Result{}, err
	}
	total, err := t.environment.newBudget(given.Budget)
	if err != nil {
		return tool.Result{}, err
	}
	c := t.newCall(ctx)
	paths, err := c.pathsOf(argument)
	if err != nil {
		return tool.Result{}, err
	}
	c.pathCount = len(paths)
	sections, err := c.sections(r, total, paths)
	if err != nil {
		return tool.Result{}, err
	}
	return total.result(sections)
}

// pathsOf returns the paths that an argument names. A text with a line feed is one path if that
// exists, or if none of its lines is a path.
func (c *call) pathsOf(argument pathArgument) ([]string, error) {
	paths := argument.values
	if argument.isText && strings.Contains(paths[0], "\n") {
		each := splitLines(paths[0])
		if _, err := c.lookUp(paths[0]); err != nil && len(each) > 0 {
			paths = each
		}
	}
	if len(paths) > maxLines {
		return nil, toolerror.BadArguments("%s", tooManyLines("path"))
	}
	return paths, nil
}

// sections returns a section about each path. Several have an equal share of the budget each. Those
// that are cut are made again, longer, with what the others leave. It fails if all paths fail, if
// the shares are too small for an error, or if the context ends.
func (c *call) sections(r request, total budget, paths []string) ([]section, error) {
	const maxExplained = 10 // failed paths that get suggestions, which read directories
	if c.pathCount == 1 {
		s, err := r.section(c, total, paths[0])
		return []section{s}, err
	}
	share := total.share(c.pathCount)
	var sections []section
	var failures []error
	for _, path := range paths {
		c.terse = len(failures) >= maxExplained
		s, err := c.fittingSection(r, share, path)
		if c.ctx.Err() != nil {
			return nil, c.ctx.Err()
		}
		if err != nil {
			failures = append(failures, err)
			s = share.failure(err)
		}
		for _, p := range s.data {
			c.imageBytes += int64(len(p.Data))
		}
		sections = append(sections, s)
	}
	switch {
	case len(failures) == len(paths):
		return nil, total.joined(failures)
	case len(failures) > 0 && share.minimum() < minFailure:
		return nil, share.tooSmall()
	}
	return sections, c.lengthen(sections, r, share, paths)
}

// fittingSection returns the section about a path, or an error if it does not fit.
func (c *call) fittingSection(r request, b budget, path string) (section, error) {
	s, err := r.section(c, b, path)
	if err == nil && !b.fits(s.size()) {
		return section{}, b.tooSmall()
	}
	return s, err
}

// lengthen makes the sections that their share of the budget has cut again, with an equal part each
// of what the others leave.
func (c *call) lengthen(sections []section, r request, share budget, paths []string) error {
	var cut []int
	var left size
	most := budget{size: size{share.size.bytes / 4 * 3, share.size.chars / 4 * 3}}
	for i, s := range sections {
		used := s.size()
		if s.truncated && !most.fits(used) { // otherwise its limit has cut it
			cut = append(cut, i)
		} else {
			left = left.plus(share.size).minus(used)
		}
	}
	if len(cut) == 0 {
		return nil
	}
	more := size{max(left.bytes/len(cut), 0), max(left.chars/len(cut), 0)}
	share.size = share.size.plus(more)
	for _, i := range cut {
		longer, err := c.fittingSection(r, share, paths[i])
		if c.ctx.Err() != nil {
			return c.ctx.Err()
		}
		if err == nil { // otherwise the file has changed, and the shorter section stays
			sections[i] = longer
		}
	}
	return nil
}
