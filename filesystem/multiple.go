package filesystem

import (
	"context"
	"fmt"
	"strings"

	"gander/internal/tools/toolerror"
	"gander/tool"
)

const (
	divider = "\n---\n"
	failed  = ": Error - "
)

// readMultiple runs read_multiple_files. The size of a part is limited to the remaining bytes, less
// the size of an error for each of the following paths.
func (t *fileTool) readMultiple(ctx context.Context, c tool.Call) (tool.Result, error) {
	a := t.Arguments(c.Args)
	paths := a.Required("paths").Strings()
	if len(paths) == 0 && a.Err() == nil {
		a.Reject("Too small: expected array to have >=1 items at paths")
	}
	if a.Err() != nil {
		return tool.Result{}, a.Err()
	}
	limit := textLimit(c.Budget)
	exceeded := failed + fmt.Sprintf("output limit of %d bytes reached", limit)
	reserved := -len(divider) // for the errors
	for _, path := range paths {
		reserved += len(divider) + len(path) + len(exceeded)
	}
	if reserved > limit {
		return t.readFirst(ctx, paths, c.Budget)
	}
	var out strings.Builder
	truncated := false
	for i, path := range paths {
		reserved -= len(path) + len(exceeded)
		if i > 0 {
			out.WriteString(divider)
			reserved -= len(divider)
		}
		maxBytes := limit - out.Len() - reserved
		part, cut, err := t.readOne(ctx, path, maxBytes, limit)
		if err != nil {
			return tool.Result{}, err
		}
		if len(part) > maxBytes {
			part, cut = path+exceeded, true
		}
		out.WriteString(part)
		truncated = truncated || cut
	}
	return tool.Result{Parts: tool.Text(out.String()), Truncated: truncated}, nil
}

// readFirst runs read_multiple_files for so many paths that the errors about them could not fit. It
// reads the first ones, and says how many.
func (t *fileTool) readFirst(
	ctx context.Context, paths []string, b tool.Budget,
) (tool.Result, error) {
	limit := textLimit(b)
	notice := func(shown int) string {
		return fmt.Sprintf("[gander: output limit of %d bytes reached; %d of %d paths shown; "+
			"read the others in another call]", limit, shown, len(paths))
	}
	room := limit - len(notice(len(paths)))
	var out strings.Builder
	truncated := false
	for shown, path := range paths {
		left := room - out.Len() - len(divider)
		part, cut, err := t.readOne(ctx, path, max(left, 0), limit)
		if err != nil {
			return tool.Result{}, err
		}
		if len(part) <= left {
			out.WriteString(part + divider)
			truncated = truncated || cut
			continue
		}
		if shown == 0 {
			return tool.Result{}, toolerror.TooSmall(b)
		}
		out.WriteString(notice(shown))
		return tool.Result{Parts: tool.Text(out.String()), Truncated: true}, nil
	}
	content := strings.TrimSuffix(out.String(), divider)
	return tool.Result{Parts: tool.Text(content), Truncated: truncated}, nil
}

// readOne returns the part of read_multiple_files for a path. Only the end of the context is an
// error.
func (t *fileTool) readOne(
	ctx context.Context, path string, maxBytes, limit int,
) (part string, cut bool, err error) {
	e, err := t.excerpt(ctx, path, 0, 0, maxBytes)
	if err != nil {
		return path + failed + err.Error(), false, ctx.Err()
	}
	head := path + ":\n"
	content, cut := e.fit(max(maxBytes-len(head)-len("\n"), 1), limit)
	return head + content + "\n", cut, nil
}
