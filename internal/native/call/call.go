// Package call has the stages of a call that are the same for each of gander's own tools.
//
// A parser decodes the [Arguments] and returns a [Request], which makes a section of the result
// about each path.
package call

import (
	"context"
	_ "embed"
	"strings"
	"sync"

	"gander/internal/documents"
	"gander/internal/files/workspace"
	"gander/internal/native/lookup"
	"gander/internal/native/section"
	"gander/internal/native/wording"
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

// An Environment is what the tools share.
type Environment struct {
	Workspace *workspace.Workspace
	Settings  Settings
	Buffers   sync.Pool // holds *[lines.Cursor]
}

// A Tool is one of gander's own tools.
type Tool struct {
	definition.Defined
	Environment *Environment
	Parse       parser
}

// common is what the definitions of the tools have in common.
//
//go:embed common.json
var common string

// New returns the tool with a definition in JSON.
func New(e *Environment, published string, parse parser) *Tool {
	set := strings.TrimSuffix(strings.TrimSpace(common), "}") + `,"tools":[` + published + "]}"
	return &Tool{definition.Decode("gander", []byte(set))[0], e, parse}
}

// A parser decodes and checks the arguments of a call.
type parser func(context.Context, *Arguments) (Request, PathArgument, error)

// A Request is the arguments of a call.
type Request interface {
	// Section returns the section about a path in the result for a model. It is as large as the budget
	// allows, or as small as possible.
	Section(ctx context.Context, c *Call, b section.Budget, path string) (section.Section, error)
}

// A Call is the state that the stages of one call share.
type Call struct {
	*Environment
	Paths     *lookup.Paths
	Tool      string // the name of the called tool
	PathCount int    // with several paths, hints name one

	ImageBytes int64             // the size of the images in the result so far
	deniedBy   map[string]string // the path whose heading names a deny pattern, by pattern
}

// NamesDenied reports whether the heading about a path is the one to name a deny pattern: the first
// that can.
func (c *Call) NamesDenied(path, pattern string) bool {
	if c.deniedBy == nil {
		c.deniedBy = make(map[string]string)
	}
	if _, ok := c.deniedBy[pattern]; !ok {
		c.deniedBy[pattern] = path
	}
	return c.deniedBy[pattern] == path
}

// NewCall returns a call of a tool whose paths are not known yet.
func (e *Environment) NewCall(tool string) *Call {
	return &Call{
		Environment: e, Tool: tool,
		Paths: &lookup.Paths{Workspace: e.Workspace, Home: e.Settings.Home, Tool: tool},
	}
}

func (t *Tool) Call(ctx context.Context, given tool.Call) (tool.Result, error) {
	r, argument, err := t.Parse(ctx, t.DecodeArguments(ctx, given.Args))
	if err != nil {
		return tool.Result{}, err
	}
	total, err := section.NewBudget(given.Budget, t.Environment.Settings.MaxChars)
	if err != nil {
		return tool.Result{}, err
	}
	c := t.Environment.NewCall(t.Published.Name)
	paths, err := c.PathsOf(ctx, argument)
	if err != nil {
		return tool.Result{}, err
	}
	c.PathCount = len(paths)
	sections, err := c.sections(ctx, r, total, paths)
	if err != nil {
		return tool.Result{}, err
	}
	return total.Result(sections)
}

// PathsOf returns the paths that an argument names: without one, those of all roots. A text with a
// line feed is one path if that exists, or if none of its lines is a path.
func (c *Call) PathsOf(ctx context.Context, argument PathArgument) ([]string, error) {
	paths := argument.Values
	if argument.IsRoots() {
		return append([]string{"."}, c.Workspace.Roots()[1:]...), nil
	}
	each := listed(paths[0])
	if argument.isText && len(each) > 0 && each[0] != paths[0] {
		if _, err := c.Paths.LookUp(ctx, paths[0]); err != nil && len(each) > 0 {
			paths = each
		}
	}
	if len(paths) > maxLines {
		return nil, toolerror.BadArguments("%s", tooManyLines(wording.Name(ctx, "path")))
	}
	return paths, nil
}

// sections returns a section about each path. Several have an equal share of the budget each. Those
// that are cut are made again, longer, with what the others leave. It fails if all paths fail, if
// the shares are too small for an error, or if the context ends.
func (c *Call) sections(
	ctx context.Context, r Request, total section.Budget, paths []string,
) ([]section.Section, error) {
	const maxExplained = 10 // failed paths that get suggestions, which read directories
	if c.PathCount == 1 {
		s, err := r.Section(ctx, c, total, paths[0])
		return []section.Section{s}, err
	}
	share := total.Share(c.PathCount)
	var sections []section.Section
	var failures []error
	for _, path := range paths {
		c.Paths.Terse = len(failures) >= maxExplained
		s, err := c.fittingSection(ctx, r, share, path)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			failures = append(failures, err)
			s = share.Failure(err)
		}
		for _, p := range s.Data {
			c.ImageBytes += int64(len(p.Data))
		}
		sections = append(sections, s)
	}
	switch {
	case len(failures) == len(paths):
		return nil, total.Joined(failures)
	case len(failures) > 0 && share.Minimum() < section.MinFailure:
		return nil, share.TooSmall()
	}
	return sections, c.lengthen(ctx, sections, r, share, paths)
}

// fittingSection returns the section about a path, or an error if it does not fit.
func (c *Call) fittingSection(
	ctx context.Context, r Request, b section.Budget, path string,
) (section.Section, error) {
	s, err := r.Section(ctx, c, b, path)
	if err == nil && !b.Fits(s.Size()) {
		return section.Section{}, b.TooSmall()
	}
	return s, err
}

// lengthen makes the sections that their share of the budget has cut again, with an equal part each
// of what the others leave.
func (c *Call) lengthen(
	ctx context.Context, sections []section.Section, r Request, share section.Budget, paths []string,
) error {
	var cut []int
	var left section.Size
	most := section.Budget{Size: section.Size{
		Bytes: share.Size.Bytes / 4 * 3, Chars: share.Size.Chars / 4 * 3,
	}}
	for i, s := range sections {
		used := s.Size()
		if s.Truncated && !most.Fits(used) { // otherwise its limit has cut it
			cut = append(cut, i)
		} else {
			left = left.Plus(share.Size).Minus(used)
		}
	}
	if len(cut) == 0 {
		return nil
	}
	share.Size = share.Size.Plus(section.Size{
		Bytes: max(left.Bytes/len(cut), 0), Chars: max(left.Chars/len(cut), 0),
	})
	for _, i := range cut {
		longer, err := c.fittingSection(ctx, r, share, paths[i])
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err == nil { // otherwise the file has changed, and the shorter section stays
			sections[i] = longer
		}
	}
	return nil
}

// ContinueAt returns how to continue the section about a path: with the offset, and with the path
// if the call has several.
func (c *Call) ContinueAt(ctx context.Context, shown string, offset int) string {
	next := wording.IntArgument(ctx, "offset", offset)
	if c.PathCount > 1 {
		next = wording.StringArgument(ctx, "path", shown) + " " + next
	}
	return "continue with " + next
}
