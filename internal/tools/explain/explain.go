// Package explain finds out why a tool does not show a path. It follows the path from its root and asks the tool about
// every entry on the way. It knows no tool's rules: each tool judges by the filter that it lists with. It describes nothing
// that lies outside the workspace.
package explain

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"unicode/utf8"

	"gander/internal/files/workspace"
	"gander/internal/tools/shared"
	"gander/tool"
)

// Explain implements [tool.Explainer] for t, a tool that reads files or a [shared.Lister].
func Explain(ctx context.Context, w *workspace.Workspace, t tool.Tool, name string, b tool.Budget) (tool.Reason, error) {
	tr, err := newTrace(ctx, w, name)
	if errors.Is(err, workspace.ErrOutside) {
		return tool.Reason{Cause: tool.CauseOutside}, nil
	}
	if err != nil {
		return tool.Reason{}, traceError(name, err)
	}
	defer tr.close()
	if tr.outside {
		return tool.Reason{Cause: tool.CauseOutside, At: tr.end.At}, nil
	}
	if l, ok := t.(shared.Lister); ok {
		return tr.explainList(ctx, l, 0, b)
	}
	return tr.explainRead(ctx, t, b)
}

// traceError returns the error about a path that cannot be traced.
func traceError(name string, err error) error {
	shown := shared.Excerpt(name)
	switch {
	case errors.Is(err, workspace.ErrNotDirectory):
		return shared.NewError(err, shown+" leads through what is not a directory")
	case errors.Is(err, fs.ErrNotExist):
		return shared.NewError(err, "there is no "+shown+" in the workspace")
	case errors.Is(err, workspace.ErrBadPath):
		return shared.NewError(err, "a path must not contain a NUL character")
	default:
		return shared.NewError(err, "cannot look at "+shown+": "+shared.PathErrorText(err))
	}
}

// written returns a path as an argument of the tool.
func written(t tool.Tool, path string) string {
	if w, ok := t.(shared.PathWriter); ok {
		return w.WritePath(path)
	}
	return path
}

// explainList explains a listing of the directory of the first n names.
func (tr *trace) explainList(ctx context.Context, t shared.Lister, n int, b tool.Budget) (tool.Reason, error) {
	if len(tr.names) == 0 {
		return tool.Reason{Cause: tool.CauseShown, At: "."}, nil
	}
	start := filepath.Join(tr.root, filepath.FromSlash(tr.prefix(n)))
	written := written(t, start)
	l, err := t.Listing(written)
	if errors.Is(err, shared.ErrNotExpressible) || !utf8.ValidString(written) {
		return tool.Reason{Cause: tool.CauseName, Rule: shared.ErrNotExpressible.Error(), At: tr.prefix(n)}, nil
	}
	if err != nil {
		return reasonOf(err, tr.prefix(n))
	}
	if l.Depth < 1 {
		return tool.Reason{Cause: tool.CauseDepth, Rule: l.DepthRule, At: tr.prefix(n)}, nil
	}
	for i := n; i < len(tr.components); i++ {
		last := i == len(tr.names)-1
		candidate := shared.Candidate{
			Dir: tr.components[i].dir, DirPath: path.Join(tr.names[n:i]...), Name: tr.names[i], Kind: tr.components[i].kind, Entered: !last,
		}
		r, err := l.Filter(ctx, candidate)
		if err != nil {
			return reasonOf(err, tr.prefix(i))
		}
		if r.Cause != "" {
			r.At = tr.prefix(i + 1)
			return r, ctx.Err()
		}
		switch {
		case last:
			return tr.explainLimit(ctx, l, n, i+1, b)
		case i+1 == len(tr.components):
			return tr.end, nil
		case i-n+1 == l.Depth:
			candidate.Entered = false
			return tr.explainDepth(ctx, t, l, candidate, n, i+1, b)
		}
	}
	return tr.end, nil
}

