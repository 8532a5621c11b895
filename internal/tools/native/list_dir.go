package native

import (
	"context"
	"encoding/json"
	"math"

	"gander/internal/files/workspace"
	"gander/internal/tools/shared"
	"gander/tool"
)

// listDir is gander/list_dir.
type listDir struct{ *files }

// A listRequest is the arguments of a call of list_dir, complete and valid.
type listRequest struct {
	path             string
	depth            int
	details, ignored bool
	offset, limit    int
}

func listRequestOf(raw json.RawMessage) (listRequest, error) {
	a := decodeArguments(raw)
	r := listRequest{
		path:    a.get(pathNames).String(""),
		depth:   a.get("depth max_depth levels").Int(1, 1, math.MaxInt),
		details: a.get("details long").Bool(false),
		ignored: a.get("ignored include_ignored no_ignore").Bool(false),
		offset:  a.get("offset").Int(1, 1, math.MaxInt),
		limit:   a.get("limit max_entries max_results").Int(math.MaxInt, 1, math.MaxInt),
	}
	if a.alias("recursive").Bool(false) && r.depth == 1 {
		r.depth = math.MaxInt
	}
	return r, a.err()
}

// Call lists a directory, or describes a file.
func (t *listDir) Call(ctx context.Context, c tool.Call) (tool.Result, error) {
	r, err := listRequestOf(c.Args)
	if err != nil {
		return tool.Result{}, err
	}
	found, b, err := t.begin(r.path, c.Budget)
	if err != nil {
		return tool.Result{}, err
	}
	if found.info.Kind != workspace.Directory {
		return t.describe(ctx, found, b)
	}
	_, result, err := t.list(ctx, r, found.place, b)
	return result, err
}

// list answers about a directory.
func (f *files) list(ctx context.Context, r listRequest, place workspace.Location, b budget) (*listing, tool.Result, error) {
	l := &listing{files: f, listRequest: r, ctx: ctx, place: place, budget: b, left: r.limit}
	if err := l.read(); err != nil {
		return l, tool.Result{}, shared.NewError(err, f.show(place)+": "+shared.PathErrorText(err))
	}
	result, err := l.answer()
	return l, result, err
}
