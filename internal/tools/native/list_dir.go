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

// parseListRequest decodes and checks the arguments.
func parseListRequest(raw json.RawMessage) (listRequest, error) {
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
	r, err := parseListRequest(c.Args)
	if err != nil {
		return tool.Result{}, err
	}
	return t.run(ctx, c.Budget, r.path, func(c *call, path string) (section, error) {
		found, err := c.find(path)
		if err != nil {
			return section{}, err
		}
		if found.info.Kind != workspace.Directory {
			return c.describe(found)
		}
		return c.writeListing(r, found.place)
	})
}

// writeListing writes the section about a directory.
func (c *call) writeListing(r listRequest, place workspace.Location) (section, error) {
	l := &listing{call: c, request: r, place: place, left: r.limit}
	if err := l.read(); err != nil {
		return section{}, shared.NewError(err, c.show(place)+": "+shared.PathErrorText(err))
	}
	return l.write()
}
