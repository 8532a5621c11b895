package filesystem

import (
	"context"
	"fmt"
	"strings"

	"gander/internal/tools/toolerror"
	"gander/tool"
)

const (
	divider   = "\n---\n"
	errorMark = ": Error - " // between a path and the error about it
)

// readMultiple runs read_multiple_files. Space is reserved for an error about each of the paths
// that follow, or, if there are too many, for a notice of how many are shown.
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
	exceeded := errorMark + fmt.Sprintf("output limit of %d bytes reached", limit)
	notice := func(shown int) string {
		return fmt.Sprintf("[gander: output limit of %d bytes reached; %d of %d paths shown; "+
			"read the others in another call]", limit, shown, len(paths))
	}
	reserved := 0
	for _, path := range paths {
		reserved += len(divider) + len(t.shown([]byte(path))) + len(exceeded)
	}
	showsAll := reserved-len(divider) <= limit
	if !showsAll {
		reserved = len(divider) + len(notice(len(paths)))
	}
	var out strings.Builder
	var result tool.Result
	for i, given := range paths {
		path := string(t.shown([]byte(given)))
		if i > 0 {
			out.WriteString(divider)
		}
		if showsAll {
			reserved -= len(divider) + len(path) + len(exceeded)
		}
		maxBytes := limit - out.Len() - reserved
		one, err := t.readOne(ctx, given, max(maxBytes, 0), limit)
		switch {
		case err != nil:
			return tool.Result{}, err
		case len(one.Text()) <= maxBytes:
			out.WriteString(one.Text())
			result.Truncated = result.Truncated || one.Truncated
			result.Unreadable = result.Unreadable || one.Unreadable
		case showsAll:
			out.WriteString(path + exceeded)
			result.Truncated = true
		case i == 0:
			return tool.Result{}, toolerror.TooSmall(c.Budget)
		default:
			out.WriteString(notice(i))
			result.Parts, result.Truncated = tool.Text(out.String()), true
			return result, nil
		}
	}
	result.Parts = tool.Text(out.String())
	return result, nil
}

// readOne returns the result for one path of read_multiple_files. Only the end of the context is an
// error.
func (t *fileTool) readOne(
	ctx context.Context, path string, maxBytes, limit int,
) (tool.Result, error) {
	shown := string(t.shown([]byte(path)))
	e, err := t.excerpt(ctx, path, portion{}, maxBytes)
	if err != nil {
		message := shown + errorMark + err.Error()
		return tool.Result{Parts: tool.Text(message), Unreadable: true}, ctx.Err()
	}
	head := shown + ":\n"
	content, cut := e.fit(max(maxBytes-len(head)-len("\n"), 1), limit)
	return tool.Result{Parts: tool.Text(head + content + "\n"), Truncated: cut}, nil
}
