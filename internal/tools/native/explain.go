package native

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"gander/internal/files/ignore"
	"gander/internal/files/workspace"
	"gander/internal/tools/explain"
	"gander/internal/tools/shared"
	"gander/tool"
)

var (
	_, _, _ shared.Lister     = (*listDir)(nil), (*findFiles)(nil), (*searchText)(nil)
	_       tool.Explainer    = (*readFile)(nil)
	_       shared.PathWriter = (*files)(nil)
)

// Explain implements [tool.Explainer].
func (t *listDir) Explain(ctx context.Context, path string, b tool.Budget) (tool.Reason, error) {
	return explain.Explain(ctx, t.workspace, t, path, b)
}

// Explain implements [tool.Explainer].
func (t *readFile) Explain(ctx context.Context, path string, b tool.Budget) (tool.Reason, error) {
	return explain.Explain(ctx, t.workspace, t, path, b)
}

// Explain implements [tool.Explainer].
func (t *findFiles) Explain(ctx context.Context, path string, b tool.Budget) (tool.Reason, error) {
	return explain.Explain(ctx, t.workspace, t, path, b)
}

// Explain implements [tool.Explainer].
func (t *searchText) Explain(ctx context.Context, path string, b tool.Budget) (tool.Reason, error) {
	return explain.Explain(ctx, t.workspace, t, path, b)
}

// Listing describes what a call with a path alone shows: the entries of the directory itself.
func (t *listDir) Listing(path string) (shared.Listing, error) {
	r, err := parseListRequest(shared.PathArguments("path", path))
	return shared.Listing{
		Depth:     r.depth,
		DepthRule: fmt.Sprintf("depth=%d", r.depth),
		LimitRule: fmt.Sprintf("max_chars=%d", t.settings.MaxChars),
		Filter:    t.ignoredReason,
		Contains: func(ctx context.Context, rel string, b tool.Budget) (bool, error) {
			budget, err := t.budget(b)
			if err != nil {
				return false, err
			}
			c := t.newCall(ctx, budget)
			found, err := c.find(path)
			if err != nil || found.info.Kind != workspace.Directory {
				return false, err
			}
			l := &listing{call: c, request: r, place: found.place, left: r.limit}
			if err := l.read(); err != nil {
				return false, err
			}
			s, err := l.write()
			if err != nil || !s.hasBody {
				return false, err
			}
			shown := l.folders[0].entries[:1+strings.Count(s.Body, "\n")]
			return slices.ContainsFunc(shown, func(e entry) bool { return e.name == rel }), nil
		},
	}, err
}

// Listing describes what a call without a pattern finds. Every page counts.
func (t *findFiles) Listing(string) (shared.Listing, error) {
	return shared.Listing{
		Depth: math.MaxInt,
		Filter: func(ctx context.Context, c shared.Candidate) (tool.Reason, error) {
			if r, err := t.ignoredReason(ctx, c); err != nil || r.Cause != "" || c.Kind != workspace.Directory {
				return r, err
			}
			d, err := c.Dir.Open(c.Name) // a directory that is denied is not found
			if err == nil {
				err = d.Close()
			}
			return tool.Reason{}, err
		},
		Contains: func(context.Context, string, tool.Budget) (bool, error) { return true, nil },
	}, nil
}

// Listing describes what a call searches. Every page counts.
func (t *searchText) Listing(string) (shared.Listing, error) {
	return shared.Listing{
		Depth: math.MaxInt,
		Filter: func(ctx context.Context, c shared.Candidate) (tool.Reason, error) {
			if r, err := t.ignoredReason(ctx, c); err != nil || r.Cause != "" || c.Entered {
				return r, err
			}
			return unsearchedReason(c)
		},
		Contains: func(context.Context, string, tool.Budget) (bool, error) { return true, nil },
	}, nil
}

// ignoredReason returns why git ignores an entry, if it does.
func (f *files) ignoredReason(ctx context.Context, c shared.Candidate) (tool.Reason, error) {
	chain, err := ignore.Open(ctx, f.workspace, c.Dir, ignoreRules())
	if err != nil {
		return tool.Reason{}, err
	}
	m := chain.Match([]byte(c.Name), c.Kind)
	switch {
	case m.Verdict != ignore.Ignore:
		return tool.Reason{}, nil
	case m.Source == "":
		return tool.Reason{Cause: tool.CauseIgnored, Rule: "git keeps .git to itself"}, nil
	default:
		return tool.Reason{Cause: tool.CauseIgnored, Rule: m.String()}, nil
	}
}

// unsearchedReason returns why an entry is not searched, if it is not.
func unsearchedReason(c shared.Candidate) (tool.Reason, error) {
	switch c.Kind {
	case workspace.Directory:
		return tool.Reason{Cause: tool.CauseKind, Rule: "a directory"}, nil
	case workspace.Symlink:
		return tool.Reason{Cause: tool.CauseKind, Rule: "a symlink, which is not followed"}, nil
	case workspace.Other:
		return tool.Reason{Cause: tool.CauseKind, Rule: "a FIFO, socket or device"}, nil
	}
	f, err := c.Dir.File(c.Name, c.Kind)
	if err != nil {
		return tool.Reason{}, err
	}
	defer f.Close()
	start := make([]byte, 64<<10)
	n, err := f.ReadAt(start, 0)
	if err != nil && err != io.EOF {
		return tool.Reason{}, err
	}
	if start = start[:n]; contentOf(start).encoding != utf16Text && bytes.IndexByte(start, 0) >= 0 {
		return tool.Reason{Cause: tool.CauseKind, Rule: "binary: it has a NUL byte"}, nil
	}
	return tool.Reason{}, nil
}
