package gander

import (
	"context"
	"fmt"
	"slices"

	"gander/internal/dialect"
	"gander/internal/dialect/explain"
	"gander/internal/engine/workspace"
	"gander/tool"
)

var (
	_ dialect.Lister     = (*listDir)(nil)
	_ tool.Explainer     = (*readFile)(nil)
	_ dialect.PathWriter = (*files)(nil)
)

// Explain implements [tool.Explainer].
func (t *listDir) Explain(ctx context.Context, path string, b tool.Budget) (tool.Reason, error) {
	return explain.Explain(ctx, t.workspace, t, path, b)
}

// Explain implements [tool.Explainer].
func (t *readFile) Explain(ctx context.Context, path string, b tool.Budget) (tool.Reason, error) {
	return explain.Explain(ctx, t.workspace, t, path, b)
}

// Listing describes what a call with a path alone shows: the entries of the directory itself.
func (t *listDir) Listing(path string) (dialect.Listing, error) {
	r, err := listRequestOf(dialect.PathArguments("path", path))
	return dialect.Listing{
		Depth:     r.depth,
		DepthRule: fmt.Sprintf("depth=%d", r.depth),
		LimitRule: fmt.Sprintf("max_chars=%d", t.settings.MaxChars),
		Filter:    t.ignoredReason,
		Contains: func(ctx context.Context, rel string, b tool.Budget) (bool, error) {
			found, err := t.find(path)
			if err != nil || found.info.Kind != workspace.Directory {
				return false, err
			}
			size, err := t.budget(b)
			if err != nil {
				return false, err
			}
			l, err := t.list(ctx, r, found.place, size)
			if err != nil {
				return false, err
			}
			if _, err = l.answer(); err != nil {
				return false, err
			}
			shown := l.folders[0].entries[:l.shown]
			return slices.ContainsFunc(shown, func(e entry) bool { return e.name == rel }), nil
		},
	}, err
}
