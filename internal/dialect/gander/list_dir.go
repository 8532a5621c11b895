package gander

import (
	"context"
	"encoding/json"
	"math"

	"gander/internal/dialect"
	"gander/internal/engine/workspace"
	"gander/tool"
)

// listDir is gander/list_dir.
type listDir struct{ *files }

// Spec describes the tool.
func (t *listDir) Spec() tool.Spec {
	return tool.Spec{
		ID:    "gander/list_dir",
		Name:  "list_dir",
		Title: "List files in a directory (ls, tree)",
		Description: "Lists a directory in name order, or a tree with depth. A file as path gives its type, size and time. " +
			"Files that git ignores are left out and counted.",
		Hint:         "what is in a directory, or what a file is (depth=2 or more for a tree)",
		DialectHint:  dialectHint,
		Input:        json.RawMessage(listDirSchema),
		PathArgument: "path",
		Resource:     tool.DirectoryResource,
		Command:      listCommand(),
		Risk:         tool.Low,
	}
}

const listDirSchema = `{"type":"object","properties":{` +
	`"path":{"type":"string","description":"Relative to the root, or absolute (default: the root)."},` +
	`"depth":{"type":"integer","description":"Levels to show, upper ones first (default 1)."},` +
	`"details":{"type":"boolean","description":"Add size and modification time."},` +
	`"ignored":{"type":"boolean","description":"Include files that git ignores."},` +
	`"offset":{"type":"integer","description":"First entry to show (default 1)."},` +
	`"limit":{"type":"integer","description":"Most entries to show (default: what fits)."}},` +
	`"additionalProperties":false}`

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
	found, err := t.find(r.path)
	if err != nil {
		return tool.Result{}, err
	}
	b, err := t.budget(c.Budget)
	if err != nil {
		return tool.Result{}, err
	}
	if found.info.Kind != workspace.Directory {
		return t.describe(ctx, found, b)
	}
	l, err := t.list(ctx, r, found.place, b)
	if err != nil {
		return tool.Result{}, err
	}
	return l.answer()
}

// list reads what the answer about a directory shows.
func (t *listDir) list(ctx context.Context, r listRequest, place workspace.Place, b budget) (*listing, error) {
	l := &listing{files: t.files, listRequest: r, ctx: ctx, place: place, budget: b, left: r.limit}
	if err := l.read(); err != nil {
		return nil, t.listError(t.show(place), err)
	}
	return l, nil
}

// listError returns the error about a directory that cannot be read.
func (t *listDir) listError(shown string, err error) error {
	return dialect.NewError(err, shown+": "+dialect.PathErrorText(err))
}
