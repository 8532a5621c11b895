package native

import (
	"context"
	"errors"
	"strconv"
	"strings"

	"gander/internal/files/text"
	"gander/internal/files/workspace"
	"gander/internal/layout"
	"gander/internal/tools/shared"
	"gander/tool"
)

const (
	// maxSeveral is the maximum number of paths, and of globs, in one call.
	maxSeveral = 50
	// maxExplained is the maximum number of failed paths in a call that get suggestions.
	maxExplained = 10
)

// A call is the state that the stages of one call share.
type call struct {
	*files
	ctx    context.Context
	layout *layout.Layout
	budget budget
	paths  int  // if there are several, hints name the path
	terse  bool // errors have no suggestions
}

// A writer writes the section about one path of a call.
type writer func(c *call, path string) (section, error)

// Call calls the tool.
func (t *nativeTool) Call(ctx context.Context, given tool.Call) (tool.Result, error) {
	a := decodeArguments(given.Args)
	write, err := t.parse(ctx, t.files, a)
	if err != nil {
		return tool.Result{}, err
	}
	c := &call{files: t.files, ctx: ctx, layout: layout.From(ctx)}
	if c.budget, err = t.files.newBudget(given.Budget); err != nil {
		return tool.Result{}, err
	}
	paths, err := c.splitPaths(a.path)
	if err != nil {
		return tool.Result{}, err
	}
	sections, err := c.writeEach(paths, write)
	if err != nil {
		return tool.Result{}, err
	}
	return c.result(sections)
}

// splitLines returns the values of an argument that takes several, one per line.
func splitLines(name, value string) ([]string, error) {
	var values []string
	for line := range strings.Lines(value) {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		if len(values) == maxSeveral {
			return nil, shared.BadArguments("%s must have at most %d lines", name, maxSeveral)
		}
		values = append(values, line)
	}
	return values, nil
}

// splitPaths returns the paths of an argument. A path with a line feed to an existing file is one
// path.
func (c *call) splitPaths(given string) ([]string, error) {
	if !strings.Contains(given, "\n") {
		return []string{given}, nil
	} else if _, err := c.lookUp(given); err == nil {
		return []string{given}, nil
	}
	paths, err := splitLines("path", given)
	if len(paths) == 0 {
		paths = []string{""}
	}
	return paths, err
}

// writeEach writes a section for each path, with an equal share of the budget. It then rewrites
// truncated sections with the unused rest. It fails if all paths fail or the context ends.
func (c *call) writeEach(paths []string, write writer) ([]section, error) {
	if c.paths = len(paths); c.paths == 1 {
		s, err := write(c, paths[0])
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
		s, err := write(&part, path)
		if c.ctx.Err() != nil {
			return nil, c.ctx.Err()
		}
		if err != nil {
			failures = append(failures, err)
			s.Error = text.Cut(err.Error(), max(part.budget.minimum(), 100)-len("error: "))
		}
		for _, p := range s.data {
			part.budget.data -= int64(len(p.Data))
		}
		sections[i] = s
		used := sizeOf(s.text())
		if s.truncated && (used.bytes > share.bytes/4*3 || used.chars > share.chars/4*3) {
			cut = append(cut, i)
			continue
		}
		left = left.plus(size{share.bytes - used.bytes, share.chars - used.chars})
	}
	if len(failures) == len(paths) {
		all := errors.Join(failures...).Error()
		return nil, shared.NewError(failures[0], all)
	}
	for _, i := range cut {
		more := size{max(left.bytes/len(cut), 0), max(left.chars/len(cut), 0)}
		part.budget.size = share.plus(more)
		s, err := write(&part, paths[i])
		if err != nil {
			return nil, err
		}
		sections[i] = s
	}
	return sections, nil
}

// result returns the result of a call with these sections.
func (c *call) result(sections []section) (tool.Result, error) {
	r := tool.Result{Exact: true, NothingFound: true}
	var texts []string
	var data []tool.Part
	c.layout.Sections = nil
	for _, s := range sections {
		texts = append(texts, s.text())
		r.Truncated = r.Truncated || s.truncated
		r.NothingFound = r.NothingFound && s.nothing
		data = append(data, s.data...)
		c.layout.Sections = append(c.layout.Sections, s.Section)
	}
	text := strings.Join(texts, "\n\n")
	if !c.budget.fits(sizeOf(text)) {
		return tool.Result{}, c.budget.tooSmall()
	}
	r.Parts = append(tool.Text(text), data...)
	return r, nil
}

func stringArgument(name, value string) layout.Argument {
	return layout.Argument{Name: name, Value: value, IsString: true}
}

func intArgument(name string, value int) layout.Argument {
	return layout.Argument{Name: name, Value: strconv.Itoa(value)}
}

// hint returns a tool call as results spell it. If tool is "", the call is the current one with
// other arguments.
func (c *call) hint(tool string, arguments ...layout.Argument) string {
	if c.layout.Hint != nil {
		return c.layout.Hint(tool, arguments)
	}
	var words []string
	if tool != "" {
		words = append(words, tool)
	}
	for _, a := range arguments {
		value := a.Value
		if a.IsString {
			value = `"` + value + `"`
		}
		words = append(words, a.Name+"="+value)
	}
	return strings.Join(words, " ")
}

// next returns the hint to continue the section about a location with these arguments.
func (c *call) next(at workspace.Location, arguments ...layout.Argument) string {
	if c.paths > 1 {
		path := stringArgument("path", c.show(at))
		arguments = append([]layout.Argument{path}, arguments...)
	}
	return c.hint("", arguments...)
}

// includeIgnored returns the hint to include ignored files.
func (c *call) includeIgnored() string {
	return "include them with " + c.hint("", layout.Argument{Name: "ignored", Value: "true"})
}
