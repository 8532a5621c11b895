package gemini

import (
	"context"

	"gander/internal/tools/explain"
	"gander/internal/tools/shared"
	"gander/tool"
)

// Explain implements [tool.Explainer].
func (t *ListDirectory) Explain(ctx context.Context, path string, b tool.Budget) (tool.Reason, error) {
	return explain.Explain(ctx, t.workspace, t, path, b)
}

// Listing describes what a call without globs and options shows: the entries of the directory itself.
func (t *ListDirectory) Listing(path string) (shared.Listing, error) {
	r, err := t.request(context.Background(), shared.PathArguments("path", path))
	return shared.Listing{
		Depth:     1,
		DepthRule: "one directory a call",
		LimitRule: "max_output_bytes",
		Filter: func(ctx context.Context, c shared.Candidate) (tool.Reason, error) {
			f, err := t.filter(ctx, c.Dir, r)
			if err != nil {
				return tool.Reason{}, t.newError(err, "scandir", r.path)
			}
			return f.reason(c), nil
		},
		Contains: func(ctx context.Context, rel string, b tool.Budget) (bool, error) {
			l, _, err := t.answer(ctx, r, b, []byte(rel))
			if err != nil {
				return false, err
			}
			return 0 < l.position && l.position <= l.kept, nil
		},
	}, err
}

// reason returns why the filter leaves out an entry, with the rule that decides.
func (f *filter) reason(c shared.Candidate) tool.Reason {
	cause, _ := f.leavesOut([]byte(c.Name), c.Kind)
	reason := tool.Reason{Cause: cause}
	switch cause {
	case tool.CauseIgnored:
		reason.Rule = "git keeps .git to itself"
		if m := f.ignored.Match([]byte(c.Name), c.Kind); m.Source != "" {
			reason.Rule = m.String()
		}
	case tool.CauseUnreadable:
		reason.Rule = "its directory cannot be searched"
	case tool.CauseLink:
		reason.Rule = "it cannot be followed to its end"
	case tool.CauseName:
		reason.Rule = "not UTF-8"
	}
	return reason
}