// explainDepth explains a path that lies deeper than the listing of the first n names goes: its deepest directory is the
// candidate, at the first m names. If the listing of that directory shows the path, the depth is the cause, unless a limit
// leaves out the directory itself.
func (tr *trace) explainDepth(ctx context.Context, t shared.Lister, l shared.Listing, candidate shared.Candidate, n, m int, b tool.Budget) (tool.Reason, error) {
	if kept, err := l.Filter(ctx, candidate); err == nil && kept.Cause == "" {
		if r, err := tr.explainLimit(ctx, l, n, m, b); err != nil || r.Cause != tool.CauseShown {
			return r, err
		}
	}
	r, err := tr.explainList(ctx, t, m, b)
	if err == nil && r.Cause == tool.CauseShown {
		return tool.Reason{Cause: tool.CauseDepth, Rule: l.DepthRule, At: tr.prefix(m)}, nil
	}
	return r, err
}

// explainLimit makes the listing of the first n names, to find out whether the answer contains the entry at the first m.
func (tr *trace) explainLimit(ctx context.Context, l shared.Listing, n, m int, b tool.Budget) (tool.Reason, error) {
	at := tr.prefix(m)
	rel := path.Join(tr.names[n:m]...)
	shown, err := l.Contains(ctx, rel, b)
	if err == nil && shown {
		return tool.Reason{Cause: tool.CauseShown, At: at}, nil
	}
	if limit, limited := b.Limit(); limited {
		shownUnlimited, errUnlimited := l.Contains(ctx, rel, tool.Budget{})
		if shownUnlimited || err != nil && errUnlimited == nil {
			return tool.Reason{Cause: tool.CauseLimit, Rule: fmt.Sprintf("max_output_bytes=%d", limit), At: at}, nil
		}
		err = errUnlimited
	}
	if err != nil {
		return reasonOf(err, tr.prefix(n))
	}
	return tool.Reason{Cause: tool.CauseLimit, Rule: l.LimitRule, At: at}, nil
}

// explainRead makes the call that reads the path. Unlike a listing, it follows links.
func (tr *trace) explainRead(ctx context.Context, t tool.Tool, b tool.Budget) (tool.Reason, error) {
	at := tr.prefix(len(tr.names))
	file := written(t, filepath.Join(tr.root, filepath.FromSlash(at)))
	if !utf8.ValidString(file) { // JSON cannot express it
		return tool.Reason{Cause: tool.CauseName, Rule: shared.ErrNotExpressible.Error(), At: at}, nil
	}
	_, err := t.Call(ctx, tool.Call{Args: shared.PathArguments(t.Spec().PathArgument, file), Budget: b})
	var e *tool.Error
	switch {
	case err == nil:
		return tool.Reason{Cause: tool.CauseShown, At: at}, nil
	case errors.Is(err, workspace.ErrIsDirectory):
		return tool.Reason{Cause: tool.CauseKind, Rule: "a directory", At: at}, nil
	case errors.Is(err, workspace.ErrNotRegular):
		return tool.Reason{Cause: tool.CauseKind, Rule: "a FIFO, socket or device", At: at}, nil
	case errors.Is(err, workspace.ErrLoop), errors.Is(err, fs.ErrNotExist):
		return tool.Reason{Cause: tool.CauseLink, Rule: "it cannot be followed to its end", At: at}, nil
	case errors.As(err, &e) && e.Err == nil && e.Kind == tool.BadArguments:
		return tool.Reason{Cause: tool.CauseEmpty, Rule: e.Message, At: at}, nil
	case errors.As(err, &e) && e.Err == nil && e.Kind == tool.Failed:
		return tool.Reason{Cause: tool.CauseLimit, Rule: e.Message, At: at}, nil
	default:
		return reasonOf(err, at)
	}
}

// reasonOf returns what the error of a call tells about the directory or file at a path.
func reasonOf(err error, at string) (tool.Reason, error) {
	var denied *workspace.DeniedError
	switch {
	case errors.As(err, &denied):
		return tool.Reason{Cause: tool.CauseDenied, Rule: denied.Pattern, At: at}, nil
	case errors.Is(err, tool.ErrOutside), errors.Is(err, workspace.ErrOutside):
		return tool.Reason{Cause: tool.CauseOutside, Rule: err.Error(), At: at}, nil
	case errors.Is(err, fs.ErrPermission):
		return tool.Reason{Cause: tool.CauseUnreadable, Rule: shared.ErrorText(err), At: at}, nil
	default:
		return tool.Reason{}, err
	}
}
