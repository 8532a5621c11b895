package gemini

import (
	"context"

	"gander/internal/dialect"
	"gander/internal/dialect/explain"
	"gander/tool"
)

// Explain implements [tool.Explainer].
func (t *ListDirectory) Explain(ctx context.Context, path string, b tool.Budget) (tool.Reason, error) {
	return explain.Explain(ctx, t.workspace, t, path, b)
}

// Listing is what a call without globs and options shows: the directory's own entries.
func (t *ListDirectory) Listing(path string) (dialect.Listing, error) {
	r, err := t.request(dialect.PathArguments("path", path))
	return dialect.Listing{
		Depth:     1,
		DepthRule: "one directory a call",
		LimitRule: "max_output_bytes",
		Filter: func(ctx context.Context, s dialect.Candidate) (tool.Reason, error) {
			j, err := t.judge(ctx, s.Dir, r)
			if err != nil {
				return tool.Reason{}, t.refuse(err, "scandir", r.path)
			}
			return j.reason(s), nil
		},
		Contains: func(ctx context.Context, rel string, b tool.Budget) (bool, error) {
			l, _, err := t.answer(ctx, r, b, []byte(rel))
			if err != nil {
				return false, err
			}
			return 0 < l.found && l.found <= l.kept, nil
		},
	}, err
}

// reason is judge for one entry, and what decides.
func (j *judge) reason(s dialect.Candidate) tool.Reason {
	cause, _ := j.judge([]byte(s.Name), s.Kind)
	reason := tool.Reason{Cause: cause}
	switch cause {
	case tool.CauseIgnored:
		reason.Rule = "git keeps " + gitDirectory + " to itself"
		if _, m := j.ignorer.match([]byte(s.Name), s.Kind); m.Source != "" {
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
