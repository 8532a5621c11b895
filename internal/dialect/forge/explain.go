package forge

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"gander/internal/dialect"
	"gander/internal/dialect/explain"
	"gander/internal/engine/workspace"
	"gander/tool"
)

// Explain implements [tool.Explainer].
func (t *ListDirectory) Explain(ctx context.Context, path string, b tool.Budget) (tool.Reason, error) {
	return explain.Explain(ctx, t.workspace, t, path, b)
}

// Listing is what a call without any switches shows: the directory's own entries.
func (t *ListDirectory) Listing(path string) (dialect.Listing, error) {
	if strings.TrimSpace(path) != path {
		return dialect.Listing{}, dialect.ErrNotExpressible
	}
	if rel, err := filepath.Rel(t.workspace.Roots()[0], path); err == nil && !t.settings.AllowAbsolute && filepath.IsLocal(rel) {
		path = rel
	}
	r, err := t.request(dialect.PathArguments("path", path))
	return dialect.Listing{
		Depth:     r.depth,
		DepthRule: "recursive=false",
		LimitRule: fmt.Sprintf("max_entries=%d", r.maxEntries),
		Filter:    r.reason,
		Contains:  r.shows,
	}, err
}

// reason is judge for one entry, of which nothing can be said where its directory may not be searched. Directories that
// are not listed are entered all the same.
func (r request) reason(_ context.Context, s dialect.Candidate) (tool.Reason, error) {
	if opaque(s.Dir) {
		s.Kind = workspace.Unknown
	}
	reason := r.judge([]byte(s.Name), s.Kind)
	if reason.Cause == "" && s.Kind == workspace.Directory && !r.dirs && !s.Entered {
		return tool.Reason{Cause: tool.CauseKind, Rule: "include_dirs=false"}, nil
	}
	return reason, nil
}

// opaque reports whether nothing can be said about the entries of d: it may be read, but not searched.
func opaque(d *workspace.Dir) bool {
	_, err := d.Lstat(".")
	return errors.Is(err, fs.ErrPermission)
}

// shows reports whether the entry is among those that were returned.
func (r request) shows(ctx context.Context, rel string, b tool.Budget) (bool, error) {
	entries, result, err := r.answer(ctx, b)
	if err != nil {
		return false, err
	}
	var document struct{ Returned int }
	if err := json.Unmarshal([]byte(result.Text()), &document); err != nil {
		return false, err
	}
	at := slices.IndexFunc(entries, func(e entry) bool { return e.raw == rel })
	return 0 <= at && at < document.Returned, nil
}
