package toolkit

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"

	"gander/internal/dialect"
	"gander/internal/dialect/explain"
	"gander/internal/engine/walk"
	"gander/internal/engine/workspace"
	"gander/tool"
)

// Explain implements [tool.Explainer].
func (t *Tree) Explain(ctx context.Context, path string, b tool.Budget) (tool.Reason, error) {
	return explain.Explain(ctx, t.workspace, t, path, b)
}

// Listing is what a call shows that says nothing of kinds, depth, entries, hidden names or excludes.
func (t *Tree) Listing(path string) (dialect.Listing, error) {
	if filepath.Separator != '\\' && strings.Contains(path, `\`) { // to the tool, a separator
		return dialect.Listing{}, dialect.ErrNotExpressible
	}
	r, err := t.request(dialect.PathArguments("path", path))
	return dialect.Listing{
		Depth:     r.maxDepth,
		DepthRule: fmt.Sprintf("max_depth=%d", r.maxDepth),
		LimitRule: fmt.Sprintf("max_entries=%d", r.maxEntries),
		Filter: func(ctx context.Context, s dialect.Candidate) (tool.Reason, error) {
			return t.lister(ctx, r, tool.Budget{}).reason(s), nil
		},
		Contains: func(ctx context.Context, rel string, b tool.Budget) (bool, error) {
			l := t.lister(ctx, r, b)
			l.sought = rel
			return l.shows(ctx, b)
		},
	}, err
}

// reason is judge for one entry, and what decides.
func (l *lister) reason(s dialect.Candidate) tool.Reason {
	dir := &walk.Directory{Path: s.DirPath}
	reason := tool.Reason{Cause: l.judge(dir, []byte(s.Name), s.Kind)}
	switch reason.Cause {
	case tool.CauseHidden:
		reason.Rule = "include_hidden=false"
	case tool.CauseKind:
		reason.Rule = "entry_kind=directory"
		if s.Kind == workspace.Other {
			reason.Rule = "a FIFO, socket or device"
		}
	case tool.CauseExcluded:
		reason.Rule = "include_default_excludes=true"
		if !l.tree.settings.DefaultExcludes || !published(s.Name) {
			reason.Rule = "exclude=" + l.excluding(l.full(walk.Entry{Name: []byte(s.Name), Dir: dir}))
		}
	}
	return reason
}

// excluding returns the first of the configured globs that excludes the path.
func (l *lister) excluding(full string) string {
	for _, glob := range l.tree.settings.Exclude {
		if x, err := compile([]string{glob}); err == nil && x.match(l.ctx, full) {
			return glob
		}
	}
	return ""
}

// shows reports whether the entry is among the nodes of the answer.
func (l *lister) shows(ctx context.Context, b tool.Budget) (bool, error) {
	result, err := l.answer(ctx, b)
	if err != nil {
		return false, err
	}
	var document struct {
		Nodes int `json:"scanned_entries"`
	}
	if err := json.Unmarshal([]byte(result.Text()), &document); err != nil {
		return false, err
	}
	return 0 < l.found && l.found <= document.Nodes, nil
}
