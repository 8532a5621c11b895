package gander

import (
	"context"
	"errors"

	"gander/internal/dialect/explain"
	"gander/tool"
)

// A Reason is why a tool does not show a path, or that it does.
type Reason struct {
	// Tool is the id of the tool.
	Tool string
	// Cause is one of
	//
	//   - shown: the tool shows it;
	//   - outside: it leads out of the workspace, and nothing more is said;
	//   - denied: a deny pattern or the policy forbids it;
	//   - hidden: its name begins with a dot;
	//   - ignored: by a rule of an ignore file;
	//   - excluded: by a pattern for names or paths;
	//   - kind: the tool shows nothing of that kind;
	//   - name: the name is not UTF-8, or the tool has no argument that could name its directory;
	//   - depth: it lies deeper than a listing from the root goes, and the listing of At shows it;
	//   - limit: an answer ends before it;
	//   - link: a symlink is in the way, or leads to no end;
	//   - unreadable: a directory or file on the way cannot be read;
	//   - empty: it is a file without lines.
	Cause string
	// Rule is what decides, where anything does: a rule of an ignore file as file:line:pattern, the way git check-ignore
	// shows it, a deny pattern, an argument or option as name=value, or a few words.
	Rule string
	// At is the entry that the cause holds for, relative to its root and slash-separated: the path itself, or a directory
	// above it. It is empty for a path outside and where the policy decides.
	At string
}

// Why says for each of gander's own tools why a model does not see what is at a path, or that it does. It takes calls that
// name a directory or a file and leave everything else at its default; where a listing goes a few levels deep, it takes
// the listings of the directories on the way, one after the other. The tools judge by the filters that they list with.
//
// A relative path is one of the first root, ".." is taken lexically, and what lies outside is never looked at. Each tool is
// asked under the rules that hold for its calls, see [tool.Registry.CallAs]. The error is a [*tool.Error]: nothing is at the
// path, or it cannot be told.
func (t *Toolset) Why(ctx context.Context, path string) ([]Reason, error) {
	var reasons []Reason
	for _, d := range t.Definitions() {
		own, ok := t.own[d.ID]
		if !ok {
			continue
		}
		r, err := t.reason(ctx, own, d.ID, path)
		if err != nil {
			return nil, err
		}
		reasons = append(reasons, Reason{d.ID, r.Cause, r.Rule, r.At})
	}
	return reasons, nil
}

func (t *Toolset) reason(ctx context.Context, own tool.Tool, id, path string) (explain.Reason, error) {
	found := new(explain.Reason) // written by the work alone, which may be left behind
	_, err := t.CallAs(ctx, id, tool.Call{}, func(ctx context.Context, c tool.Call) (tool.Result, error) {
		r, err := explain.Explain(ctx, t.workspace, own, path, c.Budget)
		*found = r
		return tool.Result{}, err
	})
	switch {
	case errors.Is(err, tool.ErrPolicy):
		return explain.Reason{Cause: explain.Denied, Rule: err.Error()}, nil
	case err != nil:
		return explain.Reason{}, err
	default:
		return *found, nil
	}
}
