package filesystem

import (
	"context"
	"fmt"
	"strings"

	"gander/internal/tools/shared"
	"gander/tool"
)

// readText runs read_text_file and read_file.
func (t *Tool) readText(ctx context.Context, r request, b tool.Budget) (tool.Result, error) {
	limit, limited := b.Limit()
	if limited && limit == 0 {
		return tool.Result{}, shared.TooSmall(b)
	}
	at, err := t.find(ctx, r.path)
	if err != nil {
		return tool.Result{}, err
	}
	if r.head != 0 && r.tail != 0 {
		return tool.Result{}, shared.BadArguments(
			"Cannot specify both head and tail parameters simultaneously")
	}
	e, err := at.excerpt(ctx, r.head, r.tail, limit)
	if err != nil {
		return tool.Result{}, err
	}
	content, cut := e.fit(limit, limit)
	if limited && len(content) > limit {
		return tool.Result{}, shared.TooSmall(b)
	}
	return tool.Result{Parts: tool.Text(content), Truncated: cut}, nil
}

// readMultiple runs read_multiple_files. The size of a part is limited to the remaining bytes, less
// the size of an error for each of the following paths.
func (t *Tool) readMultiple(ctx context.Context, r request, b tool.Budget) (tool.Result, error) {
	limit, limited := b.Limit()
	exceeded := failed + fmt.Sprintf("output limit of %d bytes reached", limit)
	reserved := -len(divider) // for the errors
	for _, path := range r.paths {
		reserved += len(divider) + len(path) + len(exceeded)
	}
	if limited && reserved > limit {
		return tool.Result{}, shared.TooSmall(b)
	}
	var out strings.Builder
	truncated := false
	for i, path := range r.paths {
		reserved -= len(path) + len(exceeded)
		if i > 0 {
			out.WriteString(divider)
			reserved -= len(divider)
		}
		maxBytes := 0
		if limited {
			maxBytes = limit - out.Len() - reserved
		}
		part, cut, err := t.readOne(ctx, path, maxBytes, limit)
		if err != nil {
			return tool.Result{}, err
		}
		if limited && len(part) > maxBytes {
			part, cut = path+exceeded, true
		}
		out.WriteString(part)
		truncated = truncated || cut
	}
	return tool.Result{Parts: tool.Text(out.String()), Truncated: truncated}, nil
}

const (
	divider = "\n---\n"
	failed  = ": Error - "
)

// readOne returns the part of read_multiple_files for a path. Its maximum size is maxBytes, unless
// that is 0. Only the end of the context is an error.
func (t *Tool) readOne(
	ctx context.Context, path string, maxBytes, limit int,
) (part string, cut bool, err error) {
	at, err := t.find(ctx, path)
	var e excerpt
	if err == nil {
		e, err = at.excerpt(ctx, 0, 0, maxBytes)
	}
	if ctx.Err() != nil {
		return "", false, ctx.Err()
	}
	if err != nil {
		return path + failed + err.Error(), false, nil
	}
	head := path + ":\n"
	if maxBytes > 0 {
		maxBytes = max(maxBytes-len(head)-len("\n"), 1)
	}
	content, cut := e.fit(maxBytes, limit)
	return head + content + "\n", cut, nil
}
