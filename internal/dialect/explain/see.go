package explain

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"unicode/utf8"

	"gander/internal/dialect"
	"gander/internal/engine/workspace"
	"gander/tool"
)

// see asks a tool about the entries on the way, where it lists the directory of the first from names.
func (y *way) see(ctx context.Context, t dialect.Lister, from int, b tool.Budget) (Reason, error) {
	if len(y.names) == 0 {
		return Reason{Cause: Shown, At: "."}, nil
	}
	start := filepath.Join(y.root, filepath.FromSlash(y.at(from)))
	s, err := t.Listing(start)
	if errors.Is(err, dialect.ErrNotExpressible) || err != nil && !utf8.ValidString(start) {
		return Reason{dialect.CauseName, dialect.ErrNotExpressible.Error(), y.at(from)}, nil
	}
	if err != nil {
		return unreachable(err, y.at(from))
	}
	if s.Depth < 1 {
		return Reason{Depth, s.DepthRule, y.at(from)}, nil
	}
	for i := from; i < len(y.steps); i++ {
		last := i == len(y.names)-1
		candidate := dialect.Candidate{
			Dir: y.steps[i].dir, DirPath: path.Join(y.names[from:i]...), Name: y.names[i], Kind: y.steps[i].kind, Entered: !last,
		}
		r, err := s.Filter(ctx, candidate)
		if err != nil {
			return unreachable(err, y.at(i))
		}
		if r.Cause != "" {
			return Reason{r.Cause, r.Rule, y.at(i + 1)}, ctx.Err()
		}
		switch {
		case last:
			return y.count(ctx, s, from, i+1, b)
		case i+1 == len(y.steps):
			return y.end, nil
		case i-from+1 == s.Depth:
			candidate.Entered = false
			return y.below(ctx, t, s, candidate, from, i+1, b)
		}
	}
	return y.end, nil
}

// below says of a path that lies deeper than a listing goes what the listing of the directory there, the first n names,
// makes of it. Where that shows it, the depth alone is the cause, unless a limit leaves out the directory itself.
func (y *way) below(ctx context.Context, t dialect.Lister, s dialect.Listing, dir dialect.Candidate, from, n int, b tool.Budget) (Reason, error) {
	if named, err := s.Filter(ctx, dir); err == nil && named.Cause == "" {
		if r, err := y.count(ctx, s, from, n, b); err != nil || r.Cause != Shown {
			return r, err
		}
	}
	r, err := y.see(ctx, t, n, b)
	if err == nil && r.Cause == Shown {
		return Reason{Depth, s.DepthRule, y.at(n)}, nil
	}
	return r, err
}

// count makes the listing, to see whether the entry of the first n names is in the answer.
func (y *way) count(ctx context.Context, s dialect.Listing, from, n int, b tool.Budget) (Reason, error) {
	at := y.at(n)
	rel := path.Join(y.names[from:n]...)
	shown, err := s.Contains(ctx, rel, b)
	if err == nil && shown {
		return Reason{Cause: Shown, At: at}, nil
	}
	limit, limited := b.Limit()
	if limited {
		without, errWithout := s.Contains(ctx, rel, tool.Budget{})
		if without || err != nil && errWithout == nil {
			return Reason{Limit, fmt.Sprintf("max_output_bytes=%d", limit), at}, nil
		}
		err = errWithout
	}
	if err != nil {
		return unreachable(err, y.at(from))
	}
	return Reason{Limit, s.LimitRule, at}, nil
}

// read makes the call that reads the path. It follows links, and knows no other limit than what it may reach.
func (y *way) read(ctx context.Context, t dialect.Reader, b tool.Budget) (Reason, error) {
	at := y.at(len(y.names))
	file := filepath.Join(y.root, filepath.FromSlash(at))
	if !utf8.ValidString(file) { // which no JSON is
		return Reason{dialect.CauseName, dialect.ErrNotExpressible.Error(), at}, nil
	}
	_, err := t.Call(ctx, tool.Call{Args: t.ReadArguments(file), Budget: b})
	var told *tool.Error
	switch {
	case err == nil:
		return Reason{Cause: Shown, At: at}, nil
	case errors.Is(err, workspace.ErrIsDirectory):
		return Reason{dialect.CauseKind, "a directory", at}, nil
	case errors.Is(err, workspace.ErrNotRegular):
		return Reason{dialect.CauseKind, "a FIFO, socket or device", at}, nil
	case errors.Is(err, workspace.ErrLoop), errors.Is(err, fs.ErrNotExist):
		return Reason{dialect.CauseLink, "it cannot be followed to its end", at}, nil
	case errors.As(err, &told) && told.Err == nil && told.Kind == tool.BadArguments:
		return Reason{Empty, told.Message, at}, nil
	case errors.As(err, &told) && told.Err == nil && told.Kind == tool.Failed:
		return Reason{Limit, told.Message, at}, nil
	default:
		return unreachable(err, at)
	}
}

// unreachable turns the error of a call into what it says about the directory or file at the path.
func unreachable(err error, at string) (Reason, error) {
	var denied *workspace.DeniedError
	switch {
	case errors.As(err, &denied):
		return Reason{Denied, denied.Pattern, at}, nil
	case errors.Is(err, tool.ErrOutside), errors.Is(err, workspace.ErrOutside):
		return Reason{Outside, err.Error(), at}, nil
	case errors.Is(err, fs.ErrPermission):
		return Reason{Unreadable, dialect.ErrorText(err), at}, nil
	default:
		return Reason{}, err
	}
}
