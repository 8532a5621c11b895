package toolkit

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"gander/internal/files/walk"
	"gander/internal/files/workspace"
	"gander/internal/tools/explain"
	"gander/internal/tools/shared"
	"gander/tool"
)

// Explain implements [tool.Explainer].
func (t *Tree) Explain(ctx context.Context, path string, b tool.Budget) (tool.Reason, error) {
	return explain.Explain(ctx, t.workspace, t, path, b)
}

// Listing describes what a call with a path alone shows.
func (t *Tree) Listing(path string) (shared.Listing, error) {
	if filepath.Separator != '\\' && strings.Contains(path, `\`) { // the tool takes it for a separator
		return shared.Listing{}, shared.ErrNotExpressible
	}
	r, err := t.request(context.Background(), shared.PathArguments("path", path))
	return shared.Listing{
		Depth:     r.maxDepth,
		DepthRule: fmt.Sprintf("max_depth=%d", r.maxDepth),
		LimitRule: fmt.Sprintf("max_entries=%d", r.maxEntries),
		Filter: func(ctx context.Context, c shared.Candidate) (tool.Reason, error) {
			return t.listing(ctx, r, tool.Budget{}).reason(c), nil
		},
		Contains: func(ctx context.Context, rel string, b tool.Budget) (bool, error) {
			l := t.listing(ctx, r, b)
			l.wanted = rel
			_, err := l.answer(b)
			return 0 < l.position && l.position <= l.shown, err
		},
	}, err
}

// reason returns why the filter leaves out an entry, with the rule that decides.
func (l *listing) reason(c shared.Candidate) tool.Reason {
	dir := &walk.Directory{Path: c.DirPath}
	reason := tool.Reason{Cause: l.leavesOut(dir, []byte(c.Name), c.Kind)}
	switch reason.Cause {
	case tool.CauseHidden:
		reason.Rule = "include_hidden=false"
	case tool.CauseKind:
		reason.Rule = "entry_kind=directory"
		if c.Kind == workspace.Other {
			reason.Rule = "a FIFO, socket or device"
		}
	case tool.CauseExcluded:
		reason.Rule = "include_default_excludes=true"
		if !l.tree.settings.DefaultExcludes || !isDefaultExclude(c.Name) {
			reason.Rule = "exclude=" + l.excludingGlob(l.fullPath(walk.Entry{Name: []byte(c.Name), Dir: dir}))
		}
	}
	return reason
}

// excludingGlob returns the first of the configured globs that excludes the path, or "".
func (l *listing) excludingGlob(full string) string {
	for _, glob := range l.tree.settings.Exclude {
		if x, err := compile(l.ctx, []string{glob}); err == nil && x.match(l.ctx, full) {
			return glob
		}
	}
	return ""
}
