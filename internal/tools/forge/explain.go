package forge

import (
	"context"
	"fmt"
	"strings"

	"gander/internal/files/text"
	"gander/internal/files/workspace"
	"gander/internal/tools/explain"
	"gander/internal/tools/shared"
	"gander/tool"

	"gander/internal/paths"
)

// Explain implements [tool.Explainer].
func (t *ListDirectory) Explain(ctx context.Context, path string, b tool.Budget) (tool.Reason, error) {
	return explain.Explain(ctx, t.workspace, t, path, b)
}

// Listing describes what a call with a path alone shows: the entries of the directory itself.
func (t *ListDirectory) Listing(path string) (shared.Listing, error) {
	if strings.TrimSpace(path) != path {
		return shared.Listing{}, shared.ErrNotExpressible
	}
	if rel, ok := paths.Below(t.workspace.Roots()[0], path); ok && !t.settings.AllowAbsolute {
		path = rel
	}
	r, err := t.request(shared.PathArguments("path", path))
	return shared.Listing{
		Depth:     r.depth,
		DepthRule: "recursive=false",
		LimitRule: fmt.Sprintf("max_entries=%d", r.maxEntries),
		Filter:    r.reason,
		Contains: func(ctx context.Context, rel string, b tool.Budget) (bool, error) {
			result, err := r.run(ctx, b)
			return strings.Contains(result.Text(), `"name":`+string(text.AppendQuote(nil, text.WellFormed(rel)))), err
		},
	}, err
}

// reason returns why the filter leaves out an entry. Directories that are not shown are entered all the same.
func (r request) reason(_ context.Context, c shared.Candidate) (tool.Reason, error) {
	if searchable, err := c.Dir.Searchable(); !searchable && err == nil {
		c.Kind = workspace.Unknown
	}
	reason := r.leavesOut([]byte(c.Name), c.Kind)
	if reason.Cause == "" && c.Kind == workspace.Directory && !r.dirs && !c.Entered {
		return tool.Reason{Cause: tool.CauseKind, Rule: "include_dirs=false"}, nil
	}
	return reason, nil
}
