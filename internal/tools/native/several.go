package native

import (
	"context"
	"errors"
	"strings"

	"gander/internal/files/text"
	"gander/internal/tools/shared"
	"gander/tool"
)

// maxSeveral is the maximum number of paths, and of globs, in one call.
const maxSeveral = 50

// splitLines returns the lines of an argument that takes several values, one a line.
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
	}
	if _, err := c.lookUp(reading{path: given}); err == nil {
		return []string{given}, nil
	}
	paths, err := splitLines(pathArgument, given)
	if err == nil && len(paths) == 0 {
		paths = []string{""}
	}
	return paths, err
}

// run answers a call. write writes the section of one of the paths in the argument given.
func (f *files) run(
	ctx context.Context, b tool.Budget, given string, write func(*call, string) (section, error),
) (tool.Result, error) {
	budget, err := f.budget(b)
	if err != nil {
		return tool.Result{}, err
	}
	c := f.newCall(ctx, budget)
	paths, err := c.splitPaths(given)
	if err != nil {
		return tool.Result{}, err
	}
	var sections []section
	if len(paths) == 1 {
		s, err := write(c, paths[0])
		if err != nil {
			return tool.Result{}, err
		}
		sections = []section{s}
	} else if sections, err = c.writeEach(paths, write); err != nil {
		return tool.Result{}, err
	}
	return c.result(sections)
}

// writeEach writes a section for each path. Sections that their equal share of the budget cuts are
// written again with what the others have left. The error is the one of all paths, or of ctx.
func (c *call) writeEach(
	paths []string, write func(*call, string) (section, error),
) ([]section, error) {
	share := c.budget.share(len(paths))
	data := c.budget.given.MaxDataBytes
	part := func(path string, most size) (section, error) {
		p := *c
		p.several, p.budget.size, p.budget.given.MaxDataBytes = len(paths), most, data
		return write(&p, path)
	}
	sections := make([]section, len(paths))
	var failures []error
	var left size
	var cut []int
	for i, path := range paths {
		s, err := part(path, share)
		if err := c.ctx.Err(); err != nil {
			return nil, err
		}
		if err != nil {
			failures = append(failures, err)
			if s.Error = err.Error(); c.budget.least() > 0 {
				s.Error = text.Cut(s.Error, max(share.bytes, share.chars, 100)-len("error: "))
			}
		}
		if data != nil {
			for _, p := range s.data {
				data = new(max(*data-len(p.Data), 0))
			}
		}
		sections[i] = s
		used := sizeOf(s.text())
		full := func(used, share int) bool { return share > 0 && used > share-share/4 }
		if s.truncated && (full(used.bytes, share.bytes) || full(used.chars, share.chars)) {
			cut = append(cut, i)
			continue
		}
		left = left.plus(size{share.bytes - used.bytes, share.chars - used.chars})
	}
	if len(failures) == len(paths) {
		return nil, joined(failures)
	}
	for _, i := range cut {
		more := size{max(left.bytes/len(cut), 0), max(left.chars/len(cut), 0)}
		s, err := part(paths[i], share.plus(c.budget.limited(more)))
		if err != nil {
			return nil, err
		}
		sections[i] = s
	}
	return sections, nil
}

// share returns the size of each of n sections.
func (b budget) share(n int) size {
	const apart = len("\n\n")
	s := size{max(b.bytes/n-apart, 1), max(b.chars/n-apart, 1)}
	return b.limited(s)
}

// limited returns s without the parts in which b has no limit.
func (b budget) limited(s size) size {
	if b.bytes == 0 {
		s.bytes = 0
	}
	if b.chars == 0 {
		s.chars = 0
	}
	return s
}

// joined returns the error of a call all of whose paths failed. Its kind is the kind of the first.
func joined(failures []error) error {
	var messages []string
	for _, err := range failures {
		messages = append(messages, err.Error())
	}
	all := &tool.Error{Kind: tool.Failed, Message: strings.Join(messages, "\n"), Err: failures[0]}
	if first, ok := errors.AsType[*tool.Error](failures[0]); ok {
		all.Kind = first.Kind
	}
	return all
}
